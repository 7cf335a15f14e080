# What a header says: kind, device, date, source, command.
ridge policy transform --device BI-V100 --in f16 --out f16 --emit c --name 'my policy' | sed -E 's|date: 20[0-9-]+T[0-9:.]+Z$|date: NOW|'
ridge policy transform --device BI-V100 --in f16 --out f16 --emit cuda | tail -31
