/// \file
/// String constants of Python files as sources.
#include "gpu-estimate/Frontend/PythonSources.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace gpuestimate;
using namespace llvm;

namespace {

const char *const Kernel = "__global__ void k() {}";

std::string withKernel(StringRef Before, StringRef After = "") {
  return (Before + Kernel + After).str();
}

/// The sources without layout: words with one blank between them.
std::vector<std::string> words(StringRef Program) {
  std::vector<std::string> All;
  for (const PythonSource &Source : cudaInPython(Program)) {
    SmallVector<StringRef> Words;
    StringRef(Source.Text).split(Words, ' ', -1, /*KeepEmpty=*/false);
    All.push_back(join(Words, " "));
    All.back().erase(0, All.back().find_first_not_of('\n'));
  }
  return All;
}

TEST(PythonSources, LiteralsOfAllKinds) {
  std::vector<std::string> One = {Kernel};
  for (StringRef Prefix : {"", "r", "R", "b", "rb", "Br", "u", "f", "rf"})
    for (StringRef Quote : {"'", "\"", "'''", "\"\"\""})
      EXPECT_EQ(
          words((Prefix + Quote +
                 (Prefix.contains_insensitive('f') ? "__global__ void k() {{}}"
                                                   : Kernel) +
                 Quote)
                    .str()),
          One)
          << Prefix.str() << Quote.str();
}

TEST(PythonSources, OtherTextIsNone) {
  EXPECT_TRUE(cudaInPython(withKernel("# '", "'")).empty());
  EXPECT_TRUE(cudaInPython("'__global__' and 'else'").empty());
  EXPECT_TRUE(cudaInPython(Kernel).empty());
  EXPECT_TRUE(cudaInPython("").empty());
  EXPECT_TRUE(cudaInPython("'").empty());
  EXPECT_TRUE(cudaInPython("\"\"\"").empty());
  EXPECT_TRUE(cudaInPython("'\\").empty());
  // Not closed: the rest of the line, or of the file, is the string.
  EXPECT_EQ(words(withKernel("'", "\nx = 1")).size(), 1u);
  EXPECT_EQ(words(withKernel("'''")).size(), 1u);
}

TEST(PythonSources, WhatIsOneConstant) {
  std::string Rest = " int x;";
  auto Sources = [&](const std::string &Between) {
    return words(withKernel("f('", "'" + Between + "'" + Rest + "')"));
  };
  std::vector<std::string> Whole = {Kernel + Rest}, Part = {Kernel};
  EXPECT_EQ(Sources(" "), Whole);
  EXPECT_EQ(Sources(" + "), Whole);
  EXPECT_EQ(Sources(" # comment\n")[0].find(Kernel), 0u);
  EXPECT_EQ(Sources(", "), Part);
  EXPECT_EQ(Sources(" * 2 + "), Part);
  EXPECT_EQ(Sources(" if x else "), Part);
  // A new line ends a statement, but not within brackets.
  EXPECT_EQ(words(withKernel("'", "'\n' int x;'")), Part);
  EXPECT_EQ(words(withKernel("'", "'\\\n' int x;'")).size(), 1u);
}

TEST(PythonSources, WordsAreKeptTogether) {
  std::vector<PythonSource> Found =
      cudaInPython("f('__glo'\n  'bal__ void k() {'\n  '}')");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Text.find("__glo\\\nbal__ void k() {\\\n}"),
            std::string::npos)
      << Found[0].Text;
}

TEST(PythonSources, EscapeSequences) {
  std::vector<PythonSource> Found =
      cudaInPython(R"('__global__ void k() { f("\x41\u0042\103\\\'\"\q"); }')");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Text.find(R"(f("ABC\'"\q"))"), std::string::npos)
      << Found[0].Text;
  Found = cudaInPython(R"(r'__global__ void k() { f("\n\'"); }')");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_NE(Found[0].Text.find(R"(f("\n\'"))"), std::string::npos);
}

TEST(PythonSources, ExpressionsAreMissing) {
  std::vector<PythonSource> Found =
      cudaInPython("f'__global__ void k() {{ x[{TILE}]; }}'");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Missing, "a part of the f-string is an expression");
}

/// The line and column that a compiler would name for a word.
std::pair<unsigned, unsigned> placeOf(StringRef Text, StringRef Word) {
  unsigned Line = 1;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef L : Lines) {
    if (size_t At = L.find(Word); At != StringRef::npos)
      return {Line, unsigned(At) + 1};
    if (L.consume_front("#line "))
      L.getAsInteger(10, Line);
    else
      ++Line;
  }
  return {0, 0};
}

TEST(PythonSources, PlacesAreThoseOfTheFile) {
  StringRef Program = "import x\n"
                      "a = r'''\n"
                      "__global__ void first() {\n"
                      "  second;\n"
                      "}\n"
                      "'''\n"
                      "b = ('__global__ void\\n third() {\\n'\n"
                      "     '  fourth;\\n'\n"
                      "     '  fifth;\\n\\n' '  sixth;}'\n"
                      ")\n";
  std::vector<PythonSource> Found = cudaInPython(Program);
  ASSERT_EQ(Found.size(), 2u);
  EXPECT_EQ(Found[0].Line, 2u);
  EXPECT_EQ(Found[1].Line, 7u);
  for (auto [Source, Word] : {std::pair(0, "first"),
                              {0, "second"},
                              {1, "third"},
                              {1, "fourth"},
                              {1, "fifth"},
                              {1, "sixth"}})
    EXPECT_EQ(placeOf(Found[Source].Text, Word), placeOf(Program, Word))
        << Word << " in\n"
        << Found[Source].Text;
}

} // namespace
