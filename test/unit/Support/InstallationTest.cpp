/// \file
/// Where an installation is; that of a moved one is test/lit/Wrapper/package.
#include "gpu-estimate/Support/Installation.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

TEST(Installation, PrefixOfAProgramOrPlugin) {
  EXPECT_EQ(prefixOf("/opt/x/bin/gpu-estimate"), "/opt/x");
  EXPECT_EQ(prefixOf("/opt/x/libexec/gpu-estimate-tool"), "/opt/x");
  EXPECT_EQ(prefixOf("/usr/lib/gpu-estimate/GpuEstimate.so"), "/usr");
  EXPECT_EQ(prefixOf("/opt/lib/x/lib64/a.so"), "/opt/lib/x");
  EXPECT_EQ(prefixOf("/home/me/build/test/unit/SupportTests"), "");
  EXPECT_EQ(prefixOf("/bin/tool"), "/");
  EXPECT_EQ(prefixOf(""), "");
}

TEST(Installation, ABuildTreeHasTheDataOfItsSource) {
  llvm::Expected<std::string> Folder = findDataFolder("hwmodels");
  ASSERT_TRUE(bool(Folder)) << llvm::toString(Folder.takeError());
  EXPECT_EQ(*Folder, GPU_ESTIMATE_SOURCE_DIR "/hwmodels");
  llvm::Expected<std::string> None = findDataFolder("no-such-folder");
  ASSERT_FALSE(bool(None));
  std::string Message = llvm::toString(None.takeError());
  EXPECT_NE(Message.find(GPU_ESTIMATE_SOURCE_DIR "/no-such-folder exists"),
            std::string::npos)
      << Message;
}

} // namespace
