// SPDX-License-Identifier: MIT
// The instruction tables, one per class. To add an instruction, add a line to the table of its class.
#pragma once

#include <span>

#include "models/isa/translator.h"

namespace hcq::models::isa {

std::span<const Op> control_ops();                // branches, calls, barriers, waits
std::span<const Op> salu_ops();                   // scalar arithmetic and logic
std::span<const Op> salu_mask_ops();              // scalar compares, EXEC bookkeeping, moves
std::span<const Op> smem_ops();                   // scalar loads
std::span<const Op> valu_integer_ops();           // 32- and 64-bit vector integer
std::span<const Op> valu_float_ops();             // f32 and f64 vector arithmetic
Handler find_compare(std::string_view mnemonic);  // v_cmp, v_cmpx: nullptr for anything else
std::span<const Op> valu_convert_ops();           // v_cvt
std::span<const Op> valu_divide_ops();            // the steps of IEEE division
std::span<const Op> valu_half_ops();              // 16-bit vector
std::span<const Op> valu_packed_ops();            // VOP3P: packed 16-bit, mixed precision, dot products
std::span<const Op> matrix_ops();                 // WMMA and bf16 dot products
std::span<const Op> lane_ops();                   // readlane, writelane, permutes
std::span<const Op> global_ops();                 // global, flat and scratch memory
std::span<const Op> atomic_ops();                 // global and flat atomics
std::span<const Op> buffer_ops();                 // untyped buffer loads, stores, atomics
std::span<const Op> lds_ops();                    // ds_*

}  // namespace hcq::models::isa
