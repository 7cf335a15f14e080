# A loader without a driver: absent with the reason, and no failure.
mkdir vendors
OCL_ICD_VENDORS="$PWD/vendors" ridge backends | grep -vE '^(host|cuda)'
exit "${PIPESTATUS[0]}"
