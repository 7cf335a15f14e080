cat >points.csv <<'T'
label,bytes,throughput
MSL,2048,100
MSL,4096,90.6
MSL,6144,84.2
WGSL,4096,50
WGSL,8192,47.6
WGSL,12288,40.55
T
ridge calibrate footprint --points points.csv --device 'My "chip" (R) X/Y' --hold-out WGSL --save mine.toml
echo "exit $?"
ridge predict --calibrations mine.toml --device 'my "CHIP" x/y' --footprint 2048:6144 | head -3
# Nothing is claimed without a series that was held out, or beyond the bound; the points are kept.
ridge calibrate footprint --points points.csv --device chip --save none.toml | tail -4
echo "exit ${PIPESTATUS[0]}"
ridge predict --calibrations none.toml --device chip --footprint 2048:6144 | head -2
ridge calibrate footprint --points points.csv --device chip --hold-out WGSL --bound 0.03 --json | grep -E 'claims|error_ratio'
echo "exit ${PIPESTATUS[0]}"
# A folder of that name is still a spec.
mkdir footprint && ridge calibrate ./footprint --record x.csv --device A100
echo "exit $?"
