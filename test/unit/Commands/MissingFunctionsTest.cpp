#include "Commands/Run/MissingFunctions.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

TEST(MissingFunctions, AreReadFromWhatLinkersSay) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(missingFunctions(
                "/usr/bin/ld: a.o: in function `main':\n"
                "a.cu:(.text+0x1): undefined reference to `cufftExecC2C'\n"
                "b.o: more undefined references to `cufftDestroy' follow\n"
                "c.o: undefined reference to `_Z6helperv'\n"
                "c.o: undefined reference to `helper'\n"),
            (Names{"cufftDestroy", "cufftExecC2C"}));
  EXPECT_EQ(
      missingFunctions("ld.lld: error: undefined symbol: ncclGetUniqueId\n"
                       ">>> referenced by a.cu\n"
                       "mold: error: undefined symbol: glBegin\n"),
      (Names{"glBegin", "ncclGetUniqueId"}));
  EXPECT_TRUE(missingFunctions("ld: cannot find -lcufft\n").empty());
}

TEST(MissingFunctions, BecomeAModule) {
  std::string Bitcode;
  llvm::raw_string_ostream OS(Bitcode);
  writeMissingFunctions({"cufftExecC2C"}, OS);
  EXPECT_TRUE(llvm::StringRef(OS.str()).starts_with("BC"));
}

} // namespace
