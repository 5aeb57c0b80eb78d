#include "gpu-estimate/Model/Transform/PrivateArrays.h"
#include "helpers/EvaluateKernels.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace gpuestimate::test;

// An asynchronous copy, and its arrival, of a kernel whose private array was
// accessed before it: both must name the copy's access afterwards.
TEST(PrivateArrays, TheArrivalOfACopyKeepsItsAccess) {
  OpKernel K;
  K.block(-1);
  K.memory(OpClass::LoadLocal, MemorySpace::Local, AccessKind::Load, "private",
           K.number(0));
  unsigned Copy = K.memory(OpClass::AsyncCopy, MemorySpace::Global,
                           AccessKind::AsyncCopy, "a", K.id() * 4);
  K.op(OpClass::Move, {{Copy, false}});
  K.last().Count = 0;
  K.last().Effect = CopyArrival{*K.Model.Operations[Copy].access(), 2};
  ASSERT_EQ(checkConsistency(K.Model), "");

  KernelModel Changed = withArrayInRegisters(K.Model, "private");
  EXPECT_EQ(checkConsistency(Changed), "");
  ASSERT_EQ(Changed.Accesses.size(), 1u);
  EXPECT_EQ(Changed.Operations[0].Class, OpClass::Move);
  EXPECT_FALSE(Changed.Operations[0].access());
  EXPECT_EQ(Changed.Operations[1].access(), 0u);
  ASSERT_TRUE(Changed.Operations[2].arrival());
  EXPECT_EQ(Changed.Operations[2].arrival()->Access, 0u);
  EXPECT_EQ(Changed.Operations[2].arrival()->CopiesAhead, 2u);
}
