/// \file
/// Broken PTX: any text gives a module that LLVM's verifier accepts, or an
/// error with the file's name and a line.
#include "gpu-estimate/Ptx/InlineAssembly.h"
#include "helpers/PtxTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

/// The PTX files of the lit tests.
std::vector<std::string> seeds() {
  std::vector<std::string> Texts;
  std::error_code Problem;
  std::string Folder = std::string(GPU_ESTIMATE_SOURCE_DIR) + "/test/lit/Ptx";
  for (llvm::sys::fs::directory_iterator File(Folder, Problem), End;
       File != End && !Problem; File.increment(Problem))
    if (llvm::StringRef(File->path()).ends_with(".ptx"))
      if (auto Text = llvm::MemoryBuffer::getFile(File->path()))
        Texts.push_back((*Text)->getBuffer().str());
  return Texts;
}

/// Words and marks of Text, with the blanks between them.
std::vector<std::string> pieces(const std::string &Text) {
  std::vector<std::string> Result;
  auto isWord = [](char C) {
    return llvm::isAlnum(C) || C == '_' || C == '%' || C == '$' || C == '.';
  };
  for (size_t At = 0; At < Text.size();) {
    size_t End = At + 1;
    if (isWord(Text[At]))
      while (End < Text.size() && isWord(Text[End]))
        ++End;
    Result.push_back(Text.substr(At, End - At));
    At = End;
  }
  return Result;
}

std::string mutate(std::vector<std::string> Pieces, std::mt19937 &Random) {
  auto at = [&] { return Random() % Pieces.size(); };
  for (unsigned Changes = 1 + Random() % 3; Changes > 0; --Changes)
    switch (Random() % 5) {
    case 0:
      Pieces[at()].clear();
      break;
    case 1:
      Pieces[at()] = Pieces[at()];
      break;
    case 2:
      std::swap(Pieces[at()], Pieces[at()]);
      break;
    case 3:
      Pieces[at()] += Pieces[at()];
      break;
    default:
      Pieces[at()] = Random() % 2 ? "-1" : "4294967295";
    }
  if (Random() % 20 == 0)
    Pieces.resize(at());
  return llvm::join(Pieces, "");
}

TEST(PtxMutations, GiveAModuleOrAnErrorWithItsPlace) {
  std::vector<std::string> Texts = seeds();
  ASSERT_GE(Texts.size(), 2u);
  std::mt19937 Random(1);
  unsigned Read = 0;
  for (unsigned N = 0; N < 3000; ++N) {
    std::string Text = mutate(pieces(Texts[N % Texts.size()]), Random);
    llvm::Expected<PtxUnit> Unit = readPtx(Text, "test.ptx", "sm_80");
    if (!Unit) {
      std::string Message = llvm::toString(Unit.takeError());
      EXPECT_EQ(Message.rfind("test.ptx:", 0), 0u) << Message << "\n" << Text;
      continue;
    }
    ++Read;
    std::string Problems;
    llvm::raw_string_ostream OS(Problems);
    ASSERT_FALSE(llvm::verifyModule(*Unit->Module, &OS)) << Problems << "\n"
                                                         << Text;
  }
  EXPECT_GT(Read, 100u);
}

TEST(PtxMutations, OfInlineAssemblyGiveAModule) {
  const std::string Seeds[] = {
      "{ .reg .pred p; .reg .u32 t<4>; setp.lt.s32 p|t1, $1, 5; @!p bra L;"
      " add.cc.u32 t1, $1, $1; addc.u32 $0, t1, 0; L: st.shared.v2.u32"
      " [$1+8], {$0, t2}; }",
      "@p mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$0, $0, $0, $0},"
      " {$1, $1, $1, $1}, {$1, $1}, {$0, $0, $0, $0}; bfe.s32 $0, $1, $2, 3;",
      "mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; wgmma.mma_async"
      ".sync.aligned.m64n8k16.f32.f16.f16 {$0, $0, $0, $0}, $3, $3, 1, 1, 1;"
      " cp.async.bulk.tensor.2d.shared::cluster.global [$1], [$3, {$2, $2}],"
      " [$1]; shfl.sync.up.b32 $0|p, $1, 1, 0, -1; vadd4.s32.s32.s32.sat $0,"
      " $1, $1, $1; lop3.b32 $0, $1, $2, $1, 0x17; ldmatrix.sync.aligned.m8n8"
      ".x2.shared.b16 {$0, $0}, [$1]; exit;"};
  std::mt19937 Random(1);
  for (unsigned N = 0; N < 3000; ++N) {
    std::string Text = mutate(pieces(Seeds[N % std::size(Seeds)]), Random);
    llvm::LLVMContext Context;
    llvm::Module M("m", Context);
    M.setTargetTriple("nvptx64-nvidia-cuda");
    llvm::IRBuilder<> B(Context);
    llvm::Type *Int = B.getInt32Ty();
    auto *Of = llvm::Function::Create(
        llvm::FunctionType::get(B.getVoidTy(),
                                {Int, Int, B.getPtrTy(), B.getInt1Ty()}, false),
        llvm::GlobalValue::ExternalLinkage, "k", M);
    B.SetInsertPoint(llvm::BasicBlock::Create(Context, "", Of));
    auto *Type = llvm::FunctionType::get(
        Int, {Int, Int, B.getPtrTy(), B.getInt1Ty()}, false);
    B.CreateCall(llvm::InlineAsm::get(Type, Text, "=r,r,r,l,b", true),
                 {Of->getArg(0), Of->getArg(1), Of->getArg(2), Of->getArg(3)});
    B.CreateRetVoid();
    translateInlineAssembly(M, AssemblyUse::Estimate);
    ASSERT_FALSE(llvm::verifyModule(M, &llvm::errs())) << Text;
    translateInlineAssembly(M, AssemblyUse::Execution);
    ASSERT_FALSE(llvm::verifyModule(M, &llvm::errs())) << Text;
    recoverAssemblyPointers(M);
    removeAssemblyFences(M);
    ASSERT_FALSE(llvm::verifyModule(M, &llvm::errs())) << Text;
  }
}

} // namespace
