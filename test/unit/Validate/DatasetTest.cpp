/// \file
/// Reading datasets and bounds: what is wrong is said with its place.
#include "gpu-estimate/Validate/Dataset.h"
#include "gpu-estimate/Validate/Bounds.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace gpuestimate;
using namespace llvm;

namespace {

constexpr const char *GoodYaml = "schema: gpu-estimate-dataset/1\n"
                                 "name: small\n"
                                 "description: a few\n"
                                 "source: \"somebody, 2020\"\n"
                                 "caches: cold\n"
                                 "timing: single\n"
                                 "cases: cases.csv\n"
                                 "file: k.cu\n"
                                 "arguments: [-O3, -DX]\n";
constexpr const char *GoodCsv = "case,kernel,gpu,grid,block,ms\n"
                                "a,add,nvidia-v100,64,256,0.5\n";

/// A folder "small" that goes away with the test.
class ValidateDataset : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("validate", Root));
    Folder = Root;
    sys::path::append(Folder, "small");
    ASSERT_FALSE(sys::fs::create_directory(Folder));
  }
  void TearDown() override { sys::fs::remove_directories(Root); }

  std::string write(StringRef Name, StringRef Text) {
    SmallString<128> File(Folder);
    sys::path::append(File, Name);
    std::error_code Problem;
    raw_fd_ostream(File, Problem) << Text;
    EXPECT_FALSE(Problem);
    return File.str().str();
  }
  Expected<Dataset> load(StringRef Yaml, StringRef Csv) {
    write("dataset.yaml", Yaml);
    write("cases.csv", Csv);
    return loadDataset(Folder);
  }
  Dataset good(StringRef Yaml, StringRef Csv) {
    auto D = load(Yaml, Csv);
    if (D)
      return std::move(*D);
    ADD_FAILURE() << toString(D.takeError());
    return {};
  }
  /// The error without the folder's name.
  std::string error(StringRef Yaml, StringRef Csv) {
    auto D = load(Yaml, Csv);
    if (D)
      return "no error";
    std::string Text = toString(D.takeError()), Prefix = (Folder + "/").str();
    for (size_t At; (At = Text.find(Prefix)) != std::string::npos;)
      Text.erase(At, Prefix.size());
    return Text;
  }

  SmallString<128> Root, Folder;
};

TEST_F(ValidateDataset, DefaultsComeFromTheDataset) {
  Dataset D = good(GoodYaml, GoodCsv);
  EXPECT_EQ(D.Name, "small");
  EXPECT_EQ(D.Source, "somebody, 2020");
  EXPECT_EQ(D.Arguments, (std::vector<std::string>{"-O3", "-DX"}));
  ASSERT_EQ(D.Cases.size(), 1u);
  const CaseLaunch &L = D.Cases[0].Launches.at(0);
  EXPECT_EQ(L.Function, "add");
  EXPECT_EQ(L.File, "k.cu");
  EXPECT_EQ(L.Caches, CacheState::Cold);
  EXPECT_EQ(L.Timing, LaunchTiming::Single);
  EXPECT_EQ(L.Grid, (std::array<uint64_t, 3>{64, 1, 1}));
  EXPECT_EQ(L.Repeat, 1);
  EXPECT_EQ(L.Line, 2u);
  EXPECT_TRUE(D.Cases[0].Noisy.empty());
}

TEST_F(ValidateDataset, EveryColumnIsRead) {
  Dataset D = good(
      GoodYaml,
      "ms,block,grid,gpu,kernel,case,function,file,set,defines,arguments,"
      "dynamic_smem,"
      "params,repeat,caches,timing,spread,noisy,registers,dram_bytes,note\r\n"
      "2,8x8x2,4x2,g,K,\"a, \"\"b\"\"\",f<1>,x.cu,core_clock=1GHz sm_count=3,"
      "A=1 B,-Isrc -w,1024,n=3 "
      "p=1e6,7,warm,graph,0.02,\"two\nlines\",32,1e9,hm\r\n");
  ASSERT_EQ(D.Cases.size(), 1u);
  const MeasuredCase &C = D.Cases[0];
  const CaseLaunch &L = C.Launches.at(0);
  EXPECT_EQ(C.Id, "a, \"b\"");
  EXPECT_EQ(C.Milliseconds, 2);
  EXPECT_EQ(L.Block, (std::array<uint64_t, 3>{8, 8, 2}));
  EXPECT_EQ(L.Grid, (std::array<uint64_t, 3>{4, 2, 1}));
  EXPECT_EQ(L.Function, "f<1>");
  EXPECT_EQ(L.File, "x.cu");
  EXPECT_EQ(C.Overrides.size(), 2u);
  EXPECT_EQ(L.Defines, (std::vector<std::string>{"A=1", "B"}));
  EXPECT_EQ(L.Arguments, (std::vector<std::string>{"-Isrc", "-w"}));
  EXPECT_EQ(L.DynamicSharedBytes, 1024u);
  EXPECT_EQ(L.Parameters, (CaseValues{{"n", 3}, {"p", 1e6}}));
  EXPECT_EQ(L.Repeat, 7);
  EXPECT_EQ(L.Caches, CacheState::Warm);
  EXPECT_EQ(L.Timing, LaunchTiming::Graph);
  EXPECT_EQ(C.Spread, 0.02);
  EXPECT_EQ(C.Noisy, "two\nlines");
  EXPECT_EQ(C.counter("registers"), 32);
  EXPECT_EQ(C.counter("dram_bytes"), 1e9);
  EXPECT_EQ(C.counter("l2_bytes"), std::nullopt);
}

TEST_F(ValidateDataset, ACaseOfACpuNamesItsCores) {
  Dataset D =
      good(GoodYaml, "case,kernel,gpu,grid,block,cpu,ms\na,add,g,1,1,xeon,1\n"
                     "b,add,g,1,1,xeon:4,1\nc,add,g,1,1,,1\n");
  ASSERT_EQ(D.Cases.size(), 3u);
  EXPECT_EQ(D.Cases[0].Cpu, "xeon");
  EXPECT_EQ(D.Cases[0].Cores, 1u);
  EXPECT_EQ(D.Cases[1].Cpu, "xeon");
  EXPECT_EQ(D.Cases[1].Cores, 4u);
  EXPECT_EQ(D.Cases[2].Cpu, "");
}

TEST_F(ValidateDataset, RowsOfOneIdAreOneCase) {
  Dataset D = good(GoodYaml, "case,kernel,function,gpu,grid,block,ms\n"
                             "a,both,first,g,1,32,5\n"
                             "b,other,,g,1,32,7\n"
                             "a,both,second,g,2,64,\n");
  ASSERT_EQ(D.Cases.size(), 2u);
  ASSERT_EQ(D.Cases[0].Launches.size(), 2u);
  EXPECT_EQ(D.Cases[0].Launches[1].Function, "second");
  EXPECT_EQ(D.Cases[0].Milliseconds, 5);
  EXPECT_EQ(error(GoodYaml, "case,kernel,gpu,grid,block,ms\n"
                            "a,k,g,1,32,5\na,k,g,1,32,6\n"),
            "cases.csv:3:12: ms: expected nothing, since an earlier row of "
            "this case has the time of all its launches");
  EXPECT_EQ(error(GoodYaml, "case,kernel,gpu,grid,block,ms\n"
                            "a,k,g,1,32,5\na,k,h,1,32,\n"),
            "cases.csv:3:1: the case 'a' began on 'g', this row says 'h'");
}

TEST_F(ValidateDataset, YamlErrorsNameTheirPlace) {
  auto With = [](StringRef From, StringRef To) {
    std::string Text = GoodYaml;
    Text.replace(Text.find(From.str()), From.size(), To.str());
    return Text;
  };
  EXPECT_EQ(error(With("caches: cold", "caches: hot"), GoodCsv),
            "dataset.yaml:5:9: caches: expected warm or cold, got 'hot'");
  EXPECT_EQ(error(With("timing: single", "timings: single"), GoodCsv),
            "dataset.yaml:6:1: no key is called 'timings'; did you mean "
            "'timing'?\ndataset.yaml: expected the key 'timing'");
  EXPECT_EQ(error(With("name: small", "name: large"), GoodCsv),
            "dataset.yaml:2:7: name: expected the name of the folder, "
            "'small', got 'large'");
  EXPECT_EQ(error(With("name: small", "name: small\nname: small"), GoodCsv),
            "dataset.yaml:3:1: name: this key is given twice");
  EXPECT_EQ(error(With("dataset/1", "dataset/2"), GoodCsv),
            "dataset.yaml:1:9: schema: expected 'gpu-estimate-dataset/1', got "
            "'gpu-estimate-dataset/2'");
  EXPECT_NE(error("[1, 2", GoodCsv).find("dataset.yaml:"), std::string::npos);
  EXPECT_EQ(error("- a\n", GoodCsv),
            "dataset.yaml:1:1: expected a map of keys such as 'schema: ...'");
  EXPECT_EQ(error("", GoodCsv), "dataset.yaml: the file is empty");
}

TEST_F(ValidateDataset, CsvErrorsNameTheirPlace) {
  const std::string Head = "case,kernel,gpu,grid,block,ms,params\n";
  EXPECT_EQ(error(GoodYaml, "case,kernle,gpu,grid,block,ms\n"),
            "cases.csv:1:6: no column is called 'kernle'; did you mean "
            "'kernel'?\ncases.csv:1:1: expected a column 'kernel'");
  EXPECT_EQ(error(GoodYaml, Head + "a,k,g,0,32,1,\n"),
            "cases.csv:2:7: grid: expected up to three whole numbers above 0 "
            "such as 64x64x1, got '0'");
  // All problems of a file at once.
  EXPECT_EQ(error(GoodYaml, Head + "a,k,g,1,32,-1,n\nb,,g,1,32,1,n=2\n"),
            "cases.csv:2:12: ms: expected a number above 0, got '-1'\n"
            "cases.csv:2:15: params: expected blank separated NAME=NUMBER "
            "or POINTER=OTHER+OFFSET (not so: 'n'), got 'n'\n"
            "cases.csv:3:3: kernel: expected a value");
  EXPECT_EQ(error(GoodYaml, Head + "a,k\n"),
            "cases.csv:2:1: expected 7 cells as in the first line, got 2");
  EXPECT_EQ(error(GoodYaml, Head + "\"a,k\n"),
            "cases.csv:2:1: the quote that begins here is not closed");
  EXPECT_EQ(error(GoodYaml, Head + "a,k\"k,g,1,32,1,\n"),
            "cases.csv:2:4: a quote inside a cell that does not begin with "
            "one");
  EXPECT_EQ(error(GoodYaml, ""),
            "cases.csv:1:1: expected a line of column names");
  EXPECT_EQ(error(GoodYaml, "\xff\xfe"), "cases.csv: not UTF-8 text");
}

TEST_F(ValidateDataset, ACaseNamesItsBasePoint) {
  const std::string Head = "case,kernel,gpu,grid,block,ms,base\n";
  Dataset D = good(GoodYaml, Head + "a,k,g,1,32,1,b\nb,k,g,1,32,2,\n");
  EXPECT_EQ(D.Cases[0].Base, "b");
  EXPECT_EQ(D.Cases[1].Base, "");
  EXPECT_EQ(error(GoodYaml, Head + "a,k,g,1,32,1,c\n"),
            "cases.csv:2:1: base: expected another case of 'k' on 'g', got "
            "'c'");
  EXPECT_EQ(error(GoodYaml, Head + "a,k,g,1,32,1,b\nb,k,h,1,32,2,\n"),
            "cases.csv:2:1: base: expected another case of 'k' on 'g', got "
            "'b'");
}

TEST_F(ValidateDataset, ARowTellsHitFractions) {
  const std::string Head = "case,kernel,gpu,grid,block,ms,assume\n";
  Dataset D = good(GoodYaml, Head + "a,k,g,1,32,1,l2=0.5\n");
  EXPECT_EQ(D.Cases[0].Launches[0].L2Hit, 0.5);
  EXPECT_FALSE(D.Cases[0].Launches[0].L1Hit);
  EXPECT_EQ(error(GoodYaml, Head + "a,k,g,1,32,1,l1=2\n"),
            "cases.csv:2:14: assume: expected blank separated l1=FRACTION or "
            "l2=FRACTION, got 'l1=2'");
}

TEST_F(ValidateDataset, RowsNameTheirRepository) {
  const std::string Csv = "case,kernel,gpu,grid,block,ms,repository\n"
                          "a,k,g,1,32,1,x/y\nb,k,g,1,32,1,\n"
                          "c,k,g,1,32,1,.\n";
  Dataset Ours = good(GoodYaml, Csv);
  EXPECT_EQ(Ours.Cases[1].Launches[0].Repository, "");
  EXPECT_EQ(Ours.repositories(), (std::vector<std::string>{"x/y"}));
  Dataset Theirs = good(std::string(GoodYaml) + "repository: o/n\n", Csv);
  EXPECT_EQ(Theirs.Cases[1].Launches[0].Repository, "o/n");
  EXPECT_EQ(Theirs.Cases[2].Launches[0].Repository, "");
  EXPECT_EQ(Theirs.repositories(), (std::vector<std::string>{"o/n", "x/y"}));
  EXPECT_EQ(error(GoodYaml, "case,kernel,gpu,grid,block,ms,repository\n"
                            "a,k,g,1,32,1,x\n"),
            "cases.csv:2:14: repository: expected owner/name, or . for the "
            "dataset's own folder, got 'x'");
}

TEST_F(ValidateDataset, MissingFileOfKernelsIsSaid) {
  std::string Yaml = GoodYaml;
  Yaml.erase(Yaml.find("file: k.cu\n"), 11);
  EXPECT_EQ(error(Yaml, GoodCsv),
            "cases.csv:2:1: no source file: expected 'file:' in dataset.yaml "
            "or a column 'file'");
}

TEST(ValidateSplit, NeverMoves) {
  // Calibrations rely on what these once were.
  EXPECT_EQ(splitOf("scale-1"), Split::Check);
  EXPECT_EQ(splitOf("scale-2"), Split::Fit);
  EXPECT_EQ(splitOf("scale-3"), Split::Fit);
  EXPECT_EQ(splitOf("scale-4"), Split::Check);
  EXPECT_EQ(splitOf("scale-5"), Split::Fit);
  EXPECT_EQ(splitOf("both"), Split::Check);
}

TEST(ValidateSplit, TakesAThird) {
  unsigned Check = 0;
  for (int I = 0; I < 9000; ++I)
    Check += splitOf("case/" + std::to_string(I)) == Split::Check;
  EXPECT_NEAR(Check, 3000, 150);
}

TEST_F(ValidateDataset, BoundsAreReadAndWritten) {
  std::string File = write("bounds.yaml", boundsText({{{"b", 0.25}}, {}}, {}));
  auto Bounds = loadBounds(File);
  ASSERT_TRUE(bool(Bounds)) << toString(Bounds.takeError());
  EXPECT_EQ(*Bounds, (RecordedBounds{{{"b", 0.25}}, {}}));

  BoundCheck New = checkBound(*Bounds, "a", 0.123412);
  EXPECT_EQ(New.Verdict, BoundVerdict::New);
  EXPECT_EQ(New.line(), "  a: 0.1235");
  EXPECT_EQ(checkBound(*Bounds, "b", 0.25).Verdict, BoundVerdict::Same);
  EXPECT_EQ(checkBound(*Bounds, "b", 0.24991).Verdict, BoundVerdict::Same);
  EXPECT_EQ(checkBound(*Bounds, "b", 0.2498).Verdict, BoundVerdict::Improved);
  EXPECT_EQ(checkBound(*Bounds, "b", 0.25001).Verdict, BoundVerdict::Worse);

  // What was not checked keeps its record; sorted by name.
  std::string Text = boundsText({{{"z", 0.5}, {"b", 0.25}}, {}}, {New});
  EXPECT_TRUE(StringRef(Text).ends_with(
      "mean_ape:\n  a: 0.1235\n  b: 0.2500\n  z: 0.5000\n"));
}

TEST_F(ValidateDataset, CoverageMayNotFall) {
  RecordedBounds Bounds = {{}, {{"b/known", 0.61}}};
  auto VerdictOf = [&](StringRef Group, double Share) {
    return checkCoverage(Bounds, Group, Share).Verdict;
  };
  EXPECT_EQ(VerdictOf("a/known", 0.995), BoundVerdict::Same);
  EXPECT_EQ(VerdictOf("a/known", 0.70), BoundVerdict::Same);
  EXPECT_EQ(VerdictOf("a/known", 0.699), BoundVerdict::Worse);
  EXPECT_EQ(VerdictOf("b/known", 0.614), BoundVerdict::Same);
  EXPECT_EQ(VerdictOf("b/known", 0.62), BoundVerdict::Improved);
  EXPECT_EQ(VerdictOf("b/known", 0.609), BoundVerdict::Worse);

  // Only what is below the least share is recorded.
  std::string Text =
      boundsText(Bounds, {checkCoverage(Bounds, "a/known", 0.8),
                          checkCoverage(Bounds, "c/assumed", 0.5)});
  EXPECT_TRUE(StringRef(Text).ends_with(
      "coverage:\n  b/known: 0.61\n  c/assumed: 0.50\n"));
  auto Read = loadBounds(write("bounds.yaml", Text));
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(Read->Coverage.size(), 2u);
}

TEST_F(ValidateDataset, BoundsErrorsNameTheirPlace) {
  auto Error = [&](StringRef Text) {
    auto Bounds = loadBounds(write("bounds.yaml", Text));
    return Bounds ? "no error"
                  : StringRef(toString(Bounds.takeError()))
                        .rsplit("small/")
                        .second.str();
  };
  const std::string Schema = "schema: gpu-estimate-bounds/1\n";
  EXPECT_EQ(Error(Schema + "mean_ape:\n  a: low\n"),
            "bounds.yaml:3:6: expected a fraction such as 0.1873, got 'low'");
  EXPECT_EQ(Error("mean_ape:\n  a: 1\n"),
            "bounds.yaml: expected the key 'schema: "
            "gpu-estimate-bounds/1'");
  EXPECT_EQ(Error(Schema + "mean_ape:\n"), "no error");
  auto None = loadBounds((Folder + "/none.yaml").str());
  ASSERT_TRUE(bool(None));
  EXPECT_TRUE(None->MeanApe.empty());
}

} // namespace
