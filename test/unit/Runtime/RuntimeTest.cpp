/// \file
/// Parts of the runtime library that need no process of a program.
#include "Runtime/MemoryTable.h"
#include "Runtime/Modules.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace llvm;

namespace {

template <class T> bool fails(Expected<T> Result) {
  if (Result)
    return false;
  consumeError(Result.takeError());
  return true;
}

TEST(MemoryTable, FindsTheAllocationOfAnAddress) {
  MemoryTable Table;
  Table.add({4096, 100, RunMemory::Device, 0});
  Table.add({8192, 50, RunMemory::Pinned, 0});
  auto at = [](uint64_t A) { return reinterpret_cast<void *>(A); };
  EXPECT_EQ(Table.find(at(4095)), nullptr);
  EXPECT_EQ(Table.find(at(4195))->Address, 4096u);
  EXPECT_EQ(Table.find(at(4196)), nullptr);
  EXPECT_TRUE(Table.fits(at(4100), 96));
  EXPECT_FALSE(Table.fits(at(4100), 97));
  EXPECT_TRUE(Table.fits(at(100), 1 << 20)); // not ours
  EXPECT_EQ(Table.bytesOn(0), 100u);
  EXPECT_EQ(Table.bytesOn(1), 0u);
  Table.remove(*Table.findStart(at(4096)));
  EXPECT_EQ(Table.bytesOn(0), 0u);
  EXPECT_EQ(Table.find(at(4100)), nullptr);
}

TEST(Modules, TracesFewerLaunchesWhenTracesHaveCostTooMuch) {
  Kernel K;
  for (unsigned I = 0; I < 10; ++I)
    EXPECT_TRUE(K.wantsTrace("shape", {"changes " + std::to_string(I)}));
  K.TraceCost = Kernel::MaxTraceCost;
  unsigned Traced = 0;
  for (unsigned I = 10; I < 100; ++I)
    Traced += K.wantsTrace("shape", {"changes " + std::to_string(I)});
  EXPECT_EQ(Traced, 3u); // of 16, 32 and 64 different arguments
  Traced = 0;
  for (unsigned I = 1; I < 100; ++I) // the first was above
    Traced += K.wantsTrace("shape", {"changes 0"});
  EXPECT_EQ(Traced, 6u); // launches 2, 4 ... 64
  EXPECT_TRUE(K.wantsTrace("another shape", {"changes 0"}));
}

TEST(Modules, FindsBitcodeBehindAHeader) {
  std::string Text = "GEBC0001";
  Text += std::string("\x05\0\0\0\0\0\0\0", 8) + "BC\xC0\xDE!and more";
  auto Found = findBitcode(Text.data());
  ASSERT_TRUE(bool(Found)) << toString(Found.takeError());
  EXPECT_EQ(*Found, "BC\xC0\xDE!");
  EXPECT_TRUE(fails(findBitcode("GEBC0002xxxxxxxxxxx")));
  EXPECT_TRUE(fails(findBitcode("\x7f"
                                "ELF............")));
}

/// Bitcode of a module in LLVM's text.
std::string bitcode(StringRef Text) {
  LLVMContext Context;
  SMDiagnostic Problem;
  auto M = parseAssemblyString(Text, Problem, Context);
  EXPECT_TRUE(M) << Problem.getMessage().str();
  std::string Bytes;
  raw_string_ostream OS(Bytes);
  WriteBitcodeToFile(*M, OS);
  return Bytes;
}

constexpr StringRef TwoParameters =
    "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\"\n"
    "%pair = type { i8, double }\n"
    "@v = addrspace(4) externally_initialized global [3 x float] undef\n"
    "define void @k(i8 %a, i16 %b, ptr byval(%pair) align 8 %c, float %d) {\n"
    "  ret void\n}\n";

TEST(Modules, ReadsPlacesOfParameters) {
  auto P = readParameters(bitcode(TwoParameters), "k");
  ASSERT_TRUE(bool(P)) << toString(P.takeError());
  ASSERT_EQ(P->size(), 4u);
  const uint64_t Offsets[] = {0, 2, 8, 24}, Bytes[] = {1, 2, 16, 4};
  for (unsigned I = 0; I != 4; ++I) {
    EXPECT_EQ((*P)[I].Offset, Offsets[I]);
    EXPECT_EQ((*P)[I].Bytes, Bytes[I]);
  }
  EXPECT_TRUE(fails(readParameters(bitcode(TwoParameters), "none")));
  EXPECT_TRUE(fails(readParameters("no bitcode", "k")));
}

TEST(Modules, ListsKernelsAndVariables) {
  std::string Bytes = bitcode(TwoParameters);
  DeviceModule M;
  M.Bitcode = Bytes;
  Error E = readSymbols(M);
  ASSERT_FALSE(bool(E)) << toString(std::move(E));
  ASSERT_EQ(M.Kernels.size(), 1u);
  EXPECT_EQ(M.Kernels[0]->Mangled, "k");
  ASSERT_EQ(M.Variables.size(), 1u);
  EXPECT_EQ(M.Variables[0]->Bytes, 12u);
  EXPECT_TRUE(M.Variables[0]->IsConstant);
}

TEST(Modules, MarksManagedVariables) {
  std::string Bytes = bitcode(
      "@m = addrspace(1) global i32 0\n@o = addrspace(1) global i32 0\n"
      "@text = private constant [8 x i8] c\"managed\\00\"\n"
      "@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, "
      "ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr "
      "addrspace(1) @m to ptr), ptr @text, ptr null, i32 1, ptr null }], "
      "section \"llvm.metadata\"\n");
  DeviceModule M;
  M.Bitcode = Bytes;
  for (const char *Name : {"m", "o"}) {
    M.Variables.push_back(std::make_unique<Variable>());
    M.Variables.back()->Mangled = Name;
  }
  Error E = markManaged(M);
  ASSERT_FALSE(bool(E)) << toString(std::move(E));
  EXPECT_TRUE(M.Variables[0]->IsManaged);
  EXPECT_FALSE(M.Variables[1]->IsManaged);
}

} // namespace
