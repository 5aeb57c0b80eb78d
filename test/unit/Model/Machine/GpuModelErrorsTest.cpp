/// \file
/// Files that are wrong, from a misspelt key to hostile bytes: each must give
/// an error that a person can act on, and none may crash.
#include "gpu-estimate/Model/Machine/Describe.h"
#include "helpers/GpuModelTesting.h"
#include "llvm/Support/MemoryBuffer.h"
#include <random>

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

TEST(GpuModelErrors, AllProblemsOfAFileAreReportedWithTheirLines) {
  std::string File = dataFile("several-problems.yaml");
  std::string Error = errorOf(loadGpuModel(File));
  auto Expect = [&](unsigned Line, llvm::StringRef Text) {
    std::string Wanted = File + ":" + std::to_string(Line) + ": " + Text.str();
    EXPECT_NE(Error.find(Wanted), std::string::npos) << Wanted << "\n\nin\n"
                                                     << Error;
  };
  Expect(9,
         "core_clock: expected a frequency such as '1410 MHz', got '1410 MB'");
  Expect(10, "sm_count: '0' is not between 1 and 4096");
  Expect(12, "l2.sise: unknown key");
  EXPECT_NE(Error.find("did you mean 'l2.size'"), std::string::npos) << Error;
  Expect(13, "l2.line: 'qery' is not in 'sources'");
  EXPECT_NE(Error.find("did you mean 'query'"), std::string::npos) << Error;
  Expect(15, "sector: this key is given twice");
  Expect(16, "l2.latency: unknown kind 'vendro': expected vendor, measured,");
  Expect(17, "l2.partitions: expected a whole number, got '1.5'");
  Expect(18, "l2.read_bandwidth: a value of kind 'inherited' needs a 'note' "
             "that says why");
  Expect(19, "l2.write_bandwidth: 'source' is missing");
  Expect(20,
         "l2.far_latency: expected a map with 'value', 'kind' and 'source'");
  Expect(22, "dram.latency: 'value' is missing: expected core-clock cycles "
             "such as '4 cycles'");
  Expect(23, "dram.peak_bandwidth: expected bytes per second such as '1555 "
             "GB/s', got '1555'");
  Expect(24, "dram.read_bandwidth: unknown field 'colour'");
  Expect(26, "occupancy.max_block: expected three whole numbers");
  Expect(29, "operations.fp32_fma.latency: expected core-clock cycles such as "
             "'4 cycles', got a list");
  Expect(30, "operations.fp32_fma.pipe: expected a pipe: fp32,");
  Expect(32, "operations.load_global.latency: unknown key");
  size_t Missing = Error.find(" required keys are missing: ");
  ASSERT_NE(Missing, std::string::npos) << Error;
  EXPECT_NE(Error.find(" l2.size,", Missing), std::string::npos) << Error;
  // What was there, even if wrong, is not called missing as well.
  EXPECT_EQ(Error.find(" core_clock,", Missing), std::string::npos) << Error;
}

TEST(GpuModelErrors, EveryRequiredKeyIsMissed) {
  GpuModel Complete = shipped("nvidia-a100-40gb-pcie");
  std::string Text = writeGpuModel(Complete);
  unsigned Required = 0;
  for (const GpuKey &Key : gpuKeys()) {
    if (!Key.Required)
      continue;
    ++Required;
    GpuModel Without = Complete;
    if (Key.Identity)
      Key.Set(Without, KeyValue(std::string()));
    else
      Without.Sources.erase(Key.Path);
    std::string Shorter = writeGpuModel(Without);
    ASSERT_LT(Shorter.size(), Text.size()) << Key.Path;
    ScratchFile File(Shorter);
    std::string Error = errorOf(loadGpuModel(File.path()));
    EXPECT_NE(
        Error.find(File.path() + ": " + Key.Path + ": required key is missing"),
        std::string::npos)
        << Key.Path << ": " << Error;
    EXPECT_EQ(Error.find('\n'), std::string::npos)
        << "one problem, one line: " << Error;
  }
  EXPECT_GT(Required, 100u);
}

/// A complete model in which one value is written as Text.
std::string errorWith(const GpuModel &Complete, const GpuKey &Key,
                      const std::string &Text) {
  GpuModel Changed = Complete;
  Changed.Sources[Key.Path].Text = Text;
  return errorOf(parseGpuModel(writeGpuModel(Changed), "model.yaml"));
}

TEST(GpuModelErrors, NoNumericKeyTakesNonsense) {
  GpuModel Complete = shipped("nvidia-a100-40gb-pcie");
  unsigned Numeric = 0;
  for (const GpuKey &Key : gpuKeys()) {
    auto From = std::as_const(Complete).Sources.find(Key.Path);
    if (Key.Dim < KeyDimension::Count || From == Complete.Sources.end() ||
        Key.Dim == KeyDimension::Flag || Key.Dim == KeyDimension::PipeName ||
        Key.Dim == KeyDimension::Extent || Key.Dim == KeyDimension::BytesList)
      continue;
    ++Numeric;
    auto [Number, Unit] = llvm::StringRef(From->second.Text).split(' ');
    for (const char *Bad :
         {"-5", "nan", "inf", "-inf", "1e30", "0x10", "", "five"}) {
      std::string Error =
          errorWith(Complete, Key, (Bad + llvm::Twine(" ") + Unit).str());
      EXPECT_TRUE(llvm::StringRef(Error).starts_with("model.yaml:"))
          << Key.Path << " " << Bad << ": " << Error;
      EXPECT_NE(Error.find(": " + Key.Path + ": "), std::string::npos)
          << Key.Path << " " << Bad << ": " << Error;
    }
    std::string Error = errorWith(Complete, Key, Number.str() + " apples");
    EXPECT_NE(Error.find(": " + Key.Path + ": expected "), std::string::npos)
        << Error;
  }
  EXPECT_GT(Numeric, 120u);
}

TEST(GpuModelErrors, EveryValueNeedsItsSource) {
  GpuModel Complete = shipped("nvidia-a100-40gb-pcie");
  unsigned Sourced = 0;
  for (const GpuKey &Key : gpuKeys()) {
    if (!std::as_const(Complete).Sources.contains(Key.Path))
      continue;
    ++Sourced;
    GpuModel Without = Complete;
    Without.Sources[Key.Path].Source.clear();
    Without.Sources[Key.Path].Kind = "measured";
    std::string Error =
        errorOf(parseGpuModel(writeGpuModel(Without), "model.yaml"));
    EXPECT_NE(Error.find(": " + Key.Path + ": 'source' is missing"),
              std::string::npos)
        << Error;
    // What is taken over or judged says why.
    for (const char *Kind : {"inherited", "assumed"}) {
      Without = Complete;
      Without.Sources[Key.Path].Kind = Kind;
      Without.Sources[Key.Path].Note.clear();
      Error = errorOf(parseGpuModel(writeGpuModel(Without), "model.yaml"));
      EXPECT_NE(Error.find(": " + Key.Path + ": a value of kind '" + Kind +
                           "' needs a 'note'"),
                std::string::npos)
          << Error;
    }
  }
  EXPECT_GT(Sourced, 120u);
}

TEST(GpuModelErrors, ATruncatedFileIsNoModel) {
  std::string Good =
      (*llvm::MemoryBuffer::getFile(modelFolder() + "/nvidia-l40.yaml"))
          ->getBuffer()
          .str();
  size_t Optional = Good.find("\n  tensor_"); // a file may end before these
  ASSERT_NE(Optional, std::string::npos);
  for (size_t Bytes = 0; Bytes < Optional; Bytes += 97)
    EXPECT_NE(errorOf(parseGpuModel(Good.substr(0, Bytes), "cut.yaml")), "")
        << Bytes;
}

TEST(GpuModelErrors, UnreadableFiles) {
  struct {
    const char *Name, *Text;
  } Cases[] = {{"empty.yaml", "the file is empty"},
               {"comment.yaml", "expected a map of keys"},
               {"list.yaml", "expected a map of keys"},
               {"malformed.yaml", "malformed YAML"},
               {"two-documents.yaml", "a GPU model is a single YAML document"},
               {"alias.yaml", "anchors and tags are not part of a GPU model"},
               {"no-such-file.yaml", "cannot read the GPU model"}};
  for (const auto &[Name, Text] : Cases) {
    std::string Error = errorOf(loadGpuModel(dataFile(Name)));
    EXPECT_TRUE(llvm::StringRef(Error).starts_with(dataFile(Name) + ":"))
        << Error;
    EXPECT_NE(Error.find(Text), std::string::npos) << Name << ": " << Error;
  }
  EXPECT_NE(errorOf(loadGpuModel("/dev/zero")).find("not a regular file"),
            std::string::npos);
  EXPECT_NE(errorOf(loadGpuModel(modelFolder())).find("not a regular file"),
            std::string::npos);
}

std::string errorOfText(llvm::StringRef Text) {
  ScratchFile File(Text);
  return errorOf(loadGpuModel(File.path()));
}

std::string repeated(llvm::StringRef Text, unsigned Times) {
  std::string Result;
  for (unsigned I = 0; I < Times; ++I)
    Result += Text;
  return Result;
}

TEST(GpuModelErrors, UnknownKeysEndSomewhere) {
  std::string Text;
  for (unsigned I = 0; I < 9000; ++I)
    Text += "k" + std::to_string(I) + ": 1\n";
  std::string Error = errorOfText(Text);
  EXPECT_NE(Error.find("unknown key; so may be further ones"),
            std::string::npos);
  EXPECT_LT(llvm::StringRef(Error).count('\n'), 50u);
}

TEST(GpuModelErrors, FittedValuesNameTheirCases) {
  GpuModel Complete = shipped("nvidia-a100-40gb-pcie");
  auto ErrorWith = [&](const char *Kind, std::vector<std::string> Cases) {
    GpuModel Changed = Complete;
    Provenance &From = Changed.Sources["l2.read_bandwidth"];
    From.Kind = Kind;
    From.Note = "a reason";
    From.FittedOn = std::move(Cases);
    auto Parsed = parseGpuModel(writeGpuModel(Changed), "model.yaml");
    return Parsed ? std::string() : llvm::toString(Parsed.takeError());
  };
  EXPECT_EQ(ErrorWith("fitted", {"l2-cache/l40/*", "cache/v100/256"}), "");
  EXPECT_EQ(ErrorWith("inherited", {"l2-cache/l40/*"}), "");
  EXPECT_NE(
      ErrorWith("fitted", {})
          .find(
              "l2.read_bandwidth: a value of kind 'fitted' needs 'fitted_on'"),
      std::string::npos);
  EXPECT_NE(ErrorWith("measured", {"l2-cache/l40/*"})
                .find("a value with 'fitted_on' is of kind 'fitted'"),
            std::string::npos);
  EXPECT_NE(ErrorWith("fitted", {"l2-cache"}).find("patterns DATASET/CASE"),
            std::string::npos);
}

TEST(GpuModelErrors, PipesWithoutThroughputs) {
  // Found by fuzzing: sharing the source of what is not there changed the map
  // that was being read.
  std::string Text = "operations:\n";
  for (const OpClassInfo &Class : opClassTable())
    if (!Class.IsMemory)
      Text += "  " + Class.Name.str() + ": {pipe: int}\n";
  EXPECT_NE(errorOfText(Text).find("required keys are missing"),
            std::string::npos);
}

TEST(GpuModelErrors, HostileFilesAreRefused) {
  EXPECT_NE(errorOfText(std::string("id: a\0b\n", 8)).find("not UTF-8 text"),
            std::string::npos);
  EXPECT_NE(errorOfText("\x7f"
                        "ELF\xff\xfe\x80")
                .find("not UTF-8 text"),
            std::string::npos);
  EXPECT_NE(errorOfText(std::string(2 << 20, 'x')).find("larger than 1 MiB"),
            std::string::npos);
  EXPECT_NE(errorOfText("id: " + std::string(500000, '['))
                .find("more lists and maps"),
            std::string::npos);
  EXPECT_NE(errorOfText("id: " + std::string(1400, '[')).find("malformed YAML"),
            std::string::npos);
  EXPECT_NE(errorOfText("id: " + std::string(1400, '{')).find("malformed YAML"),
            std::string::npos);
  EXPECT_NE(
      errorOfText("id: " + std::string(1400, '[') + std::string(1400, ']'))
          .find("nested too deeply"),
      std::string::npos);
  std::string Dashes;
  for (int I = 0; I < 100000; ++I)
    Dashes += "- ";
  EXPECT_NE(errorOfText("id:\n  " + Dashes + "a\n").find("nested too deeply"),
            std::string::npos);
  EXPECT_NE(
      errorOfText("id: a\n" + repeated("?\n", 3000)).find("nested too deeply"),
      std::string::npos);
  EXPECT_NE(errorOfText(repeated("id: a\n", 20000))
                .find("more lines than a GPU model can have"),
            std::string::npos);
  std::string Steps;
  for (int I = 0; I < 700; ++I)
    Steps += std::string(I, ' ') + "a:\n";
  EXPECT_NE(errorOfText(Steps).find("too deeply"), std::string::npos);
}

// Nothing here asserts a message: surviving thousands of damaged files is the
// test, and that damage is never taken for a complete model with fewer keys.
TEST(GpuModelErrors, DamagedFilesNeverCrash) {
  std::mt19937 Random(20240229);
  std::string Good =
      (*llvm::MemoryBuffer::getFile(modelFolder() + "/nvidia-v100.yaml"))
          ->getBuffer()
          .str();
  const llvm::StringRef Pieces[] = {"[",  "]",   "{",  "}", ":", "- ",
                                    "'",  "\"",  "\n", " ", "|", "&a ",
                                    "*a", "!t ", "? ", "#", "%", "\t"};
  unsigned Failed = 0;
  for (unsigned Round = 0; Round < 400; ++Round) {
    std::string Bad = Good;
    for (unsigned Edit = 0, Edits = 1 + Random() % 4; Edit < Edits; ++Edit) {
      size_t Where = Random() % Bad.size();
      switch (Random() % 4) {
      case 0:
        Bad[Where] = static_cast<char>(Random());
        break;
      case 1:
        Bad.erase(Where, Random() % 80);
        break;
      case 2:
        Bad.insert(Where, Pieces[Random() % std::size(Pieces)].str());
        break;
      case 3:
        Bad.resize(Where + 1);
        break;
      }
    }
    ScratchFile File(Bad);
    llvm::Expected<GpuModel> Model = loadGpuModel(File.path());
    if (!Model) {
      ++Failed;
      EXPECT_TRUE(llvm::StringRef(llvm::toString(Model.takeError()))
                      .starts_with(File.path() + ":"));
      continue;
    }
    for (const GpuKey &Key : gpuKeys()) {
      if (Key.Required && !Key.Identity) {
        EXPECT_TRUE(Model->Sources.contains(Key.Path)) << Key.Path;
      }
    }
  }
  EXPECT_GT(Failed, 200u);
}

} // namespace
