#include "CompilerHabits.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <limits>

namespace gpuestimate {

/// Measured with nvcc 13.0 for sm_86 as the largest trip count without a loop,
/// or without local memory, in the PTX of
/// \code
///   for (int k = 0; k < n; ++k) { float v = a[k * 4096 + t];
///     for (int i = 0; i < N; ++i) acc[i] = BODY; }
/// \endcode
/// where the loops that fill and store acc have a pragma. N times the cost of
/// the body, plus 2, stays below PlainLoop or LoopOverPrivateArray:
///
///   body                          cost  N       array  N * cost + 2
///   acc[i] = v                       3  809     yes            2429
///   acc[i] += v                      4  606     yes            2426
///   acc[i] = acc[i] * v + 0.5f       5  485     yes            2427
///   the same with 2, 4, 8, 16, 32
///   such products                       346 220 127 69 36 (2414 to 2424)
///   two, three arrays              6 8  404 303 yes       2426 2426
///   if (i * 32 + t < n)              9  269     yes            2423
///   i * 32 + t < n as a condition
///   of the loop                      8  303     yes            2426
///   c[i * 4096 + t] = acc[i]         8  303     yes            2426
///   v = v * w + 0.5f                 3  134     no              404
///   s += a[i]                        5   80     no              402
///   c[i * 4096 + t] = v              6   67     no              404
///   acc[k & 3] = acc[k & 3] * v + i  4  100     no              402
///
/// With `i < min(N, n)` for the condition, or `if (i >= n) break;` in the body,
/// the array stays in registers up to N = 267 and 216: the same limits hold for
/// the bound of the trip count. A loop without an array is unrolled to its
/// bound with a pragma only, up to N = 64 for bodies of 7 to 30; one that
/// begins at threadIdx.x never.
///
/// The limit with a pragma is LLVM's default of -pragma-unroll-threshold.
/// nvcc's builds of ktt-convolution (three instructions for each of 225 filter
/// weights and output) share all loads up to 21 outputs of a thread, 14 200
/// instructions, and no longer from 24 on, 16 200.
///
/// `o[t] = s.a[t % N];` of the kernel's argument s, `struct S { int a[N]; }`:
/// local memory up to 128 bytes, none from 132 bytes on; the same with long
/// elements, with further members, and with `S u = s;` before.
static constexpr CompilerHabits Nvcc = {
    .PlainLoop = 405,
    .LoopOverPrivateArray = 2430,
    .LoopWithPragma = 16 * 1024,
    .BoundWithPragma = 64,
    .BoundOverPrivateArray = std::numeric_limits<unsigned>::max(),
    .CopiedStructure = 128,
};

/// clang 19 -O3: the defaults of LLVM's LoopUnrollPass for all targets
/// (-unroll-threshold, -pragma-unroll-threshold, -unroll-max-upperbound).
/// ByValueCopies.h has what its back end copies.
static constexpr CompilerHabits Clang = {
    .PlainLoop = 300,
    .LoopOverPrivateArray = 300,
    .LoopWithPragma = 16 * 1024,
    .BoundWithPragma = 8,
    .BoundOverPrivateArray = 0,
    .CopiedStructure = std::numeric_limits<uint64_t>::max(),
};

const CompilerHabits &habitsOf(DeviceCompiler Compiler) {
  return Compiler == DeviceCompiler::Nvcc ? Nvcc : Clang;
}

DeviceCompiler compilerOf(const llvm::Module &M) {
  const auto *Flag = llvm::mdconst::extract_or_null<llvm::ConstantInt>(
      M.getModuleFlag("gpu-estimate.compiler"));
  return Flag && Flag->getZExtValue() == uint64_t(DeviceCompiler::Nvcc)
             ? DeviceCompiler::Nvcc
             : DeviceCompiler::Clang;
}

} // namespace gpuestimate
