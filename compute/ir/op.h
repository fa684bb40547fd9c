// SPDX-License-Identifier: MIT
// The operations of the IR and what they mean. An op exists when it is described here and interpreter.cc runs it; a
// code generator that differs from this text has a bug.
//
// Three forms share these ops:
//   tensor graph  (compute/tensor)   nodes have a shape; movement ops, no indices
//   kernel graph  (ir::KernelGraph)  scalars and index expressions; `range` and `reduce`; no order
//   kernel        (ir::Kernel)       an ordered list in SSA form; what the interpreter and codegen/ take
#pragma once

#include <cstdint>

namespace hcq::compute::ir {

// General rules
// - Elementwise ops take operands of one dtype (lanes included) and work lane by lane; the result has that dtype
//   unless said otherwise. There is no implicit conversion.
// - Integer arithmetic wraps modulo 2^bits. Division and remainder by zero do not trap: x/0 = 0, x%0 = x for both
//   kinds; (minimum / -1) wraps to the minimum, its remainder is 0.
// - Float arithmetic rounds to nearest even in the result's type; subnormals are kept for f16/bf16/f64 and for f32.
//   `add` of a `mul` may be contracted to a fused multiply-add (the only permitted relaxation: no reassociation, no
//   "no NaN" or "no infinity" assumption).
// - bool is 0 or 1; in memory one byte, any non-zero byte reads as 1.
enum class Op : std::uint8_t {
  // --- leaves ---------------------------------------------------------------------------------------------------
  constant,  // arg.i: integer or bool value, already wrapped; for floats the bits of the double that equals the value.
             // May have lanes > 1 (all lanes equal).
  buffer,    // tensor graph: a stored tensor; arg.i: storage id, arg.list: shape
  iota,      // tensor graph: 0, 1, ... along its only axis; arg.k: extent; converted to dtype as cast from i64
  param,     // a kernel parameter: pointer to elements of dtype; arg.i: slot in Kernel::params. Parameters do not
             // overlap each other in memory and start at multiples of 64 bytes.
  special,   // arg.i: dimension 0..2; arg.j: 0 workgroup id, 1 work-item id in the workgroup; arg.k: its extent;
             // dtype i32, value 0..extent-1
  range,     // arg.i: axis id (unique in its kernel), arg.j: AxisType, arg.k: extent >= 1; value 0..extent-1 in i64
             // (kernel graph) or i32/i64 (kernel, where only loop and reduce axes are left and the position in the
             // list opens a loop)

  // --- tensor graph: movement, arg.list is the new shape unless said ------------------------------------------------
  reshape,     // same elements in row-major order
  permute,     // arg.list: source axis of each result axis
  expand,      // extents 1 become n; same number of axes
  pad,         // arg.list: before0, after0, before1, ...; new elements are zero
  shrink,      // arg.list: begin0, end0, begin1, ...
  flip,        // arg.list: axes that run backwards
  contiguous,  // the value, stored in memory of its own

  // --- reduction ------------------------------------------------------------------------------------------------
  reduce,  // arg.i: Op add, mul, max or min. Tensor graph: src {x}, arg.list: axes, which stay with extent 1. Kernel
  // graph: src {value..., range...}: folds the values over all points of the ranges, starting from the identity
  // of the op (identity_element()); several values only after unrolling.
  // The order is free for integers; for floats it is the schedule's choice.

  // --- unary ----------------------------------------------------------------------------------------------------
  neg,        // 0 - x for integers (wraps), sign flip for floats (also of zero and NaN); not for bool
  recip,      // 1/x, floats; 1/±0 = ±inf; correctly rounded or within 1 ulp
  sqrt,       // floats; negative gives NaN; correctly rounded or within 1 ulp
  exp2,       // floats; within 4 ulp (f32), exp2(-inf)=0, exp2(inf)=inf; results below the smallest normal may flush
  log2,       // floats; within 4 ulp (f32) or 2^-21 absolute near 1; log2(0)=-inf, negative gives NaN
  sin,        // floats, radians; absolute error <= 2^-20 for |x| <= 2^15 (f32); infinity gives NaN
  trunc,      // floats, toward zero; keeps NaN, infinities and the sign of zero
  logic_not,  // bool only
  cast,       // see convert() in dtype.h; lanes unchanged
  bitcast,    // same bits, same size

  // --- binary ---------------------------------------------------------------------------------------------------
  add,       // integers and floats
  sub,       // integers and floats
  mul,       // integers and floats
  fdiv,      // floats: IEEE division; within 2.5 ulp for f32 is accepted
  cdiv,      // integers: quotient truncated toward zero
  cmod,      // integers: remainder of cdiv; it has the sign of the dividend
  floordiv,  // integers: quotient rounded down; index math uses this one
  floormod,  // integers: remainder of floordiv; it has the sign of the divisor
  max,       // floats: NaN if either is NaN; which zero of ±0 is open. bool: or
  min,       // the same; bool: and
  shl,       // integers; the amount is read as unsigned, at or above the width the result is 0
  shr,       // integers, arithmetic for signed types; amounts at or above the width give 0, or -1 for negative values
  bit_and,   // integers and bool
  bit_or,    // integers and bool
  bit_xor,   // integers and bool
  cmplt,     // integers by the signedness of their type; result bool; floats: false with NaN; -0 equals +0
  cmpeq,     // any type; floats: false with NaN
  cmpne,     // any type; floats: true with NaN

  // --- ternary --------------------------------------------------------------------------------------------------
  where,  // src {cond (bool), a, b}: a if cond else b. Both are evaluated; neither may trap

  // --- vectors (kernel only) --------------------------------------------------------------------------------------
  splat,    // src {scalar}: all lanes equal to it
  stack,    // src {scalar...}: one source a lane
  extract,  // src {vector}, arg.i: lane

  // --- memory -----------------------------------------------------------------------------------------------------
  index,  // src {param, i}: the address of element i (scalar i32 or i64, counted in elements); dtype: the element's.
          // Only load and store use it.
  load,   // src {index} or {index, gate, alt}: the element; with lanes n, the elements i..i+n-1. arg.i: alignment of
          // the address in elements (1..n). With a gate (scalar bool): alt, and no access, where it is false.
          // Nothing reads a parameter that the same kernel writes.
  store,  // src {index, value} or {index, value, gate}; void. Vectors and arg.i as load.

  // --- loops (kernel only) ------------------------------------------------------------------------------------------
  acc,     // src {init, range}, arg.i: a number that makes it unique. A loop-carried value: init in the first
           // iteration, then what `end` hands over. Listed right after its range.
  end,     // src {range, acc0, next0, acc1, next1, ...}; void. Closes the loop; acc_k becomes next_k for the next
           // iteration
  result,  // src {end, acc}: what acc's next was in the last iteration

  sink,  // kernel graph: src {store...}; void. The root
};
inline constexpr int kOpCount = static_cast<int>(Op::sink) + 1;

enum class OpClass : std::uint8_t { leaf, movement, reduce, unary, binary, compare, ternary, vector, memory, loop };

struct OpInfo {
  const char* name;
  OpClass kind;
  std::int8_t arity;  // -1: any
  bool commutative;
};
const OpInfo& info(Op op);
inline bool is_elementwise(Op op) {
  OpClass k = info(op).kind;
  return k == OpClass::unary || k == OpClass::binary || k == OpClass::compare || k == OpClass::ternary;
}

// What an axis of a kernel becomes. global and local map to the device's workgroups and work-items, upcast and unroll
// are expanded in the code (register tile, loop unrolling), loop and reduce are loops.
enum class AxisType : std::uint8_t { global, local, loop, upcast, reduce, unroll };
const char* name(AxisType t);

}  // namespace hcq::compute::ir
