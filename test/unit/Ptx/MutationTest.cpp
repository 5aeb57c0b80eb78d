/// \file
/// Broken PTX: any text gives a module that LLVM's verifier accepts, or an
/// error with the file's name and a line.
#include "helpers/PtxTesting.h"
#include "llvm/ADT/StringExtras.h"
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

} // namespace
