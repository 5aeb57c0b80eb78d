/// \file
/// The shipped models: complete, plausible, sourced, found by their names, and
/// the same after writing and reading.
#include "gpu-estimate/Model/Machine/Describe.h"
#include "gpu-estimate/Model/Machine/Plausibility.h"
#include "gpu-estimate/Model/Machine/ValidationRecord.h"
#include "helpers/GpuModelTesting.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace gpuestimate;
using namespace gpuestimate::testing;

namespace {

std::vector<GpuModel> allShipped() {
  llvm::Expected<std::vector<GpuModel>> Models = loadGpuModels(modelFolder());
  if (!Models) {
    ADD_FAILURE() << llvm::toString(Models.takeError());
    return {};
  }
  return *Models;
}

TEST(GpuModelFiles, AllLoadAndAreNamedAfterTheirFile) {
  std::vector<GpuModel> Models = allShipped();
  ASSERT_GE(Models.size(), 7u);
  for (const GpuModel &Model : Models)
    EXPECT_EQ(llvm::sys::path::stem(Model.File), Model.Id);
  EXPECT_TRUE(llvm::is_sorted(Models, [](const GpuModel &A, const GpuModel &B) {
    return A.Id < B.Id;
  }));
}

TEST(GpuModelFiles, AllArePlausible) {
  for (const GpuModel &Model : allShipped())
    for (const std::string &Complaint : checkPlausibility(Model))
      ADD_FAILURE() << Model.Id << ": " << Complaint;
}

// Spot values against their documents, so that a slip of a unit or of a key
// in the table cannot pass.
TEST(GpuModelFiles, KnownValuesArriveInBaseUnits) {
  GpuModel A100 = shipped("nvidia-a100-40gb-pcie");
  EXPECT_EQ(A100.SmCount, 108u);
  EXPECT_EQ(A100.CoreClock, Hertz(1.41e9));
  EXPECT_EQ(A100.L2.Size, Bytes(41943040));
  EXPECT_EQ(A100.SharedPerBlockMax, Bytes(166912));
  EXPECT_EQ(A100.DramPeakBandwidth, BytesPerSecond(1.555e12));
  EXPECT_DOUBLE_EQ(A100.LaunchLatency.value(), 1.34e-6);
  EXPECT_EQ(A100.MaxBlock, (std::array<unsigned, 3>{1024, 1024, 64}));
  EXPECT_EQ(A100.cost(OpClass::Fp64Fma).Throughput, 32);
  EXPECT_EQ(A100.cost(OpClass::TensorFp16).Throughput, 1024);
  EXPECT_TRUE(A100.L2FarLatency.has_value());
  EXPECT_EQ(shipped("nvidia-h200").L2.Size, Bytes(62914560));
  EXPECT_EQ(shipped("nvidia-tegra-k1").SmCount, 1u);
  EXPECT_FALSE(shipped("nvidia-tegra-k1").L1CachesGlobalLoads);
  EXPECT_FALSE(shipped("nvidia-gtx-1050").L1UnifiedWithShared);
}

TEST(GpuModelFiles, PipesFollowTheArchitecture) {
  for (const char *Id : {"nvidia-gtx-1050", "nvidia-tegra-k1"})
    EXPECT_EQ(shipped(Id).cost(OpClass::IntAdd).On, Pipe::Fp32) << Id;
  for (const char *Id : {"nvidia-v100", "nvidia-rtx-2080-ti", "nvidia-rtx-3080",
                         "nvidia-a100-40gb-pcie", "nvidia-h200"}) {
    GpuModel Model = shipped(Id);
    EXPECT_EQ(Model.cost(OpClass::IntAdd).On, Pipe::Int) << Id;
    EXPECT_EQ(Model.cost(OpClass::IntMul).On, Pipe::Fp32) << Id;
    EXPECT_GT(Model.cost(OpClass::TensorFp16).Throughput, 0) << Id;
  }
  EXPECT_EQ(shipped("nvidia-gtx-1050").cost(OpClass::TensorFp16).Throughput, 0);
}

// Evaluate divides by throughputs and adds latencies of every class.
TEST(GpuModelFiles, EveryClassCanBePriced) {
  for (const GpuModel &Model : allShipped())
    for (const OpClassInfo &Class : opClassTable()) {
      const OpCost &Cost = Model.cost(Class.Class);
      if (Class.UsualPipe != Pipe::Tensor) {
        EXPECT_GT(Cost.Throughput, 0) << Model.Id << " " << Class.Name.str();
      }
      if (!Class.IsMemory && Cost.Throughput > 0) {
        EXPECT_GT(Cost.Latency, Cycles(0))
            << Model.Id << " " << Class.Name.str();
      }
    }
}

TEST(GpuModelFiles, EveryValueSaysWhereItComesFrom) {
  for (const GpuModel &Model : allShipped())
    for (const GpuValueRow &Row : describe(Model)) {
      if (Row.Value.empty() || findGpuKey(Row.Key)->Identity)
        continue;
      EXPECT_GT(Row.Source.size(), 10u) << Model.Id << " " << Row.Key;
      EXPECT_FALSE(Row.Kind.empty()) << Model.Id << " " << Row.Key;
      EXPECT_NE(Row.Kind, "what-if") << Model.Id << " " << Row.Key;
    }
}

TEST(GpuModelFiles, DescribeCoversEveryKeyOnce) {
  GpuModel Model = shipped("nvidia-v100");
  std::vector<GpuValueRow> Rows = describe(Model);
  ASSERT_EQ(Rows.size(), gpuKeys().size());
  for (size_t I = 0; I < Rows.size(); ++I) {
    EXPECT_EQ(Rows[I].Key, gpuKeys()[I].Path);
    EXPECT_FALSE(Rows[I].Meaning.empty());
    if (gpuKeys()[I].Required) {
      EXPECT_FALSE(Rows[I].Value.empty()) << Rows[I].Key;
    }
  }
}

TEST(GpuModelFiles, WritingAndReadingKeepsEverything) {
  for (const GpuModel &Model : allShipped()) {
    ScratchFile File(writeGpuModel(Model));
    llvm::Expected<GpuModel> Again = loadGpuModel(File.path());
    ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError());
    for (const GpuKey &Key : gpuKeys()) {
      EXPECT_EQ(Key.Get(Model), Key.Get(*Again)) << Model.Id << " " << Key.Path;
      auto Before = Model.Sources.find(Key.Path);
      auto After = std::as_const(*Again).Sources.find(Key.Path);
      ASSERT_EQ(Before == Model.Sources.end(), After == Again->Sources.end())
          << Key.Path;
      if (Before == Model.Sources.end())
        continue;
      EXPECT_EQ(Before->second.Text, After->second.Text) << Key.Path;
      EXPECT_EQ(Before->second.Source, After->second.Source) << Key.Path;
      EXPECT_EQ(Before->second.Note, After->second.Note) << Key.Path;
      EXPECT_EQ(Before->second.Kind, After->second.Kind) << Key.Path;
      EXPECT_EQ(Before->second.FittedOn, After->second.FittedOn) << Key.Path;
    }
  }
}

TEST(GpuModelFiles, FoundByIdAliasAndPath) {
  for (const char *Name : {"nvidia-h200", "NVIDIA-H200", "H200", "h200 sxm",
                           "nvidia h200", "NVIDIA H200 SXM 141 GB"})
    EXPECT_EQ(shipped(Name).Id, "nvidia-h200") << Name;
  EXPECT_EQ(shipped("a100-pcie-40gb").Id, "nvidia-a100-40gb-pcie");
  EXPECT_EQ(shipped(modelFolder() + "/nvidia-v100.yaml").Id, "nvidia-v100");
}

TEST(GpuModelFiles, NoNameBelongsToTwoModels) {
  llvm::StringMap<std::string> Owner;
  for (const GpuModel &Model : allShipped()) {
    std::vector<std::string> Names = Model.Aliases;
    Names.push_back(Model.Id);
    for (const std::string &Name : Names) {
      std::string Folded;
      for (char C : Name)
        if (llvm::isAlnum(C))
          Folded += llvm::toLower(C);
      auto [It, New] = Owner.try_emplace(Folded, Model.Id);
      EXPECT_EQ(It->second, Model.Id) << Name;
    }
  }
}

TEST(GpuModelFiles, UnknownNamesSuggestTheNearest) {
  std::string Error = errorOf(findGpuModel("nvidia-v10", modelFolder()));
  EXPECT_NE(Error.find("unknown GPU 'nvidia-v10'"), std::string::npos) << Error;
  EXPECT_NE(Error.find("'nvidia-v100'"), std::string::npos) << Error;
  Error = errorOf(findGpuModel("abacus of wood", modelFolder()));
  EXPECT_NE(Error.find("nvidia-h200"), std::string::npos)
      << "lists what is known: " << Error;
  EXPECT_NE(errorOf(findGpuModel("", modelFolder())).find("unknown GPU"),
            std::string::npos);
}

TEST(GpuModelFiles, FolderComesFromTheOverrideOrTheSource) {
  llvm::Expected<std::string> Folder = findModelFolder();
  ASSERT_TRUE(bool(Folder));
  EXPECT_TRUE(llvm::sys::fs::exists(*Folder + "/nvidia-v100.yaml"));
  llvm::Expected<std::string> Other =
      findModelFolder(GPU_ESTIMATE_SOURCE_DIR "/test/data/gpu");
  ASSERT_TRUE(bool(Other));
  EXPECT_EQ(*Other, GPU_ESTIMATE_SOURCE_DIR "/test/data/gpu");
  llvm::Expected<std::string> None = findModelFolder("no-such-folder");
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(llvm::toString(None.takeError()),
            "no-such-folder: not a folder of GPU models");
}

TEST(GpuModelFiles, ReferenceListsEveryKeyAndKind) {
  std::string Page = gpuModelReference();
  for (const GpuKey &Key : gpuKeys())
    EXPECT_NE(Page.find("| `" + Key.Path + "` |"), std::string::npos)
        << Key.Path;
  for (const ProvenanceKind &Kind : provenanceKinds())
    EXPECT_NE(Page.find("| `" + Kind.Name.str() + "` |"), std::string::npos);
}

TEST(GpuModelFiles, ArchitecturesNameEveryModelOfThem) {
  llvm::Expected<std::vector<GpuModel>> Hopper =
      findGpuModels("sm_90", modelFolder());
  ASSERT_TRUE(bool(Hopper));
  EXPECT_GE(Hopper->size(), 3u);
  for (const GpuModel &Model : *Hopper)
    EXPECT_EQ(Model.ComputeCapability, "9.0") << Model.Id;
  llvm::Expected<std::vector<GpuModel>> One =
      findGpuModels("nvidia-h200", modelFolder());
  ASSERT_TRUE(bool(One));
  EXPECT_EQ(One->size(), 1u);
  llvm::Expected<std::vector<GpuModel>> None =
      findGpuModels("sm_13", modelFolder());
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(llvm::toString(None.takeError()),
            "no GPU model is of architecture 'sm_13'");
}

TEST(GpuModelFiles, ValidationIsReplacedAndNothingElse) {
  GpuModel Model = shipped("nvidia-a100-40gb-pcie");
  Model.Validation.clear();
  std::string Bare = writeGpuModel(Model);
  std::vector<ValidationRecord> Records = {
      {"streams", 144, 0.0931, "2026-11-21"}, {"thesis", 1, 0, "2026-11-20"}};
  std::string With = withValidation(Bare, Records);
  EXPECT_EQ(withValidation(With, Records), With);
  EXPECT_EQ(withValidation(With, {}), Bare);
  llvm::Expected<GpuModel> Again = parseGpuModel(With, "with.yaml");
  ASSERT_TRUE(bool(Again)) << llvm::toString(Again.takeError());
  ASSERT_EQ(Again->Validation.size(), 2u);
  EXPECT_EQ(Again->Validation[0].Dataset, "streams");
  EXPECT_EQ(Again->Validation[0].Cases, 144u);
  EXPECT_EQ(Again->Validation[0].MeanError, 0.0931);
  EXPECT_EQ(Again->Validation[1].Date, "2026-11-20");
  EXPECT_EQ(writeGpuModel(*Again), With);
  EXPECT_EQ(describeValidation(Again->Validation), "9.25% on 145 cases");
  EXPECT_EQ(describeValidation({}), "not validated");
}

TEST(GpuModelFiles, WrongValidationRecordsAreErrors) {
  for (const char *Wrong :
       {"validation: 3\n", "validation:\n  - 3\n",
        "validation:\n  - {dataset: a, cases: 1.5, mean_error: 0, date: b}\n",
        "validation:\n  - {dataset: a, cases: 1, mean_error: -1, date: b}\n",
        "validation:\n  - {dataset: a, cases: 1, mean_error: nan, date: b}\n",
        "validation:\n  - {dataset: a, cases: 1, mean_error: 0}\n",
        "validation:\n  - {dataset: a, cases: 1, mean_error: 0, date: b, e: "
        "f}\n"}) {
    std::string Error = errorOf(parseGpuModel(Wrong, "wrong.yaml"));
    EXPECT_NE(Error.find("validation: expected"), std::string::npos)
        << Wrong << Error;
  }
}

} // namespace
