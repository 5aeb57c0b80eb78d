/// \file
/// Expressions as functions of Python and C: run by the interpreter and by the
/// compiler, they give what evaluate() gives.
#include "gpu-estimate/Symbolic/CodePrinter.h"
#include "helpers/SymbolicRandom.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuestimate;
using namespace gpuestimate::test;

namespace {

/// A folder that is removed at the end.
class TemporaryFolder {
public:
  TemporaryFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("formulas", Path));
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(Path); }
  std::string file(llvm::StringRef Name) const {
    return (Path + "/" + Name).str();
  }

private:
  llvm::SmallString<128> Path;
};

void write(const std::string &File, llvm::StringRef Text) {
  std::error_code Problem;
  llvm::raw_fd_ostream OS(File, Problem);
  ASSERT_FALSE(Problem);
  OS << Text;
}

/// What a program prints; the test fails where it fails.
std::string outputOf(const TemporaryFolder &Folder,
                     std::vector<std::string> Words) {
  std::string Out = Folder.file("output"), Err = Folder.file("errors");
  std::vector<llvm::StringRef> Arguments(Words.begin(), Words.end());
  int Status = llvm::sys::ExecuteAndWait(Words[0], Arguments, std::nullopt,
                                         {std::nullopt, Out, Err});
  auto textOf = [](const std::string &File) {
    auto Buffer = llvm::MemoryBuffer::getFile(File);
    return Buffer ? (*Buffer)->getBuffer().str() : std::string();
  };
  EXPECT_EQ(Status, 0) << textOf(Err);
  return textOf(Out);
}

std::string program(llvm::StringRef Name) {
  auto Path = llvm::sys::findProgramByName(Name);
  EXPECT_TRUE(bool(Path)) << Name.str() << " is not installed";
  return Path ? *Path : std::string();
}

/// Functions and calls of them; each call prints its value in a line.
class Module {
public:
  explicit Module(CodeLanguage Language)
      : Language(Language), Printer(Language) {}

  void call(Expr E, const Bindings &Values) {
    bool IsPython = Language == CodeLanguage::Python;
    IdentifierTable Names(Language);
    std::vector<std::string> Parameters, Arguments;
    for (const std::string &Name : E.parameters()) {
      Parameters.push_back((IsPython ? "" : "double ") + Names.of(Name).str());
      Arguments.push_back(codeLiteral(Values.lookup(Name), Language));
    }
    std::string Name = "f" + std::to_string(Count++);
    std::string All = llvm::join(Parameters, ", ");
    std::string Body = Printer.functionBody(E, Names);
    std::string Call = Name + "(" + llvm::join(Arguments, ", ") + ")";
    if (IsPython) {
      Functions += "\ndef " + Name + "(" + All + "):\n" + Body;
      Calls += "print(" + Call + ")\n";
    } else {
      Functions += "double " + Name + "(" + (All.empty() ? "void" : All) +
                   ") {\n" + Body + "}\n";
      Calls += "  printf(\"%.17g\\n\", " + Call + ");\n";
    }
  }

  std::vector<double> run() const {
    TemporaryFolder Folder;
    std::string Out;
    if (Language == CodeLanguage::Python) {
      write(Folder.file("formulas.py"),
            "import math\n" + Printer.helpers() + Functions + Calls);
      Out = outputOf(Folder, {program("python3"), Folder.file("formulas.py")});
    } else {
      write(Folder.file("formulas.c"),
            "#include <math.h>\n#include <stdio.h>\n" + Printer.helpers() +
                Functions + "int main(void) {\n" + Calls + "}\n");
      outputOf(Folder, {program("clang-19"), "-std=c99", "-Wall", "-Werror",
                        "-ffp-contract=off", "-Wno-unused-variable",
                        "-Wno-parentheses-equality", Folder.file("formulas.c"),
                        "-o", Folder.file("formulas"), "-lm"});
      Out = outputOf(Folder, {Folder.file("formulas")});
    }
    std::vector<double> Values;
    llvm::SmallVector<llvm::StringRef> Lines;
    llvm::StringRef(Out).split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef Line : Lines)
      Values.push_back(std::strtod(Line.str().c_str(), nullptr));
    return Values;
  }

private:
  CodeLanguage Language;
  CodePrinter Printer;
  std::string Functions, Calls;
  unsigned Count = 0;
};

class CodeOf : public testing::TestWithParam<CodeLanguage> {};

TEST_P(CodeOf, RandomTreesComputesTheirValue) {
  RandomTrees Random(19);
  ExprContext C;
  Module M(GetParam());
  std::vector<double> Wanted;
  std::vector<std::string> Texts;
  for (unsigned I = 0; I < 600; ++I) {
    Expr E = build(C, *Random.tree(1 + I % 4));
    Bindings Values;
    for (const auto &[Name, Value] : Random.environment())
      Values[Name] = Value;
    M.call(E, Values);
    Wanted.push_back(evaluate(E, Values).value_or(NAN));
    Texts.push_back(E.str());
  }
  std::vector<double> Got = M.run();
  ASSERT_EQ(Got.size(), Wanted.size());
  for (unsigned I = 0; I < Got.size(); ++I)
    if (std::isfinite(Wanted[I]))
      EXPECT_NEAR(Got[I], Wanted[I], 1e-9 * (1 + std::fabs(Wanted[I])))
          << I << ": " << Texts[I];
    else
      EXPECT_FALSE(std::isfinite(Got[I])) << I << ": " << Texts[I];
}

TEST_P(CodeOf, SumsSampleLongRanges) {
  ExprContext C;
  Expr N = C.parameter("n"), I = C.parameter("i");
  // i mod 7 has no closed form; the inner count depends on the outer counter.
  Expr Inner = C.sum("j", C.mod(I, C.constant(7)),
                     C.floorDiv(C.parameter("j") * I, C.constant(3)));
  Expr Sum = C.sum("i", N, C.mod(I, C.constant(7)) + Inner) + I;
  Module M(GetParam());
  std::vector<double> Wanted;
  for (double Count : {-1.0, 0.0, 1.0, 2.5, 64.0, 65.0, 1000.0, 123456.0}) {
    Bindings Values{{"n", Count}, {"i", 5}};
    M.call(Sum, Values);
    Wanted.push_back(evaluate(Sum, Values).value_or(NAN));
  }
  std::vector<double> Got = M.run();
  ASSERT_EQ(Got.size(), Wanted.size());
  for (unsigned K = 0; K < Got.size(); ++K)
    EXPECT_NEAR(Got[K], Wanted[K], 1e-9 * (1 + Wanted[K])) << K;
}

// A hundred doublings have 2^100 nodes as a tree.
TEST_P(CodeOf, SharedTermsAreComputedOnce) {
  ExprContext C;
  Expr E = C.parameter("n");
  for (unsigned I = 0; I < 100; ++I)
    E = C.max({C.mod(E, C.constant(1000 + I)), E * 0.5 + 1});
  CodePrinter Printer(GetParam());
  IdentifierTable Names(GetParam());
  (void)Names.of("n");
  EXPECT_LT(Printer.functionBody(E, Names).size(), 20000u);
}

TEST_P(CodeOf, NamesAreIdentifiers) {
  IdentifierTable Names(GetParam());
  EXPECT_EQ(Names.of("n"), "n");
  EXPECT_EQ(Names.of("p(branch@f.cu:12)"), "p_branch_f_cu_12");
  EXPECT_EQ(Names.of("trip@f.cu:12#2"), "trip_f_cu_12_2");
  EXPECT_EQ(Names.of("lat.fp32_fma"), "lat_fp32_fma");
  EXPECT_EQ(Names.of("lat_fp32_fma"), "lat_fp32_fma_2");
  EXPECT_EQ(Names.of("lat.fp32_fma"), "lat_fp32_fma");
  EXPECT_EQ(Names.of("for"), "for_");
  EXPECT_EQ(Names.of("7th"), "_7th");
  EXPECT_EQ(Names.fresh("n"), "n_2");
  EXPECT_EQ(identifierLike("ns::saxpy<float, 4>", GetParam()),
            "ns_saxpy_float_4");
}

INSTANTIATE_TEST_SUITE_P(BothLanguages, CodeOf,
                         testing::Values(CodeLanguage::Python, CodeLanguage::C),
                         [](const auto &Language) {
                           return Language.param == CodeLanguage::C ? "C"
                                                                    : "Python";
                         });

} // namespace
