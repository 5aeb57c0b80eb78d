/// \file
/// Which values of the IR the register estimate counts, and how many words.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// Registers without those of every kernel, of code between `entry:` and the
/// return.
unsigned liveRegisters(const std::string &Code) {
  KernelModel M = extract(R"(
@tile = internal addrspace(3) global [1024 x float] undef
define ptx_kernel void @k(ptr addrspace(1) noalias readonly %a,
                          ptr addrspace(1) noalias %to, i32 %n, i64 %wide) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)" + Code + R"(
  ret void
}
)",
                          Pipeline::Skip);
  return M.Res.RegistersPerThread - 5;
}

/// Many addresses, each of which is needed before and behind a barrier.
std::string addresses(llvm::StringRef Space, llvm::StringRef Base) {
  std::string Code = "  %i = zext i32 %tid to i64\n", Behind;
  for (unsigned N = 0; N < 16; ++N) {
    std::string Name = std::to_string(N);
    Code += "  %m" + Name + " = mul i64 %wide, " + std::to_string(2 * N + 3) +
            "\n  %x" + Name + " = xor i64 %m" + Name + ", %i\n  %p" + Name +
            " = getelementptr float, ptr addrspace(" + Space.str() + ") " +
            Base.str() + ", i64 %x" + Name +
            "\n  store volatile float 0.0, "
            "ptr addrspace(" +
            Space.str() + ") %p" + Name + "\n";
    Behind += "  store volatile float 1.0, ptr addrspace(" + Space.str() +
              ") %p" + Name + "\n";
  }
  return Code + Behind;
}

TEST(LoweringRegisters, AKernelThatPrintsHasTheRegistersOfCalls) {
  KernelModel M = extract(R"(
@text = internal constant [2 x i8] c"x\00"
declare i32 @vprintf(ptr, ptr)
define ptx_kernel void @k() {
  %printed = call i32 @vprintf(ptr @text, ptr null)
  ret void
}
)",
                          Pipeline::Skip);
  EXPECT_EQ(M.Res.RegistersPerThread, 24u);
}

TEST(LoweringRegisters, AnAddressOfSharedMemoryIsOneWord) {
  unsigned Global = liveRegisters(addresses("1", "%to")),
           Shared = liveRegisters(addresses("3", "@tile"));
  EXPECT_GE(Global, 32u);
  EXPECT_LE(Shared, Global - 15);
}

/// 16 integers of 64 bits that are alive at once, each `OP i64 %i, 2N + 3`.
std::string integers(llvm::StringRef Extension) {
  std::string Code = "  %i = " + Extension.str() + "\n", Behind;
  for (unsigned N = 0; N < 16; ++N) {
    std::string Name = std::to_string(N);
    Code += "  %m" + Name + " = xor i64 %i, " + std::to_string(2 * N + 3) +
            "\n  %p" + Name +
            " = getelementptr float, ptr addrspace(1) %to, "
            "i64 %m" +
            Name +
            "\n  store volatile float 0.0, "
            "ptr addrspace(1) %p" +
            Name + "\n";
    Behind += "  %q" + Name +
              " = getelementptr i8, ptr addrspace(1) %to, i64 "
              "%m" +
              Name +
              "\n  store volatile float 1.0, "
              "ptr addrspace(1) %q" +
              Name + "\n";
  }
  return Code + Behind;
}

TEST(LoweringRegisters, AnUpperWordThatIsKnownNeedsNoRegister) {
  unsigned Wide = liveRegisters(integers("mul i64 %wide, 3")),
           Narrow = liveRegisters(integers("zext i32 %tid to i64"));
  EXPECT_GE(Wide, 32u);
  EXPECT_LE(Narrow, Wide - 14);
}

TEST(LoweringRegisters, ElementsOfALoadDoNotOutliveIt) {
  // Four vectors of 4 words, added element by element.
  std::string Code = "  %i = zext i32 %tid to i64\n", Adds;
  for (unsigned N = 0; N < 8; ++N) {
    std::string Name = std::to_string(N);
    Code += "  %p" + Name +
            " = getelementptr <4 x float>, ptr addrspace(1) "
            "%a, i64 " +
            std::to_string(N) + "\n  %v" + Name +
            " = load <4 x float>, ptr addrspace(1) %p" + Name + "\n";
  }
  for (unsigned E = 0; E < 4; ++E) {
    std::string Sum = "0.0";
    for (unsigned N = 0; N < 8; ++N) {
      std::string Name = std::to_string(N) + "." + std::to_string(E);
      Adds += "  %e" + Name + " = extractelement <4 x float> %v" +
              std::to_string(N) + ", i32 " + std::to_string(E) + "\n  %s" +
              Name + " = fadd float " + Sum + ", %e" + Name + "\n";
      Sum = "%s" + Name;
    }
    Adds += "  store volatile float " + Sum + ", ptr addrspace(1) %to\n";
  }
  // 32 words are loaded, and one sum lives at a time.
  unsigned Registers = liveRegisters(Code + Adds);
  EXPECT_GE(Registers, 32u);
  EXPECT_LE(Registers, 36u);
}

} // namespace
