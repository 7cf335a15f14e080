ridge devices "NVIDIA A100-PCIE-40GB"
