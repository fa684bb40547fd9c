// SPDX-License-Identifier: MIT
/* Small computations that both the host and the modelled GPU run. Each reads the `in` words of its work-item and fills
   `out` words. The bodies are in corpus.c; the GPU's side is compiled ahead of time by scripts/gen_isa_corpus into one
   .ll file a case. */
#ifndef TESTS_MODEL_ISA_CORPUS_H
#define TESTS_MODEL_ISA_CORPUS_H

#define CORPUS_IN 16
#define CORPUS_OUT 32
#define CORPUS_CASES(X)                                                                                       \
  X(i64_arithmetic)                                                                                           \
  X(i32_arithmetic)                                                                                           \
  X(i16_arithmetic) X(i8_arithmetic) X(bits) X(saturating) X(packed16) X(packed_half) X(half_arithmetic)      \
      X(f32_arithmetic) X(f64_arithmetic) X(conversions) X(byte_dot) X(switches) X(structs) X(private_arrays) \
          X(sorting) X(copying) X(i128_arithmetic) X(divergence) X(recursion) X(brain_float)

#ifndef __AMDGCN__
#define X(name) void corpus_##name(const unsigned* in, unsigned* out, unsigned t);
#ifdef __cplusplus
extern "C" {
#endif
CORPUS_CASES(X)
#ifdef __cplusplus
}
#endif
#undef X
#endif
#endif
