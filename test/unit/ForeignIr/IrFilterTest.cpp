/// \file
/// The text of other LLVM versions as that of LLVM 19.
#include "ForeignIr/IrFilter.h"
#include <gtest/gtest.h>

using namespace gpuestimate;

namespace {

/// The filter's text with one blank for several: what it drops leaves them.
std::string filtered(const std::string &Text) {
  std::string Short;
  for (char C : filterIr(Text).Text)
    if (C != ' ' || Short.empty() || Short.back() != ' ')
      Short += C;
  return Short;
}

struct Rewriting {
  const char *Before, *After;
};

class IrRewriting : public ::testing::TestWithParam<Rewriting> {};

TEST_P(IrRewriting, IsReadableByLlvm19) {
  EXPECT_EQ(filtered(GetParam().Before), GetParam().After);
}

INSTANTIATE_TEST_SUITE_P(
    TypedPointers, IrRewriting,
    ::testing::Values(
        Rewriting{"float* %x", "ptr %x"}, Rewriting{"i8** %x", "ptr %x"},
        Rewriting{"float addrspace(1)* %x", "ptr addrspace(1) %x"},
        Rewriting{"i8 addrspace(3)* addrspace(1)* %x", "ptr addrspace(1) %x"},
        Rewriting{"i8 addrspace(3)** %x", "ptr %x"},
        Rewriting{"%struct.S* %x", "ptr %x"},
        Rewriting{"%T* addrspace(3)* %x", "ptr addrspace(3) %x"},
        Rewriting{"%T* addrspace(3)** %x", "ptr %x"},
        Rewriting{"%T* byval nocapture align 8 %x",
                  "ptr byval(%T) nocapture align 8 %x"},
        Rewriting{"i8 addrspace(3)** sret(i8) %x", "ptr sret(i8) %x"},
        Rewriting{"%\"class.a b\"* %x", "ptr %x"},
        Rewriting{"[4 x [2 x i8*]]* %x", "ptr %x"},
        Rewriting{"{ i8, <4 x float>* }* %x", "ptr %x"},
        Rewriting{"call void (i8*, ...) @f(i8* %x)",
                  "call void (ptr, ...) @f(ptr %x)"},
        Rewriting{"void (i32, { i8* })** %x", "ptr %x"},
        Rewriting{"i8 addrspace(3)* (i32)* %x", "ptr %x"},
        Rewriting{"; a comment* stays\n!\"i8*\"",
                  "; a comment* stays\n!\"i8*\""},
        Rewriting{"*", "*"}, Rewriting{"(*", "(*"}, Rewriting{")*", ")*"}));

INSTANTIATE_TEST_SUITE_P(
    NewWords, IrRewriting,
    ::testing::Values(
        Rewriting{"ptr captures(none) %x", "ptr nocapture %x"},
        Rewriting{"ptr captures(ret: address, provenance) %x", "ptr %x"},
        Rewriting{"captures:", "captures:"},
        Rewriting{"ptr dead_on_return(16) %x", "ptr %x"},
        Rewriting{"icmp samesign ult i32 %x, 1", "icmp ult i32 %x, 1"},
        Rewriting{"fpext nnan contract float %x to double",
                  "fpext float %x to double"},
        Rewriting{"fadd nnan float %x, %x", "fadd nnan float %x, %x"},
        Rewriting{"ptrtoaddr ptr %x to i64", "ptrtoint ptr %x to i64"},
        Rewriting{"memory(argmem: read, errnomem: write)",
                  "memory(argmem: read, inaccessiblemem: write)"},
        Rewriting{"attributes #0 = { nounwind later(a: (b)) \"x\"=\"y\" "
                  "alignstack=4 memory(target_mem0: none) uwtable(sync) }",
                  "attributes #0 = { nounwind \"x\"=\"y\" alignstack=4 "
                  "memory(inaccessiblemem: none) uwtable(sync) }"},
        Rewriting{"attributes #0 = { later", "attributes #0 = { "},
        Rewriting{"captures(none", ""}));

INSTANTIATE_TEST_SUITE_P(
    DebugInformation, IrRewriting,
    ::testing::Values(
        Rewriting{"!DILocation(line: 1, scope: !2, atomGroup: 1, atomRank: 2)",
                  "!DILocation(line: 1, scope: !2 )"},
        Rewriting{"!DISubprogram(name: \"f\", variables: !2, unit: !1)",
                  "!DISubprogram(name: \"f\" , unit: !1)"},
        Rewriting{"!DICompositeType(specification: !2, tag: DW_TAG_x)",
                  "!DICompositeType( tag: DW_TAG_typedef)"},
        Rewriting{"!DICompileUnit(sourceLanguageName: DW_LNAME_C, file: !1)",
                  "!DICompileUnit(language: DW_LANG_C, file: !1)"},
        Rewriting{"!DIFixedPointType(name: \"x\")",
                  "!DIBasicType(name: \"unknown\") "},
        Rewriting{"!DIExpression(DW_OP_deref, DW_OP_new, 1)",
                  "!DIExpression( )"},
        Rewriting{"!DIExpression(DW_OP_deref)", "!DIExpression(DW_OP_deref)"},
        Rewriting{"#dbg_value(i32 0, !1, !DIExpression(), !2)",
                  "#dbg_value(i32 0, !1, !DIExpression(), !2)"},
        Rewriting{"#dbg_declare_value(i32 0, !1)", " "},
        Rewriting{"!DILocation(", "!DILocation("}));

TEST(IrFilter, KeepsTheLinesOfInstructions) {
  FilteredIr Ir = filterIr(R"(define void @f(i32 %x) #0 { ; 1
  %y = add i32 %x,
         1
    #dbg_value(i32 %y, !1, !DIExpression(), !2)
  switch i32 %y, label %a [
    i32 0, label %b
  ]
a:
  br label %b
b:                           ; preds = %a
  call void @g(
    i32 %y)
  ret void
}
declare void @g(i32)
define { i32, i32 } @"a b"() personality ptr @p {
  ret { i32, i32 } zeroinitializer
}
)");
  EXPECT_EQ(Ir.Functions["f"].Line, 1u);
  EXPECT_EQ(Ir.Functions["f"].Instructions,
            (std::vector<unsigned>{2, 5, 9, 11, 13}));
  EXPECT_EQ(Ir.Functions["a b"].Line, 16u);
  EXPECT_EQ(Ir.Functions["a b"].Instructions, (std::vector<unsigned>{17}));
  EXPECT_EQ(Ir.Functions.size(), 2u);
}

} // namespace
