/* SPDX-License-Identifier: MIT */
#include "engine/ptx_decode.h"

ridge_status rg_decode_mma(struct rg_reader *reader)
{
    return rg_decode_unknown(reader, "");
}

ridge_status rg_decode_wmma(struct rg_reader *reader)
{
    return rg_decode_unknown(reader, "");
}
