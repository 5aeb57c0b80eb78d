/// \file
/// Device code of several units, which need each other's functions.
#include "Runtime/DeviceLinker.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace llvm;

namespace {

std::string bitcode(StringRef Text) {
  LLVMContext Context;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(
      ("target triple = \"nvptx64-nvidia-cuda\"\n" + Text).str(), Error,
      Context);
  EXPECT_TRUE(M) << Error.getMessage().str();
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  if (M)
    WriteBitcodeToFile(*M, OS);
  return Bytes;
}

const char *const Caller = "declare i32 @f()\n"
                           "declare i32 @nowhere()\n"
                           "define void @kernel() {\n"
                           "  %a = call i32 @f()\n"
                           "  %b = call i32 @nowhere()\n"
                           "  ret void\n"
                           "}\n";
const char *const Callee = "define i32 @f() { ret i32 1 }\n";

TEST(DeviceLinker, FindsUnitsThatNeedEachOther) {
  // The second unit needs nothing and gives nothing; the last one has a
  // function of its own with the name that others need.
  std::string Units[] = {bitcode(Caller),
                         bitcode("define void @k() { ret void }"),
                         bitcode(Callee),
                         "",
                         bitcode("define internal i32 @f() { ret i32 2 }\n"
                                 "define i32 @g() {\n"
                                 "  %a = call i32 @f()\n"
                                 "  ret i32 %a\n"
                                 "}\n"),
                         bitcode("@v = addrspace(1) global i32 3"),
                         bitcode("@v = external addrspace(1) global i32\n"
                                 "define i32 @h() {\n"
                                 "  %a = load i32, ptr addrspace(1) @v\n"
                                 "  ret i32 %a\n"
                                 "}\n")};
  SmallVector<StringRef> Bytes(std::begin(Units), std::end(Units));
  auto Groups = findLinkedUnits(Bytes);
  ASSERT_TRUE(bool(Groups)) << toString(Groups.takeError());
  EXPECT_EQ(*Groups, (std::vector<std::vector<size_t>>{{0, 2}, {5, 6}}));
}

TEST(DeviceLinker, ReportsWhatIsNoBitcode) {
  auto Groups = findLinkedUnits({"not bitcode"});
  EXPECT_FALSE(bool(Groups));
  consumeError(Groups.takeError());
  auto Linked = linkDeviceCode({"not bitcode"});
  EXPECT_FALSE(bool(Linked));
  consumeError(Linked.takeError());
}

TEST(DeviceLinker, LinksDeclarationsToDefinitions) {
  std::string First = bitcode(Caller), Second = bitcode(Callee);
  auto Linked = linkDeviceCode({First, Second});
  ASSERT_TRUE(bool(Linked)) << toString(Linked.takeError());
  LLVMContext Context;
  auto M = parseBitcodeFile(MemoryBufferRef(*Linked, "linked"), Context);
  ASSERT_TRUE(bool(M)) << toString(M.takeError());
  EXPECT_FALSE((*M)->getFunction("f")->isDeclaration());
  EXPECT_FALSE((*M)->getFunction("kernel")->isDeclaration());
  EXPECT_TRUE((*M)->getFunction("nowhere")->isDeclaration());
  EXPECT_EQ(std::string((*M)->getTargetTriple()), "nvptx64-nvidia-cuda");
}

TEST(DeviceLinker, NamesASymbolThatTwoUnitsDefine) {
  std::string Unit = bitcode(Callee);
  auto Linked = linkDeviceCode({Unit, Unit});
  ASSERT_FALSE(bool(Linked));
  std::string Message = toString(Linked.takeError());
  EXPECT_NE(Message.find("'f'"), std::string::npos) << Message;
}

} // namespace
