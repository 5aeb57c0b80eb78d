/// \file
/// Options, values, annotations and the configuration file.
#include "Session/Settings/Annotation.h"
#include "gpu-estimate/Session/Settings/Config.h"
#include "gpu-estimate/Session/Settings/ParseValue.h"
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
  EXPECT_NE(errorOf(parseSizes("0")).find("sizes must be >= 1"),
            std::string::npos);
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

TEST(Annotation, IsRead) {
  auto Read =
      parseAnnotation("grid=64,32,block=16,16; param n=1024, dynamic_smem=512");
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(*Read->Launch.Grid, (Sizes{64, 32, 1}));
  EXPECT_EQ(*Read->Launch.Block, (Sizes{16, 16, 1}));
  EXPECT_EQ(*Read->Launch.DynamicSharedBytes, 512u);
  ASSERT_EQ(Read->Parameters.size(), 1u);
  EXPECT_EQ(Read->Parameters[0], (std::pair<std::string, double>("n", 1024)));
}

TEST(Annotation, CallsMayUseConstants) {
  Constants Variables;
  Variables["TILE"] = 16;
  auto Read = parseAnnotation(
      "assume(n = 1 << 20, trip@k:i = TILE*2, access@k:x[f(i, j)] = stride:4) "
      "budget(1.5ms, nvidia-h200); budget(\"2 us\")\n"
      "launch(grid = 64, TILE, block = (TILE * 8), dynamic_smem = 4 * TILE)",
      Variables);
  ASSERT_TRUE(static_cast<bool>(Read)) << errorOf(std::move(Read));
  EXPECT_EQ(Read->Parameters, (NamedValues{{"n", 1048576}, {"trip@k:i", 32}}));
  ASSERT_EQ(Read->Patterns.size(), 1u);
  EXPECT_EQ(Read->Patterns[0].name(), "access@k:x[f(i,j)]");
  ASSERT_EQ(Read->Budgets.size(), 2u);
  EXPECT_EQ(Read->Budgets[0].Limit.value(), 1.5e-3);
  EXPECT_EQ(Read->Budgets[0].Gpu, "nvidia-h200");
  EXPECT_EQ(Read->Budgets[1].Limit.value(), 2e-6);
  EXPECT_EQ(*Read->Launch.Grid, (Sizes{64, 16, 1}));
  EXPECT_EQ(*Read->Launch.Block, (Sizes{128, 1, 1}));
  EXPECT_EQ(*Read->Launch.DynamicSharedBytes, 64u);
}

TEST(Annotation, ErrorsSayWhatWasExpected) {
  struct {
    const char *Text, *Says;
  } Cases[] = {
      {"gird=3", "did you mean 'grid'"},
      {"asume(n = 3)", "did you mean 'assume'"},
      {"assume(n)", "expected NAME=VALUE"},
      {"assume(n = TILE)", "'TILE' is no constant"},
      {"assume(n = 3", "expected ')'"},
      {"budget(3)", "with its unit"},
      {"budget(3 parsecs)", "parsecs"},
      {"budget(1ms, a, b)", "budget(TIME, GPU)"},
      {"budget(k=1ms)", "budget(TIME, GPU)"},
      {"launch(64)", "launch(grid = X"},
      {"launch(grid = 0)", "sizes must be >= 1"},
      {"grid", "no annotation"},
  };
  for (const auto &Case : Cases) {
    std::string Error = errorOf(parseAnnotation(Case.Text));
    EXPECT_NE(Error.find(Case.Says), std::string::npos)
        << Case.Text << ": " << Error;
  }
}

TEST(Annotation, OfALoopOrACondition) {
  SourceAnchor Loop, Condition;
  Loop.Name = "k:i";
  Condition.Kind = SourceAnchor::Condition;
  Condition.Name = "k:f[i]==0";
  Constants Variables;
  Variables["N"] = 8;
  auto Read = parseAnnotation(Loop, "trip = N * 2", Variables);
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(Read->Parameters, (NamedValues{{"trip@k:i", 16}}));
  Read = parseAnnotation(Condition, "probability = 0.25");
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(Read->Parameters, (NamedValues{{"branch@k:f[i]==0", 0.25}}));
  EXPECT_NE(errorOf(parseAnnotation(Loop, "trips = 3")).find("'trip'"),
            std::string::npos);
  EXPECT_NE(errorOf(parseAnnotation(Loop, "probability = 0.5")), "");
  EXPECT_NE(errorOf(parseAnnotation(Condition, "probability = 1.5"))
                .find("between 0 and 1"),
            std::string::npos);
}

// Comparisons in the forms that a compiler may give them.
TEST(Anchor, KnowsWhetherACompilerHasNegatedAComparison) {
  struct {
    const char *Written;
    bool Constant;
    const char *Compiled;
    int Same; ///< 1, 0, or -1 where it cannot be told
  } Cases[] = {
      {"<", false, "<", 1},  {"<", false, ">", 1},  // sides exchanged
      {">=", false, "<", 0}, {">=", false, ">", 0}, // negated, exchanged
      {"<=", false, ">", 0}, {"<", false, ">=", 0},  {">=", false, ">=", 1},
      {">=", true, ">", 1},  {">=", true, "<", 0}, // i >= 5 is i > 4
      {"<=", true, "<", 1},  {"<=", true, ">", 0},   {"<", true, ">", 0},
      {"==", true, "==", 1}, {"!=", true, "==", 0},  {"!=", false, "==", 0},
      {">", true, "==", 0},  {"<", true, "==", 1}, // of unsigned numbers
      {"", false, "==", 0},  {"", false, "!=", 1},   {"", false, "", 1},
      {"<", true, "", -1},   {"==", false, "<", -1}, {"<", false, "?", -1},
  };
  for (const auto &Case : Cases) {
    SourceAnchor A;
    A.Relation = Case.Written;
    A.AgainstConstant = Case.Constant;
    std::optional<bool> Same = sameTruth(A, Case.Compiled);
    EXPECT_EQ(Same ? int(*Same) : -1, Case.Same)
        << Case.Written << " as " << Case.Compiled;
  }
}

TEST(Budget, IsRead) {
  auto Read = parseBudget("ns::mat.*<4>=1.5 ms@nvidia-h200");
  ASSERT_TRUE(static_cast<bool>(Read));
  EXPECT_EQ(Read->KernelRegex, "ns::mat.*<4>");
  EXPECT_EQ(Read->Gpu, "nvidia-h200");
  EXPECT_DOUBLE_EQ(Read->Limit.value(), 1.5e-3);
  for (const char *Wrong :
       {"", "3", "0ms", "-1ms", "1ms@", "=1ms", "(=1ms", "1.5 Hz", "k=ms"})
    EXPECT_NE(errorOf(parseBudget(Wrong)), "") << Wrong;
}

TEST(Budget, TheHighestAuthorityAndThenTheNearestGpuCounts) {
  auto Claim = [](const char *Text, const char *Source) {
    ClaimedBudget B{llvm::cantFail(parseBudget(Text)), Source};
    if (!B.Claim.Gpu.empty())
      B.Claim.GpuIds = {B.Claim.Gpu};
    return B;
  };
  std::vector<ClaimedBudget> All = {
      Claim("1ms@b", "command-line"), Claim("3ms@a", "config"),
      Claim("4ms@a", "config"), Claim("5ms", "config"),
      Claim("6ms@a", "annotation")};
  EXPECT_EQ(budgetOn(All, "a")->Claim.Limit.value(), 4e-3);
  EXPECT_EQ(budgetOn(All, "b")->Claim.Limit.value(), 1e-3);
  EXPECT_EQ(budgetOn(All, "c")->Claim.Limit.value(), 5e-3);
  EXPECT_EQ(budgetOn({}, "c"), nullptr);
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
    EXPECT_TRUE(Spec.Scope == ConfigScope::None || !Spec.Key.empty());
    EXPECT_TRUE(Spec.Help.ends_with(".")) << Spec.Spelling.str();
    for (TakenBy Command : {ByAnalyze, ByValidate, ByReport})
      EXPECT_TRUE(!(Spec.Commands & Command) ||
                  llvm::StringRef(commandHelp(Command, /*All=*/true))
                      .contains(Spec.Spelling));
    EXPECT_NE(optionReference().find(Spec.Key), std::string::npos);
  }
}

constexpr TakenBy Commands[] = {
    ByAnalyze, ByGpus, ByValidate, ByMeasure, ByCompare, ByReport, ByGolden,
    ByDiff,    ByTune, BySweep,    ByRun,     ByServe,   ByDoctor, ByBugReport};

llvm::SmallVector<llvm::StringRef, 128> linesOf(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef, 128> Lines;
  Text.split(Lines, '\n');
  return Lines;
}

TEST(Options, HelpFitsATerminal) {
  std::vector<std::string> Texts = {toolHelp(), wrapperHelp()};
  for (TakenBy Command : Commands)
    for (bool All : {false, true})
      Texts.push_back(commandHelp(Command, All));
  for (const std::string &Help : Texts)
    for (llvm::StringRef Line : linesOf(Help))
      EXPECT_LE(Line.size(), 80u) << Line.str();
}

TEST(Options, HelpFitsAScreen) {
  EXPECT_LE(linesOf(toolHelp()).size(), 41u);
  EXPECT_LE(linesOf(wrapperHelp()).size(), 41u);
  for (TakenBy Command : Commands)
    EXPECT_LE(linesOf(commandHelp(Command)).size(), 41u)
        << commandHelp(Command);
}

TEST(Options, HelpDescribesOptionsThatExist) {
  for (TakenBy Command : Commands) {
    std::string Help = commandHelp(Command);
    auto [Before, Shown] = llvm::StringRef(Help).split("Options most used");
    for (llvm::StringRef Line : linesOf(Shown.split('\n').second)) {
      if (!Line.starts_with("  "))
        continue;
      EXPECT_FALSE(Line.contains("no option ")) << Line.str();
      EXPECT_GT(Line.rtrim().size(), 36u) << Line.str();
    }
    // Options in examples, before the arguments of clang or of a program.
    llvm::StringRef Rest = Before.split("Examples:\n").second;
    for (llvm::StringRef Line : linesOf(Rest.split("\n\n").first)) {
      llvm::SmallVector<llvm::StringRef, 16> Words;
      Line.split(Words, ' ');
      for (llvm::StringRef Word : Words) {
        if (Word == "--")
          break;
        bool Exists = llvm::any_of(optionTable(), [&](const OptionSpec &S) {
          return S.Spelling == Word && S.Commands & (Command | ByAnalyze);
        });
        EXPECT_TRUE(!Word.starts_with("-") || Exists || Word == "--scale")
            << Line.str();
      }
    }
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
                                            "kernels:\n"
                                            "  - kernel: mat.*\n"
                                            "    grid: [64, 32]\n"
                                            "    block: 16,16\n"
                                            "    param: {n: 1024}\n"
                                            "    budget: {a: 1 ms, b: 2 ms}\n"
                                            "  - kernel: .*\n"
                                            "    file: src/*.cu\n"
                                            "    dynamic-smem: 128\n"
                                            "    assume: {trip@k:i: 1<<4}\n"
                                            "assume-independent: false\n");
  llvm::Expected<Config> C = loadConfig(File);
  ASSERT_TRUE(static_cast<bool>(C)) << errorOf(std::move(C));
  ASSERT_EQ(C->Kernels.size(), 2u);
  const ConfigEntry &First = C->Kernels[0], &Second = C->Kernels[1];
  EXPECT_EQ(*First.Values.Launch.Grid, (Sizes{64, 32, 1}));
  EXPECT_EQ(*First.Values.Launch.Block, (Sizes{16, 16, 1}));
  EXPECT_EQ(First.Values.Parameters, (NamedValues{{"n", 1024}}));
  ASSERT_EQ(First.Values.Budgets.size(), 2u);
  EXPECT_EQ(First.Values.Budgets[1].Gpu, "b");
  EXPECT_EQ(First.Place.Line, 6u);
  EXPECT_EQ(First.Places.lookup("n").Line, 9u);
  EXPECT_EQ(*Second.Values.Launch.DynamicSharedBytes, 128u);
  EXPECT_EQ(Second.Values.Parameters, (NamedValues{{"trip@k:i", 16}}));
  EXPECT_FALSE(C->Values.AssumeIndependent);

  std::string Folder =
      llvm::StringRef(File).drop_back(strlen(".gpu-estimate.yaml")).str();
  EXPECT_TRUE(isAboutFile(First, *C, Folder + "k.cu"));
  EXPECT_TRUE(isAboutFile(Second, *C, Folder + "src/k.cu"));
  EXPECT_FALSE(isAboutFile(Second, *C, Folder + "k.cu"));

  Options Given;
  Given.L2Hit = 0.75;
  Options Merged = merge(Given, C->Values);
  EXPECT_EQ(Merged.Gpus, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(*Merged.Caches, CacheState::Cold);
  EXPECT_EQ(*Merged.L2Hit, 0.75);
  Given.Gpus = {"c"};
  EXPECT_EQ(merge(Given, C->Values).Gpus, (std::vector<std::string>{"c"}));
}

TEST(Config, ErrorsNameFileAndLine) {
  struct {
    const char *Text, *Line, *Says;
  } Cases[] = {
      {"gpu: a\ngqu: b\n", ":2:1: ", "did you mean 'gpu'"},
      {"gpu: a\nkernels:\n  - gird: 3\n", ":3:5: ", "did you mean 'grid'"},
      {"kernels:\n  - gpu: a\n", ":2:5: ", "it holds for the whole file"},
      {"grid: 3\n", ":1:1: ", "it belongs in an entry of 'kernels'"},
      {"kernels:\n  - grid: [1, 0]\n", ":2:12: ", "at least 1"},
      {"kernels:\n  - kernel: '('\n", ":2:13: ", "regular expression"},
      {"kernels:\n  - file: '['\n", ":2:11: ", "file pattern"},
      {"kernels:\n  - budget: 3\n", ":2:13: ", "with its unit"},
      {"kernels:\n  - budget: {a: 3 kg}\n", ":2:14: ", "kg"},
      {"kernels:\n  - budget: k=3ms\n", ":2:5: ", "names its kernel"},
      {"kernels:\n  - assume: {access@k:i: sorted}\n", ":2:14: ", "stride:K"},
      {"kernels: 3\n", ":1:10: ", "list of kernels"},
      {"model: [a, b]\n", ":1:9: ", "one value"},
      {"assume-independent: maybe\n", ":1:21: ", "true or false"},
      {"no-warning: tiem\n", ":1:13: ", "did you mean 'time'"},
      {"caches: hot\n", ":1:9: ", "cold or warm"},
      {"gpu: [a\n", ":", ""},
      {"- a\n", ":1:1: ", "expected a map of keys"},
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
