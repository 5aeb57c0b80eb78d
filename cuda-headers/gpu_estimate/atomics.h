/// \file
/// Atomic functions in their device, `_block` and `_system` scopes.
///
/// clang's resource headers name the typed forms (`__iAtomicAdd` ...); these
/// are the overloads that programs call. The ones that LLVM can express become
/// `atomicrmw` or `cmpxchg`, so that address-space inference reaches them; the
/// rest become NVVM atomic intrinsics.

#ifndef GPU_ESTIMATE_CUDA_ATOMICS_H
#define GPU_ESTIMATE_CUDA_ATOMICS_H

#include "qualifiers.h"

/// One function in its three scopes: Type name(Type *address, Type value),
/// forwarded to the typed form of clang's headers with casts Inner.
#define GPU_ESTIMATE_ATOMIC(name, Type, typed, Inner)                          \
  GPU_ESTIMATE_DEVICE Type name(Type *address, Type value) {                   \
    return static_cast<Type>(                                                  \
        typed(reinterpret_cast<Inner *>(address), static_cast<Inner>(value))); \
  }                                                                            \
  GPU_ESTIMATE_DEVICE Type name##_block(Type *address, Type value) {           \
    return static_cast<Type>(typed##_block(reinterpret_cast<Inner *>(address), \
                                           static_cast<Inner>(value)));        \
  }                                                                            \
  GPU_ESTIMATE_DEVICE Type name##_system(Type *address, Type value) {          \
    return static_cast<Type>(typed##_system(                                   \
        reinterpret_cast<Inner *>(address), static_cast<Inner>(value)));       \
  }

typedef unsigned long long __gpu_estimate_ull;

GPU_ESTIMATE_ATOMIC(atomicAdd, int, __iAtomicAdd, int)
GPU_ESTIMATE_ATOMIC(atomicAdd, unsigned int, __uAtomicAdd, unsigned int)
GPU_ESTIMATE_ATOMIC(atomicAdd, unsigned long long, __ullAtomicAdd,
                    __gpu_estimate_ull)
GPU_ESTIMATE_ATOMIC(atomicAdd, unsigned long, __ullAtomicAdd,
                    __gpu_estimate_ull)
GPU_ESTIMATE_ATOMIC(atomicAdd, float, __fAtomicAdd, float)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
GPU_ESTIMATE_ATOMIC(atomicAdd, double, __dAtomicAdd, double)
#endif

GPU_ESTIMATE_ATOMIC(atomicExch, int, __iAtomicExch, int)
GPU_ESTIMATE_ATOMIC(atomicExch, unsigned int, __uAtomicExch, unsigned int)
GPU_ESTIMATE_ATOMIC(atomicExch, unsigned long long, __ullAtomicExch,
                    __gpu_estimate_ull)
GPU_ESTIMATE_ATOMIC(atomicExch, float, __fAtomicExch, float)

GPU_ESTIMATE_ATOMIC(atomicMin, int, __iAtomicMin, int)
GPU_ESTIMATE_ATOMIC(atomicMin, unsigned int, __uAtomicMin, unsigned int)
GPU_ESTIMATE_ATOMIC(atomicMin, long long, __illAtomicMin, long long)
GPU_ESTIMATE_ATOMIC(atomicMin, unsigned long long, __ullAtomicMin,
                    __gpu_estimate_ull)
GPU_ESTIMATE_ATOMIC(atomicMax, int, __iAtomicMax, int)
GPU_ESTIMATE_ATOMIC(atomicMax, unsigned int, __uAtomicMax, unsigned int)
GPU_ESTIMATE_ATOMIC(atomicMax, long long, __illAtomicMax, long long)
GPU_ESTIMATE_ATOMIC(atomicMax, unsigned long long, __ullAtomicMax,
                    __gpu_estimate_ull)

#define GPU_ESTIMATE_ATOMIC_BITS(name, Op)                                     \
  GPU_ESTIMATE_ATOMIC(name, int, __iAtomic##Op, int)                           \
  GPU_ESTIMATE_ATOMIC(name, unsigned int, __uAtomic##Op, unsigned int)         \
  GPU_ESTIMATE_ATOMIC(name, long long, __llAtomic##Op, long long)              \
  GPU_ESTIMATE_ATOMIC(name, unsigned long long, __ullAtomic##Op,               \
                      __gpu_estimate_ull)
GPU_ESTIMATE_ATOMIC_BITS(atomicAnd, And)
GPU_ESTIMATE_ATOMIC_BITS(atomicOr, Or)
GPU_ESTIMATE_ATOMIC_BITS(atomicXor, Xor)
#undef GPU_ESTIMATE_ATOMIC_BITS

GPU_ESTIMATE_ATOMIC(atomicInc, unsigned int, __uAtomicInc, unsigned int)
GPU_ESTIMATE_ATOMIC(atomicDec, unsigned int, __uAtomicDec, unsigned int)
#undef GPU_ESTIMATE_ATOMIC

// Subtraction is addition of the negated value, as in the instruction set.
#define GPU_ESTIMATE_ATOMIC_SUB(Type, suffix)                                  \
  GPU_ESTIMATE_DEVICE Type atomicSub##suffix(Type *address, Type value) {      \
    return atomicAdd##suffix(address, static_cast<Type>(0 - value));           \
  }
GPU_ESTIMATE_ATOMIC_SUB(int, )
GPU_ESTIMATE_ATOMIC_SUB(unsigned int, )
GPU_ESTIMATE_ATOMIC_SUB(int, _block)
GPU_ESTIMATE_ATOMIC_SUB(unsigned int, _block)
GPU_ESTIMATE_ATOMIC_SUB(int, _system)
GPU_ESTIMATE_ATOMIC_SUB(unsigned int, _system)
#undef GPU_ESTIMATE_ATOMIC_SUB

// Compare and swap. The builtin returns the value found.
#define GPU_ESTIMATE_ATOMIC_CAS(Type, suffix, builtin, Inner)                  \
  GPU_ESTIMATE_DEVICE Type atomicCAS##suffix(Type *address, Type compare,      \
                                             Type value) {                     \
    return static_cast<Type>(builtin(reinterpret_cast<Inner *>(address),       \
                                     static_cast<Inner>(compare),              \
                                     static_cast<Inner>(value)));              \
  }
#define GPU_ESTIMATE_ATOMIC_CAS_SCOPES(Type, letter, Inner)                    \
  GPU_ESTIMATE_ATOMIC_CAS(Type, , __nvvm_atom_cas_gen_##letter, Inner)         \
  GPU_ESTIMATE_ATOMIC_CAS(Type, _block, __nvvm_atom_cta_cas_gen_##letter,      \
                          Inner)                                               \
  GPU_ESTIMATE_ATOMIC_CAS(Type, _system, __nvvm_atom_sys_cas_gen_##letter,     \
                          Inner)
GPU_ESTIMATE_ATOMIC_CAS_SCOPES(int, i, int)
GPU_ESTIMATE_ATOMIC_CAS_SCOPES(unsigned int, i, int)
GPU_ESTIMATE_ATOMIC_CAS_SCOPES(long long, ll, long long)
GPU_ESTIMATE_ATOMIC_CAS_SCOPES(unsigned long long, ll, long long)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
GPU_ESTIMATE_DEVICE unsigned short atomicCAS(unsigned short *address,
                                             unsigned short compare,
                                             unsigned short value) {
  __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  return compare;
}
#endif
#undef GPU_ESTIMATE_ATOMIC_CAS_SCOPES
#undef GPU_ESTIMATE_ATOMIC_CAS

#endif
