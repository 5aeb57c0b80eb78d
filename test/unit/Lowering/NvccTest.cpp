/// \file
/// Reading the PTX that nvcc makes.
#include "gpu-estimate/Lowering/Registers/Nvcc.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

TEST(LoweringNvcc, LocalArraysOfCalledFunctionsCount) {
  llvm::Expected<llvm::StringMap<uint64_t>> Bytes = localBytes(R"(
.version 8.5
.target sm_80
.address_size 64

.extern .func (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.func (.param .b32 func_retval0) slow(.param .b32 slow_param_0)
{
	.local .align 4 .b8 	__local_depot0[28];
	.reg .b32 	%r<2>;
	ld.param.b32 	%r1, [slow_param_0];
	st.param.b32 	[func_retval0], %r1;
	ret;
}
.func middle(.param .b32 middle_param_0)
{
	.reg .b32 	%r<3>;
	ld.param.b32 	%r1, [middle_param_0];
	{
	.param .b32 param0;
	st.param.b32 	[param0], %r1;
	.param .b32 retval0;
	call.uni (retval0),
	slow,
	(
	param0
	);
	ld.param.b32 	%r2, [retval0];
	}
	ret;
}
.visible .entry own()
{
	.local .align 16 .b8 	__local_depot1[64];
	.local .align 4 .b8 	more[8];
	ret;
}
.visible .entry calls(.param .u32 n)
{
	.reg .b32 	%r<2>;
	ld.param.u32 	%r1, [n];
	{
	.param .b32 param0;
	st.param.b32 	[param0], %r1;
	call.uni middle, (param0);
	}
	ret;
}
.visible .entry none()
{
	ret;
}
)");
  ASSERT_TRUE(bool(Bytes)) << llvm::toString(Bytes.takeError());
  EXPECT_EQ(Bytes->size(), 3u);
  EXPECT_EQ(Bytes->lookup("own"), 72u);
  EXPECT_EQ(Bytes->lookup("calls"), 28u);
  EXPECT_EQ(Bytes->lookup("none"), 0u);
}

} // namespace
