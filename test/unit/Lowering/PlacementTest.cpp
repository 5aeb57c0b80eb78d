/// \file
/// Where a compiler that is short of registers makes the sums that only one
/// side of a branch needs.
#include "helpers/LoweringTesting.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

constexpr unsigned Values = 60;

std::string line(const std::string &Text) { return "  " + Text + "\n"; }

/// Text with # for each number.
std::string numbered(std::string Text, unsigned N) {
  for (size_t At; (At = Text.find('#')) != std::string::npos;)
    Text.replace(At, 1, std::to_string(N));
  return Text;
}

std::string chain(const std::string &Sum, const std::string &Value) {
  std::string Text = line("%" + Sum + "0 = fmul float %" + Value + "0, 3.0");
  for (unsigned N = 1; N < Values; ++N)
    Text += line("%" + Sum + std::to_string(N) + " = fadd float %" + Sum +
                 std::to_string(N - 1) + ", %" + Value + std::to_string(N));
  return Text;
}

/// The sum of Values words of shared memory, and behind a branch another one
/// of the same words; what stands between the two is given.
Resources resources(const std::string &Between, const std::string &Second) {
  std::string Text = R"(
@tile = internal addrspace(3) global [512 x float] undef
define ptx_kernel void @k(ptr addrspace(1) %out, i1 %want) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = zext i32 %tid to i64
)";
  for (unsigned N = 0; N < Values; ++N)
    Text += numbered("  %p# = getelementptr inbounds [512 x float], ptr "
                     "addrspace(3) @tile, i64 0, i64 %i#\n"
                     "  %v# = load float, ptr addrspace(3) %p#\n",
                     N)
                .insert(0, numbered("  %i# = add i64 %at, #\n", N));
  Text += chain("a", "v") + "  store float %a59, ptr addrspace(1) %out\n" +
          Between + "  br i1 %want, label %then, label %end\nthen:\n" + Second +
          R"(  %other = getelementptr float, ptr addrspace(1) %out, i64 9
  store float %b59, ptr addrspace(1) %other
  br label %end
end:
  ret void
}
)";
  return extract(Text, Pipeline::Skip).Res;
}

TEST(LoweringPlacement, SumsAreMadeWhereTheirOperandsAre) {
  Resources Res = resources("", chain("b", "v"));
  EXPECT_GE(Res.RegistersPerThread, Values); // alive until the branch
  EXPECT_LE(Res.leastRegisters(), 20u);      // two sums and a word at a time
}

/// The second sum multiplies each of the words by one that it loads itself.
std::string loading() {
  std::string Text;
  for (unsigned N = 0; N < Values; ++N)
    Text += numbered("  %q# = getelementptr inbounds float, ptr addrspace(3) "
                     "%p#, i64 100\n"
                     "  %l# = load float, ptr addrspace(3) %q#\n"
                     "  %w# = fmul float %v#, %l#\n",
                     N);
  return Text + chain("b", "w");
}

TEST(LoweringPlacement, LoadsMoveUnlessSomethingWasStored) {
  EXPECT_LE(resources("", loading()).leastRegisters(), 24u);
  // Behind a store to shared memory they read something else.
  Resources Stored = resources("", R"(
  store float 1.0, ptr addrspace(3) @tile
  br label %behind
behind:
)" + loading());
  EXPECT_GE(Stored.leastRegisters(), Values);
}

TEST(LoweringPlacement, WhatFreesNothingStays) {
  // The words are read again behind the branch by what cannot move.
  std::string Text = chain("b", "v");
  for (unsigned N = 0; N < Values; ++N)
    Text += numbered("  %s# = getelementptr float, ptr addrspace(1) %out, i64 "
                     "#\n  store float %v#, ptr addrspace(1) %s#\n",
                     N);
  EXPECT_GE(resources("", Text).leastRegisters(), Values);
}

} // namespace
