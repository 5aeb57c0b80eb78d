#include "gpu-estimate/Validate/RecordedFigures.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Schema = "gpu-estimate-recorded/1";

static bool fromJSON(const json::Value &Value, StatisticsRow &Row,
                     json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  ErrorStatistics &E = Row.Errors;
  uint64_t Cases = 0, Kernels = 0;
  bool Good = Map && Map.map("model", Row.Model) && Map.map("gpu", Row.Gpu) &&
              Map.map("bottleneck", Row.Bound) && Map.map("cases", Cases) &&
              Map.map("kernels", Kernels) &&
              Map.mapOptional("inputs", Row.Inputs) &&
              Map.mapOptional("decade", Row.Decade);
  E.Cases = Cases;
  E.Kernels = Kernels;
  // A model that refuses every case has no error.
  return Good &&
         (Cases == 0 ||
          (Map.map("mean_ape", E.MeanApe) &&
           Map.map("median_ape", E.MedianApe) && Map.map("bias", E.Bias) &&
           Map.map("factor", E.Factor) && Map.map("within_25", E.Within25) &&
           Map.map("kernel_mean_ape", E.KernelMeanApe)));
}

static bool fromJSON(const json::Value &Value, RecordedDataset &D,
                     json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map || !Map.map("name", D.Name) || !Map.map("date", D.Date) ||
      !Map.map("commit", D.Commit) ||
      !Map.map("not_predicted", D.NotPredicted) || !Map.map("rows", D.Rows))
    return false;
  for (StatisticsRow &Row : D.Rows)
    Row.Dataset = D.Name;
  return true;
}

namespace {
struct RecordedFile {
  std::string Schema;
  std::vector<RecordedDataset> Datasets;
};

bool fromJSON(const json::Value &Value, RecordedFile &File, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  if (!Map || !Map.map("schema", File.Schema))
    return false;
  if (File.Schema != Schema) {
    Path.field("schema").report("expected gpu-estimate-recorded/1");
    return false;
  }
  return Map.map("datasets", File.Datasets);
}
} // namespace

Expected<std::vector<RecordedDataset>> loadRecordedFigures(StringRef File) {
  if (!sys::fs::exists(File))
    return std::vector<RecordedDataset>();
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createStringError(File + ": " + Buffer.getError().message());
  Expected<RecordedFile> Read =
      json::parse<RecordedFile>((*Buffer)->getBuffer(), "the file");
  if (!Read)
    return createStringError(File + ": " + toString(Read.takeError()));
  return std::move(Read->Datasets);
}

} // namespace gpuestimate
