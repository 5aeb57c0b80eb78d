/// \file
/// The tables of operation classes and pipes.
#include "gpu-estimate/Model/Machine/OpClass.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuestimate;

namespace {

TEST(OpClassTable, EveryClassOnceWithAUniqueSnakeCaseName) {
  std::set<llvm::StringRef> Names;
  ASSERT_EQ(opClassTable().size(), NumOpClasses);
  for (const OpClassInfo &Row : opClassTable()) {
    EXPECT_TRUE(Names.insert(Row.Name).second) << Row.Name.str();
    EXPECT_EQ(
        Row.Name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"),
        llvm::StringRef::npos)
        << Row.Name.str();
    EXPECT_EQ(&info(Row.Class), &Row);
    EXPECT_FALSE(Row.Description.empty());
    bool Memory =
        Row.Class >= OpClass::LoadGlobal && Row.Class <= OpClass::AsyncCopy;
    EXPECT_EQ(Row.IsMemory, Memory) << Row.Name.str();
  }
  EXPECT_EQ(info(OpClass::Fp32Fma).Name, "fp32_fma");
  EXPECT_EQ(info(OpClass::TensorInt8).Name, "tensor_int8");
}

TEST(OpClassTable, PipeNamesReadBack) {
  for (unsigned I = 0; I < NumPipes; ++I)
    EXPECT_EQ(pipeFromName(name(static_cast<Pipe>(I))), static_cast<Pipe>(I));
  EXPECT_EQ(pipeFromName(""), std::nullopt);
}

} // namespace
