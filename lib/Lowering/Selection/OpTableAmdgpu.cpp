/// \file
/// What AMD GPUs execute in place of the machine instructions of other rows: a
/// division has no slow path but scales its operands, there is no unit for
/// logarithms and powers of full accuracy, a 64-bit shift or comparison is one
/// instruction. Counts are those of the code that LLVM 19 generates for gfx1030
/// from one call or instruction, linked with ROCm's device library (OCML of
/// ROCm 5.2, and LLVM's own expansions of exp, log and sqrt, which later
/// releases use). Ranges of the argument that ordinary data mix in a wavefront
/// count all; the reduction of large angles is left out. Scalar instructions
/// and moves of constants, which the code around shares, are not counted.
#include "OpTable.h"

namespace gpuestimate {

namespace {

using enum OpClass;

// One row per line.
// clang-format off
constexpr OpRow AmdgpuRows[] = {
    // Single precision.
    {"amdgpu:__nv_sinf", {{Branch}, {Compare, 3, 1}, {Convert32}, {Logic, 6, 1}, {Fp32Mul, 3, 2}, {Fp32Fma, 10, 7}, {Fp32Add}, {Select, 2, 2}}, "the reduction of large arguments is not taken"},
    {"amdgpu:__nv_cosf", {{Branch}, {Compare, 3, 1}, {Convert32}, {Logic, 4, 1}, {Fp32Mul, 3, 3}, {Fp32Fma, 10, 6}, {Fp32Add}, {Select, 2, 2}}},
    {"amdgpu:__nv_tanf", {{Compare, 4, 1}, {Convert32}, {Logic, 3, 1}, {Sfu, 2, 1}, {Fp32Mul, 4, 4}, {Fp32Fma, 11, 9}, {Fp32Add, 2, 2}, {Select, 2, 2}}},
    {"amdgpu:__nv_sincosf", {{Branch}, {Compare, 3, 1}, {Convert32}, {Logic, 7, 1}, {Fp32Mul, 3, 3}, {Fp32Fma, 10, 6}, {Fp32Add, 2, 2}, {Select, 3, 2}}},
    {"amdgpu:__nv_sinpif", {{Compare, 4, 1}, {Convert32}, {Logic, 5, 1}, {Shift}, {Fp32Mul, 4, 2}, {Fp32Fma, 10, 6}, {Fp32Add, 4, 4}, {Select, 4, 4}}},
    {"amdgpu:__nv_cospif", {{Compare, 4, 1}, {Convert32}, {Logic, 3, 1}, {Shift}, {Fp32Mul, 4, 3}, {Fp32Fma, 10, 5}, {Fp32Add, 4, 4}, {Select, 4, 4}}},
    {"amdgpu:__nv_expf", {{Compare, 2, 1}, {Convert32}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 1}, {Fp32Add, 3, 3}, {Select, 2, 2}}, "scaled at both ends of the range"},
    {"amdgpu:__nv_exp2f", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Add}, {Select, 2, 1}}},
    {"amdgpu:__nv_exp10f", {{Compare, 2, 1}, {Convert32}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 1}, {Fp32Add, 3, 3}, {Select, 2, 2}}},
    {"amdgpu:__nv_expm1f", {{Compare, 3, 1}, {Convert32}, {Fp32Mul, 3, 2}, {Fp32Fma, 9, 9}, {Fp32Add, 3, 2}, {Select, 4, 3}}},
    {"amdgpu:__nv_logf", {{Compare, 2, 1}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 2}, {Fp32Add, 2, 2}, {Select, 3, 2}}},
    {"amdgpu:__nv_log2f", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Add}, {Select, 2, 1}}},
    {"amdgpu:__nv_log10f", {{Compare, 2, 1}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 2}, {Fp32Add, 2, 2}, {Select, 3, 2}}},
    {"amdgpu:__nv_log1pf", {{Compare, 5, 1}, {Convert32}, {IntAdd, 2, 2}, {Sfu}, {Fp32Mul, 13, 8}, {Fp32Fma, 8, 6}, {Fp32Add, 77, 39}, {Select, 4, 4}}, "in two words"},
    {"amdgpu:__nv_powf", {{Compare, 23, 1}, {Convert32, 2, 1}, {IntAdd, 5, 3}, {Sfu, 2, 2}, {Fp32Mul, 16, 8}, {Fp32Fma, 21, 13}, {Fp32Add, 81, 44}, {Select, 18, 10}}, "logarithm and product in two words"},
    {"amdgpu:__nv_sqrtf", {{Compare, 4, 1}, {IntAdd, 2, 1}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 1}, {Select, 5, 5}}, "IEEE"},
    {"amdgpu:__nv_rsqrtf", {{Compare}, {Sfu}, {Fp32Mul, 2, 2}, {Select, 2, 1}}},
    {"amdgpu:__nv_cbrtf", {{Compare, 4, 2}, {Logic}, {Sfu, 3, 3}, {Fp32Mul, 6, 6}, {Fp32Fma, 2, 2}, {Fp32Add, 2, 2}, {Select, 7, 5}}},
    {"amdgpu:__nv_rcbrtf", {{Compare, 4, 2}, {Logic}, {Sfu, 3, 2}, {Fp32Mul, 8, 6}, {Fp32Fma, 2, 2}, {Fp32Add, 2, 2}, {Select, 7, 5}}},
    {"amdgpu:__nv_hypotf", {{Compare, 5, 1}, {IntAdd, 3, 2}, {MinMax, 3, 2}, {Sfu}, {Fp32Mul, 6, 5}, {Fp32Fma, 3, 2}, {Fp32Add}, {Select, 6, 6}}},
    {"amdgpu:__nv_rhypotf", {{Compare, 3, 1}, {Logic, 2, 1}, {IntAdd}, {Sfu}, {Fp32Mul, 4, 3}, {Fp32Fma}, {Fp32Add}, {Select}}},
    {"amdgpu:__nv_tanhf", {{Compare, 7, 1}, {Convert32}, {Logic, 2, 2}, {Sfu, 2, 2}, {Fp32Mul, 5, 4}, {Fp32Fma, 8, 8}, {Fp32Add, 6, 4}, {Select, 4, 2}}, "both ranges of the argument"},
    {"amdgpu:__nv_sinhf", {{Compare, 2, 1}, {Convert32}, {Logic}, {Sfu}, {Fp32Mul, 13, 7}, {Fp32Fma, 13, 7}, {Fp32Add, 82, 57}, {Select, 2, 2}}},
    {"amdgpu:__nv_coshf", {{Compare}, {Convert32}, {Sfu}, {Fp32Mul, 13, 7}, {Fp32Fma, 13, 7}, {Fp32Add, 82, 56}, {Select}}},
    {"amdgpu:__nv_asinf", {{Compare, 6, 1}, {Logic}, {IntAdd, 2, 1}, {Sfu}, {Fp32Mul, 4, 3}, {Fp32Fma, 10, 2}, {Fp32Add, 2, 2}, {Select, 7, 7}}},
    {"amdgpu:__nv_acosf", {{Compare, 6, 1}, {IntAdd, 2, 1}, {Sfu}, {Fp32Mul, 4, 3}, {Fp32Fma, 10, 2}, {Fp32Add, 3, 2}, {Select, 8, 8}}},
    {"amdgpu:__nv_atanf", {{Compare}, {Logic}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 8, 8}, {Fp32Add}, {Select, 2, 2}}},
    {"amdgpu:__nv_atan2f", {{Compare, 7, 1}, {IntAdd, 2, 1}, {MinMax, 4, 2}, {Sfu}, {Fp32Mul, 4, 4}, {Fp32Fma, 8, 8}, {Fp32Add, 6, 3}, {Select, 7, 5}}},
    {"amdgpu:__nv_asinhf", {{Compare, 9, 2}, {Convert32}, {IntAdd, 6, 4}, {Sfu, 3, 2}, {Fp32Mul, 19, 14}, {Fp32Fma, 12, 7}, {Fp32Add, 101, 59}, {Select, 10, 8}}},
    {"amdgpu:__nv_acoshf", {{Compare, 9, 2}, {Convert32}, {IntAdd, 5, 3}, {Sfu, 3, 2}, {Fp32Mul, 19, 14}, {Fp32Fma, 12, 7}, {Fp32Add, 101, 59}, {Select, 11, 9}}},
    {"amdgpu:__nv_atanhf", {{Compare, 4, 1}, {Convert32}, {IntAdd, 3, 3}, {Sfu, 2, 2}, {Fp32Mul, 17, 12}, {Fp32Fma, 10, 8}, {Fp32Add, 89, 47}, {Select, 3, 3}}},
    {"amdgpu:__nv_erff", {{Compare, 7, 1}, {Convert32}, {Logic, 2, 2}, {Sfu}, {Fp32Mul, 4, 3}, {Fp32Fma, 15, 15}, {Fp32Add, 5, 3}, {Select, 4, 2}}, "both ranges of the argument"},
    {"amdgpu:__nv_erfcf", {{Compare, 5, 1}, {Convert32}, {Sfu, 3, 1}, {Fp32Mul, 6, 2}, {Fp32Fma, 19, 15}, {Fp32Add, 12, 4}, {Select, 6, 2}}},
    {"amdgpu:__nv_erfinvf", {{Branch, 2, 1}, {Compare, 15, 3}, {IntAdd, 5, 3}, {Sfu, 2, 2}, {Fp32Mul, 9, 8}, {Fp32Fma, 29, 27}, {Fp32Add, 5, 4}, {Select, 17, 12}}},
    {"amdgpu:__nv_fmodf", {{Branch, 3, 1}, {Compare, 9, 1}, {IntAdd, 7, 1}, {Sfu}, {Fp32Mul, 7, 6}, {Fp32Fma, 2, 2}, {Fp32Add, 8, 5}, {Select, 4, 1}}},

    // Double precision.
    {"amdgpu:__nv_sin", {{Branch, 2, 1}, {Compare, 3, 1}, {Convert64}, {Logic, 5, 1}, {Fp64Mul, 7, 2}, {Fp64Fma, 18, 9}, {Fp64Add, 15, 8}, {Select, 4, 2}}, "the reduction of large arguments is not taken"},
    {"amdgpu:__nv_cos", {{Branch, 2, 1}, {Compare, 3, 1}, {Convert64}, {Logic, 5, 2}, {Fp64Mul, 7, 2}, {Fp64Fma, 18, 9}, {Fp64Add, 15, 8}, {Select, 4, 2}}},
    {"amdgpu:__nv_tan", {{Compare, 5, 1}, {Convert64}, {Logic, 4, 2}, {Sfu}, {Fp64Mul, 7, 5}, {Fp64Fma, 26, 22}, {Fp64Add, 29, 23}, {Select, 4, 2}}},
    {"amdgpu:__nv_sincos", {{Branch, 2, 1}, {Compare, 3, 1}, {Convert64}, {Logic, 8, 2}, {Fp64Mul, 7, 2}, {Fp64Fma, 18, 9}, {Fp64Add, 16, 9}, {Select, 8, 2}}},
    {"amdgpu:__nv_sinpi", {{Compare, 4, 1}, {Convert64}, {Logic, 5, 1}, {Shift}, {Fp64Mul, 4, 2}, {Fp64Fma, 14, 8}, {Fp64Add, 4, 4}, {Select, 8, 4}}},
    {"amdgpu:__nv_cospi", {{Compare, 4, 1}, {Convert64}, {Logic, 5, 2}, {Shift}, {Fp64Mul, 4, 3}, {Fp64Fma, 14, 7}, {Fp64Add, 4, 4}, {Select, 8, 4}}},
    {"amdgpu:__nv_exp", {{Compare, 2, 1}, {Convert64}, {Fp64Mul, 2, 2}, {Fp64Fma, 13, 13}, {Fp64Add}, {Select, 3, 2}}},
    {"amdgpu:__nv_exp2", {{Compare, 2, 1}, {Convert64}, {Fp64Mul, 2, 2}, {Fp64Fma, 12, 12}, {Fp64Add, 2, 2}, {Select, 3, 2}}},
    {"amdgpu:__nv_exp10", {{Compare, 2, 1}, {Convert64}, {Fp64Mul, 3, 3}, {Fp64Fma, 14, 14}, {Fp64Add}, {Select, 3, 2}}},
    {"amdgpu:__nv_expm1", {{Compare, 3, 1}, {Convert64}, {Fp64Mul, 3, 2}, {Fp64Fma, 14, 14}, {Fp64Add, 3, 2}, {Select, 6, 3}}},
    {"amdgpu:__nv_log", {{Compare, 5, 1}, {Convert64}, {IntAdd}, {Sfu}, {Fp64Mul, 10, 6}, {Fp64Fma, 14, 12}, {Fp64Add, 45, 25}, {Select, 6, 3}}},
    {"amdgpu:__nv_log2", {{Compare, 5, 1}, {Convert64}, {IntAdd}, {Sfu}, {Fp64Mul, 10, 6}, {Fp64Fma, 15, 14}, {Fp64Add, 35, 24}, {Select, 6, 3}}},
    {"amdgpu:__nv_log10", {{Compare, 5, 1}, {Convert64}, {IntAdd}, {Sfu}, {Fp64Mul, 11, 6}, {Fp64Fma, 17, 14}, {Fp64Add, 48, 28}, {Select, 6, 3}}},
    {"amdgpu:__nv_log1p", {{Compare, 5, 1}, {Convert64}, {IntAdd, 2, 2}, {Sfu}, {Fp64Mul, 13, 8}, {Fp64Fma, 16, 14}, {Fp64Add, 77, 39}, {Select, 5, 3}}},
    {"amdgpu:__nv_pow", {{Compare, 21, 1}, {Convert64, 2, 1}, {IntAdd, 5, 3}, {Sfu}, {Fp64Mul, 15, 7}, {Fp64Fma, 42, 34}, {Fp64Add, 76, 42}, {Select, 23, 9}}},
    {"amdgpu:__nv_sqrt", {{Compare, 2, 1}, {Shift}, {Sfu}, {Fp64Mul, 4, 3}, {Fp64Fma, 7, 6}, {Select, 4, 2}}},
    {"amdgpu:__nv_rsqrt", {{Compare}, {Sfu}, {Fp64Mul, 2, 2}, {Fp64Fma, 3, 2}, {Select, 2, 1}}},
    {"amdgpu:__nv_hypot", {{Compare, 4, 1}, {IntAdd}, {Sfu}, {Fp64Mul, 6, 4}, {Fp64Fma, 6, 5}, {Fp64Add, 4, 3}, {Select, 6, 3}}},
    {"amdgpu:__nv_rhypot", {{Compare, 4, 1}, {IntAdd}, {Sfu}, {Fp64Mul, 6, 5}, {Fp64Fma, 4, 3}, {Fp64Add, 4, 3}, {Select, 5, 3}}},
    {"amdgpu:__nv_tanh", {{Compare, 2, 1}, {Convert64}, {Logic, 2, 1}, {Sfu, 2, 2}, {Fp64Mul, 14, 10}, {Fp64Fma, 28, 26}, {Fp64Add, 92, 51}, {Select, 4, 2}}},
    {"amdgpu:__nv_sinh", {{Compare, 2, 1}, {Convert64}, {Logic, 2, 1}, {Sfu}, {Fp64Mul, 13, 8}, {Fp64Fma, 22, 20}, {Fp64Add, 82, 51}, {Select, 4, 2}}},
    {"amdgpu:__nv_cosh", {{Compare}, {Convert64}, {Sfu}, {Fp64Mul, 13, 8}, {Fp64Fma, 22, 20}, {Fp64Add, 82, 50}, {Select, 2, 1}}},
    {"amdgpu:__nv_asin", {{Branch}, {Compare, 3, 1}, {Logic}, {Sfu, 2, 1}, {Fp64Mul, 7, 5}, {Fp64Fma, 27, 19}, {Fp64Add, 27, 21}, {Select, 8, 4}}},
    {"amdgpu:__nv_acos", {{Branch}, {Compare, 5, 1}, {Sfu, 2, 1}, {Fp64Mul, 7, 5}, {Fp64Fma, 29, 20}, {Fp64Add, 11, 10}, {Select, 12, 6}}},
    {"amdgpu:__nv_atan", {{Compare}, {Logic, 2, 1}, {Sfu}, {Fp64Mul, 5, 4}, {Fp64Fma, 28, 28}, {Select, 4, 2}}},
    {"amdgpu:__nv_atan2", {{Compare, 6, 1}, {Logic, 4, 1}, {Shift}, {Sfu}, {Fp64Mul, 5, 4}, {Fp64Fma, 27, 27}, {Fp64Add, 6, 4}, {Select, 12, 5}}},
    {"amdgpu:__nv_asinh", {{Compare, 5, 1}, {Convert64}, {IntAdd, 5, 3}, {Sfu, 3, 2}, {Fp64Mul, 19, 13}, {Fp64Fma, 29, 20}, {Fp64Add, 101, 59}, {Select, 9, 4}}},
    {"amdgpu:__nv_acosh", {{Compare, 5, 1}, {Convert64}, {IntAdd, 3, 2}, {Sfu, 3, 2}, {Fp64Mul, 19, 13}, {Fp64Fma, 29, 20}, {Fp64Add, 101, 59}, {Select, 11, 5}}},
    {"amdgpu:__nv_atanh", {{Compare, 5, 1}, {Convert64}, {IntAdd, 4, 3}, {Sfu, 2, 2}, {Fp64Mul, 17, 12}, {Fp64Fma, 22, 20}, {Fp64Add, 89, 47}, {Select, 5, 3}}},
    {"amdgpu:__nv_erf", {{Branch, 3, 1}, {Compare, 3, 1}, {Convert64}, {Logic, 2, 1}, {Fp64Mul, 3, 2}, {Fp64Fma, 48, 48}, {Fp64Add, 2, 2}, {Select, 3, 2}}},
    {"amdgpu:__nv_erfc", {{Compare, 4, 1}, {Convert64}, {Sfu, 2, 1}, {Fp64Mul, 5, 2}, {Fp64Fma, 50, 31}, {Fp64Add, 9, 4}, {Select, 7, 2}}},
    {"amdgpu:__nv_erfinv", {{Compare, 34, 1}, {Convert64, 2, 1}, {IntAdd, 3, 1}, {Sfu, 5, 5}, {Fp64Mul, 35, 22}, {Fp64Fma, 141, 131}, {Fp64Add, 94, 54}, {Select, 23, 10}}},
    {"amdgpu:__nv_fmod", {{Branch, 3, 1}, {Compare, 9, 1}, {IntAdd, 6, 2}, {Sfu}, {Fp64Mul, 10, 8}, {Fp64Fma, 9, 9}, {Fp64Add, 8, 4}, {Select, 8, 2}}},

    // Native functions.
    {"amdgpu:__nv_fast_sinf", {{Sfu}, {Fp32Mul}}},
    {"amdgpu:__nv_fast_cosf", {{Sfu}, {Fp32Mul}}},
    {"amdgpu:__nv_fast_expf", {{Compare}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Add}, {Select, 2, 2}}},
    {"amdgpu:__nv_fast_exp2f", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Add}, {Select, 2, 1}}},
    {"amdgpu:__nv_fast_exp10f", {{Compare}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Add}, {Select, 2, 2}}},
    {"amdgpu:__nv_fast_logf", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Fma}, {Select, 2, 1}}},
    {"amdgpu:__nv_fast_log2f", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Add}, {Select, 2, 1}}},
    {"amdgpu:__nv_fast_log10f", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Fma}, {Select, 2, 1}}},

    // Divisions and roots.
    {"amdgpu:fdiv.f32", {{Sfu}, {Fp32Mul, 3, 2}, {Fp32Fma, 7, 7}}, "scaled operands, reciprocal and refinements; no slow path"},
    {"amdgpu:fdiv.f64", {{Sfu}, {Fp64Mul, 3, 2}, {Fp64Fma, 7, 7}}},
    {"amdgpu:fdiv.f16", {{Convert16}, {Sfu}, {Fp16Fma}}},
    {"amdgpu:fdiv.fast.f32", {{Sfu}, {Fp32Mul}}},
    {"amdgpu:frcp.f32", {{Sfu}, {Fp32Mul, 3, 2}, {Fp32Fma, 7, 7}}},
    {"amdgpu:frcp.f64", {{Sfu}, {Fp64Mul, 3, 2}, {Fp64Fma, 7, 7}}},
    {"amdgpu:frcp.fast.f32", {{Sfu}}},
    {"amdgpu:frem.f32", {{Sfu}, {Fp32Mul, 3, 2}, {Fp32Fma, 8, 8}, {Fp32Add}}},
    {"amdgpu:frem.f64", {{Sfu}, {Fp64Mul, 3, 2}, {Fp64Fma, 8, 8}, {Fp64Add}}},
    {"amdgpu:llvm.sqrt*", {{Compare, 4, 1}, {IntAdd, 2, 1}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 1}, {Select, 5, 5}}, "IEEE"},
    {"amdgpu:llvm.sqrt.f64", {{Compare, 2, 1}, {Shift}, {Sfu}, {Fp64Mul, 4, 3}, {Fp64Fma, 7, 6}, {Select, 4, 2}}},
    {"amdgpu:llvm.sqrt.fast.f32", {{Sfu}}},
    {"amdgpu:llvm.exp.*", {{Compare, 2, 1}, {Convert32}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 1}, {Fp32Add, 3, 3}, {Select, 2, 2}}},
    {"amdgpu:llvm.exp2.*", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Add}, {Select, 2, 1}}},
    {"amdgpu:llvm.log.*", {{Compare, 2, 1}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 2}, {Fp32Add, 2, 2}, {Select, 3, 2}}},
    {"amdgpu:llvm.log2.*", {{Compare}, {Sfu}, {Fp32Mul}, {Fp32Add}, {Select, 2, 1}}},
    {"amdgpu:llvm.log10.*", {{Compare, 2, 1}, {Sfu}, {Fp32Mul, 2, 2}, {Fp32Fma, 2, 2}, {Fp32Add, 2, 2}, {Select, 3, 2}}},

    // Integers.
    {"amdgpu:udiv.i32", {{Compare, 2, 1}, {Convert32, 2, 2}, {IntAdd, 6, 3}, {IntMul, 4, 3}, {Sfu}, {Fp32Mul}, {Select, 3, 2}}},
    {"amdgpu:urem.i32", {{Compare, 2, 1}, {Convert32, 2, 2}, {IntAdd, 5, 4}, {IntMul, 4, 4}, {Sfu}, {Fp32Mul}, {Select, 2, 2}}},
    {"amdgpu:sdiv.i32", {{Compare, 4, 1}, {Convert32, 2, 2}, {Logic, 3, 1}, {IntAdd, 9, 5}, {IntMul, 4, 3}, {Sfu}, {Fp32Mul}, {Select, 3, 2}}},
    {"amdgpu:srem.i32", {{Compare, 4, 1}, {Convert32, 2, 2}, {Logic, 2, 1}, {IntAdd, 8, 6}, {IntMul, 4, 4}, {Sfu}, {Fp32Mul}, {Select, 2, 2}}},
    {"amdgpu:udiv.const.i32", {{Shift, 2, 2}, {IntAdd, 2, 2}, {IntMul}}},
    {"amdgpu:urem.const.i32", {{Shift, 2, 2}, {IntAdd, 3, 3}, {IntMul, 2, 2}}},
    {"amdgpu:sdiv.const.i32", {{Shift, 2, 1}, {IntAdd, 2, 2}, {IntMul}}},
    {"amdgpu:srem.const.i32", {{Shift, 2, 1}, {IntAdd, 3, 3}, {IntMul, 2, 2}}},
    {"amdgpu:sdiv.pow2.i32", {{Shift, 3, 3}, {IntAdd}}},
    {"amdgpu:srem.pow2.i32", {{Logic}, {Shift, 2, 2}, {IntAdd, 2, 2}}},
    {"amdgpu:udiv.const.i64", {{Compare, 6, 1}, {IntAdd, 16, 4}, {IntMul, 6, 1}, {Select, 8, 2}}},
    {"amdgpu:urem.const.i64", {{Compare, 6, 1}, {IntAdd, 14, 6}, {IntMul, 6, 3}, {Select, 8, 2}}},
    {"amdgpu:sdiv.const.i64", {{Compare, 6, 1}, {Logic, 4, 2}, {Shift}, {IntAdd, 20, 6}, {IntMul, 6, 1}, {Select, 8, 2}}},
    {"amdgpu:srem.const.i64", {{Compare, 6, 1}, {Logic, 4, 2}, {Shift}, {IntAdd, 18, 8}, {IntMul, 6, 3}, {Select, 8, 2}}},
    {"amdgpu:sdiv.pow2.i64", {{Shift, 3, 3}, {IntAdd, 2, 1}}},
    {"amdgpu:srem.pow2.i64", {{Logic}, {Shift, 2, 2}, {IntAdd, 4, 2}}},
    {"amdgpu:udiv.i64", {{Branch, 2, 1}, {Compare, 3, 1}, {Convert32, 2, 2}, {IntAdd, 7, 2}, {IntMul, 4, 4}, {Sfu}, {Fp32Mul}, {Select, 3, 2}}, "operands that fit 32 bits, as sizes do; else about 90 instructions more"},
    {"amdgpu:urem.i64", {{Branch, 2, 1}, {Compare, 3, 1}, {Convert32, 2, 2}, {IntAdd, 6, 4}, {IntMul, 4, 4}, {Sfu}, {Fp32Mul}, {Select, 2, 2}}},
    {"amdgpu:sdiv.i64", {{Branch, 2, 1}, {Compare, 3, 1}, {Convert32, 2, 2}, {IntAdd, 7, 2}, {IntMul, 4, 4}, {Sfu}, {Fp32Mul}, {Select, 3, 2}}},
    {"amdgpu:srem.i64", {{Branch, 2, 1}, {Compare, 3, 1}, {Convert32, 2, 2}, {IntAdd, 6, 4}, {IntMul, 4, 4}, {Sfu}, {Fp32Mul}, {Select, 2, 2}}},
    {"amdgpu:llvm.umin.i64", {{Compare}, {Select, 2, 1}}},
    {"amdgpu:llvm.umax.i64", {{Compare}, {Select, 2, 1}}},
    {"amdgpu:llvm.smin.i64", {{Compare}, {Select, 2, 1}}},
    {"amdgpu:llvm.smax.i64", {{Compare}, {Select, 2, 1}}},
    {"amdgpu:getelementptr.64", {{IntAdd, 2, 2}}, "low word, then high word with carry"},
    {"amdgpu:getelementptr.index", {{Shift}}, "the index scaled, once for all bases"},
    {"amdgpu:pointer.stride.64", {{IntAdd, 2, 2}}},
    {"amdgpu:shl.i64", {{Shift}}},
    {"amdgpu:lshr.i64", {{Shift}}},
    {"amdgpu:ashr.i64", {{Shift}}},
    {"amdgpu:icmp.i64", {{Compare}}},
    {"amdgpu:icmp.ptr", {{Compare}}},

    // Roundings, minima and conversions.
    {"amdgpu:llvm.floor*", {{Fp32Add, 1, 1, true}}},
    {"amdgpu:llvm.ceil*", {{Fp32Add, 1, 1, true}}},
    {"amdgpu:llvm.trunc*", {{Fp32Add, 1, 1, true}}},
    {"amdgpu:llvm.rint*", {{Fp32Add, 1, 1, true}}},
    {"amdgpu:llvm.nearbyint*", {{Fp32Add, 1, 1, true}}},
    {"amdgpu:llvm.roundeven*", {{Fp32Add, 1, 1, true}}},
    {"amdgpu:llvm.round*", {{Compare}, {Logic}, {Fp32Add, 3, 3, true}, {Select}}},
    {"amdgpu:llvm.floor.f64", {{Fp64Add, 1, 1, true}}},
    {"amdgpu:llvm.ceil.f64", {{Fp64Add, 1, 1, true}}},
    {"amdgpu:llvm.trunc.f64", {{Fp64Add, 1, 1, true}}},
    {"amdgpu:llvm.rint.f64", {{Fp64Add, 1, 1, true}}},
    {"amdgpu:llvm.nearbyint.f64", {{Fp64Add, 1, 1, true}}},
    {"amdgpu:llvm.roundeven.f64", {{Fp64Add, 1, 1, true}}},
    {"amdgpu:llvm.round.f64", {{Compare}, {Logic}, {Fp64Add, 3, 3, true}, {Select}}},
    {"amdgpu:llvm.minnum*", {{MinMax, 2, 1}}, "an operand from memory is made quiet first"},
    {"amdgpu:llvm.maxnum*", {{MinMax, 2, 1}}},
    {"amdgpu:llvm.minnum.f64", {{Fp64Add, 2, 1, true}}},
    {"amdgpu:llvm.maxnum.f64", {{Fp64Add, 2, 1, true}}},
    {"amdgpu:sitofp.i64.f32", {{Convert32}, {Logic, 2, 2}, {Shift, 3, 2}, {IntAdd, 3, 1}, {MinMax, 2, 2}, {Fp32Mul, 1, 1, true}, {Clz}}},
    {"amdgpu:uitofp.i64.f32", {{Convert32}, {Logic}, {Shift, 2, 1}, {IntAdd}, {MinMax, 2, 2}, {Fp32Mul, 1, 1, true}, {Clz}}},
    {"amdgpu:fptosi.f32.i64", {{Convert32, 2, 1}, {Logic, 2, 1}, {Shift, 2, 1}, {IntAdd, 2, 1}, {Fp32Mul, 1, 1, true}, {Fp32Fma, 1, 1, true}, {Fp32Add, 2, 2, true}}},
    {"amdgpu:fptoui.f32.i64", {{Convert32, 2, 1}, {Shift}, {Fp32Mul, 1, 1, true}, {Fp32Fma, 1, 1, true}, {Fp32Add, 2, 2, true}}},
    {"amdgpu:sitofp.i64.f64", {{Convert64, 2, 1}, {Fp64Mul, 1, 1, true}, {Fp64Add, 1, 1, true}}},
    {"amdgpu:uitofp.i64.f64", {{Convert64, 2, 1}, {Fp64Mul, 1, 1, true}, {Fp64Add, 1, 1, true}}},
    {"amdgpu:fptosi.f64.i64", {{Convert64, 2, 1}, {Fp64Mul, 1, 1, true}, {Fp64Fma, 1, 1, true}, {Fp64Add, 2, 2, true}}},
    {"amdgpu:fptoui.f64.i64", {{Convert64, 2, 1}, {Fp64Mul, 1, 1, true}, {Fp64Fma, 1, 1, true}, {Fp64Add, 2, 2, true}}},
    {"amdgpu:fpext.f16.f32", {{Convert16}}},
};
// clang-format on

} // namespace

llvm::ArrayRef<OpRow> amdgpuRows() { return AmdgpuRows; }

} // namespace gpuestimate
