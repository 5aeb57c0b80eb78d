/// \file
/// Options, values, annotations and the configuration file.
#include "gpu-estimate/Driver/Annotation.h"
#include "gpu-estimate/Driver/Config.h"
#include "gpu-estimate/Driver/ParseValue.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <map>

using namespace gpuestimate;

namespace {

using Sizes = std::array<uint64_t, 3>;

template <typename T> std::string errorOf(llvm::Expected<T> Value) {
  return Value ? "" : llvm::toString(Value.takeError());
}
std::string errorOf(llvm::Error E) {
  return E ? llvm::toString(std::move(E)) : "";
}

/// A folder that is removed at the end of the test.
class Folder {
public:
  Folder() { llvm::sys::fs::createUniqueDirectory("gpu-estimate-test", Path); }
  ~Folder() { llvm::sys::fs::remove_directories(Path); }
  std::string write(llvm::StringRef Name, llvm::StringRef Text) {
    llvm::SmallString<128> File(Path);
    llvm::sys::path::append(File, Name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
    std::error_code Problem;
    llvm::raw_fd_ostream OS(File, Problem);
    OS << Text;
    return File.str().str();
  }

private:
  llvm::SmallString<128> Path;
};

} // namespace

TEST(ParseValue, Sizes) {
  EXPECT_EQ(*parseSizes("64"), (Sizes{64, 1, 1}));
  EXPECT_EQ(*parseSizes("64,32"), (Sizes{64, 32, 1}));
  EXPECT_EQ(*parseSizes("8x4x2"), (Sizes{8, 4, 2}));
  EXPECT_EQ(*parseSizes("[8, 4]"), (Sizes{8, 4, 1}));
  for (const char *Wrong : {"", "0", "64,0", "a", "1,2,3,4", "-1", "1.5", "8,"})
    EXPECT_NE(errorOf(parseSizes(Wrong)), "") << Wrong;
  EXPECT_NE(errorOf(parseSizes("0")).find("size zero"), std::string::npos);
}

TEST(ParseValue, NumbersAndNames) {
  EXPECT_EQ(*parseNumber("1e6"), 1e6);
  EXPECT_EQ(*parseNumber("0x10"), 16);
  EXPECT_EQ(*parseNumber("-0.5"), -0.5);
  for (const char *Wrong : {"", "n", "1k", "inf", "nan"})
    EXPECT_NE(errorOf(parseNumber(Wrong)), "") << Wrong;
  auto Named = parseNamedValue("p(branch@f.cu:3)=0.5");
  ASSERT_TRUE(static_cast<bool>(Named));
  EXPECT_EQ(Named->first, "p(branch@f.cu:3)");
  EXPECT_EQ(Named->second, 0.5);
  for (const char *Wrong : {"n", "=3", "n="})
    EXPECT_NE(errorOf(parseNamedValue(Wrong)), "") << Wrong;
}

TEST(Annotation, IsFoundAboveTheKernel) {
  const char *Source = "int unrelated; // gpu-estimate: grid=9\n"
                       "// Multiplies.\n"
                       "// gpu-estimate: grid=64,32 block=16,16\n"
                       "//   gpu-estimate: param n=1024\n"
                       "template <typename T>\n"
                       "__global__ void k(T *a) {\n";
  EXPECT_EQ(annotationText(Source, 6), "grid=64,32 block=16,16 param n=1024");
  EXPECT_EQ(
      annotationText("// gpu-estimate: grid=1\n}\n__global__ void k();\n", 3),
      "");
  EXPECT_EQ(annotationText("__global__ void k();\n", 1), "");
}

TEST(Annotation, IsRead) {
  auto Read =
      parseAnnotation("grid=64,32,block=16,16; param n=1024, dynamic_smem=512");
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(*Read->Launch.Grid, (Sizes{64, 32, 1}));
  EXPECT_EQ(*Read->Launch.Block, (Sizes{16, 16, 1}));
  EXPECT_EQ(*Read->Launch.DynamicSharedBytes, 512u);
  ASSERT_EQ(Read->Parameters.size(), 1u);
  EXPECT_EQ(Read->Parameters[0], (std::pair<std::string, double>("n", 1024)));
  EXPECT_NE(errorOf(parseAnnotation("gird=3")), "");
}

TEST(Options, TheTableIsConsistent) {
  std::map<TakenBy, llvm::StringSet<>> Spellings;
  llvm::StringSet<> Keys;
  for (const OptionSpec &Spec : optionTable()) {
    EXPECT_FALSE(Spec.Spelling.empty() && Spec.Key.empty());
    for (TakenBy Command : {ByAnalyze, ByGpus, ByValidate})
      EXPECT_TRUE(Spec.Spelling.empty() || !(Spec.Commands & Command) ||
                  Spellings[Command].insert(Spec.Spelling).second)
          << Spec.Spelling.str();
    EXPECT_TRUE(Spec.Key.empty() || (Spec.Commands & ByAnalyze));
    EXPECT_TRUE(Spec.Key.empty() || Keys.insert(Spec.Key).second)
        << Spec.Key.str();
    EXPECT_TRUE(!Spec.InConfig || !Spec.Key.empty());
    EXPECT_TRUE(Spec.Help.ends_with(".")) << Spec.Spelling.str();
    for (auto [Command, Help] : {std::pair(ByAnalyze, analyzeHelp()),
                                 std::pair(ByValidate, validateHelp())})
      EXPECT_TRUE(!(Spec.Commands & Command) ||
                  llvm::StringRef(Help).contains(Spec.Spelling));
    EXPECT_NE(optionReference().find(Spec.Key), std::string::npos);
  }
}

TEST(Options, HelpFitsATerminal) {
  for (const std::string &Help : {toolHelp(), analyzeHelp(), validateHelp()}) {
    llvm::SmallVector<llvm::StringRef, 128> Lines;
    llvm::StringRef(Help).split(Lines, '\n');
    for (llvm::StringRef Line : Lines)
      EXPECT_LE(Line.size(), 80u) << Line.str();
  }
}

TEST(Options, PluginArguments) {
  Options O;
  for (const char *Argument :
       {"gpu=a", "gpu=b", "grid=4,2", "param=n=16", "assume=l1=0.5,trip=3",
        "caches=cold", "no-warning=assumption,time", "json=out.json"})
    EXPECT_EQ(errorOf(applyPluginArgument(O, Argument)), "") << Argument;
  EXPECT_EQ(O.Gpus, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(*O.Launch.Grid, (Sizes{4, 2, 1}));
  EXPECT_EQ(O.Parameters, (NamedValues{{"n", 16}, {"trip", 3}}));
  EXPECT_EQ(*O.L1Hit, 0.5);
  EXPECT_FALSE(O.L2Hit);
  EXPECT_EQ(*O.Caches, CacheState::Cold);
  EXPECT_EQ(O.Silenced, (std::vector<std::string>{"assumption", "time"}));
  EXPECT_EQ(O.JsonFile, "out.json");
}

TEST(Options, WrongValuesAreUsageErrorsThatNameTheOption) {
  for (const char *Argument :
       {"grid=0", "block=x", "param=n", "assume=l1=2", "caches=hot",
        "registers=300", "no-warning=nothing", "kernel=(", "gqu=a", "set=x"}) {
    Options O;
    llvm::Error E = applyPluginArgument(O, Argument);
    ASSERT_TRUE(static_cast<bool>(E)) << Argument;
    EXPECT_TRUE(E.isA<UsageError>());
    llvm::StringRef Key = llvm::StringRef(Argument).split('=').first;
    EXPECT_NE(llvm::toString(std::move(E)).find(Key), std::string::npos);
  }
}

TEST(Config, IsFoundUpward) {
  Folder Temporary;
  std::string File = Temporary.write(".gpu-estimate.yaml", "gpu: a\n");
  std::string Source = Temporary.write("src/deep/k.cu", "");
  EXPECT_EQ(findConfig(Source), File);
}

TEST(Config, IsReadAndMerged) {
  Folder Temporary;
  std::string File =
      Temporary.write(".gpu-estimate.yaml", "gpu: [a, b]\n"
                                            "caches: cold\n"
                                            "assume: {l2: 0.25}\n"
                                            "param: {n: 4096}\n"
                                            "launch:\n"
                                            "  - kernel: mat.*\n"
                                            "    grid: [64, 32]\n"
                                            "    block: 16,16\n"
                                            "    param: {n: 1024}\n"
                                            "  - kernel: .*\n"
                                            "    dynamic_smem: 128\n");
  llvm::Expected<Config> C = loadConfig(File);
  ASSERT_TRUE(static_cast<bool>(C)) << errorOf(std::move(C));
  const ConfigLaunch *Found = matchingLaunch(*C, "_Z6matmul", "matmul");
  ASSERT_NE(Found, nullptr);
  EXPECT_EQ(*Found->Launch.Grid, (Sizes{64, 32, 1}));
  EXPECT_EQ(*Found->Launch.Block, (Sizes{16, 16, 1}));
  EXPECT_EQ(Found->Parameters, (NamedValues{{"n", 1024}}));
  EXPECT_EQ(*matchingLaunch(*C, "_Z3amat", "amat")->Launch.DynamicSharedBytes,
            128u);

  Options Given;
  Given.L2Hit = 0.75;
  Options Merged = merge(Given, *C);
  EXPECT_EQ(Merged.Gpus, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(*Merged.Caches, CacheState::Cold);
  EXPECT_EQ(*Merged.L2Hit, 0.75);
  Given.Gpus = {"c"};
  EXPECT_EQ(merge(Given, *C).Gpus, (std::vector<std::string>{"c"}));
}

TEST(Config, ErrorsNameFileAndLine) {
  struct {
    const char *Text, *Line, *Says;
  } Cases[] = {
      {"gpu: a\ngqu: b\n", ":2:", "gqu"},
      {"gpu: a\nlaunch:\n  - gird: 3\n", ":3:", "gird"},
      {"launch:\n  - grid: [1, 0]\n", ":2:", "size zero"},
      {"launch:\n  - kernel: '('\n", ":2:", "regular expression"},
      {"caches: hot\n", ":1:", "cold or warm"},
      {"gpu: [a\n", ":", ""},
      {"- a\n", ":1:", "expected keys"},
  };
  for (const auto &Case : Cases) {
    Folder Temporary;
    std::string File = Temporary.write("c.yaml", Case.Text);
    std::string Error = errorOf(loadConfig(File));
    EXPECT_NE(Error.find(File + Case.Line), std::string::npos)
        << Case.Text << Error;
    EXPECT_NE(Error.find(Case.Says), std::string::npos) << Case.Text << Error;
  }
  EXPECT_NE(errorOf(loadConfig("/nowhere/c.yaml")), "");
}

TEST(Config, AnEmptyFileSaysNothing) {
  Folder Temporary;
  llvm::Expected<Config> C = loadConfig(Temporary.write("c.yaml", ""));
  ASSERT_TRUE(static_cast<bool>(C)) << errorOf(std::move(C));
  EXPECT_TRUE(C->Values.Gpus.empty());
}
