/// \file
/// The evaluation of a run, record by record: a prediction of each launch and a
/// time line on each GPU. The first GPU's time line answers the program.
#ifndef GPU_ESTIMATE_LIB_COMMANDS_RUN_RUNSESSION_H
#define GPU_ESTIMATE_LIB_COMMANDS_RUN_RUNSESSION_H

#include "LaunchPredictor.h"
#include "gpu-estimate/Timeline/RunReport.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace gpuestimate {

class RunSession {
public:
  enum KeptParts : uint8_t {
    Reports,       ///< what finish() needs
    SavedRecords,  ///< also traces and modules, to save records()
    AllPredictions ///< also predictions(), with all details
  };
  /// S stays owned by the caller.
  RunSession(const Setup &S, KeptParts Kept);

  /// Takes the next record; the reply is for a record that asks. Fails for a
  /// record that contradicts the ones before it.
  llvm::Expected<RunReply> take(RunRecord &&R);

  /// One report for each GPU of the set-up, in its order.
  std::vector<RunReport> finish();

  const std::deque<RunRecord> &records() const { return Records; }

  /// The distinct launches, by GPU and in order of their first call.
  std::vector<LaunchForecast> predictions() const;
  llvm::ArrayRef<std::string> notices() const { return Notices; }
  llvm::ArrayRef<std::string> faults() const { return Faults; }
  /// RunReport::Unexecuted of the records so far.
  llvm::ArrayRef<std::string> unexecuted() const { return Unexecuted; }

private:
  struct OnGpu {
    explicit OnGpu(const GpuModel &Gpu)
        : Costs(timelineCosts(Gpu)), Schedule(Costs) {}

    TimelineCosts Costs;
    Timeline Schedule;
    std::vector<std::optional<LaunchCost>> Prices; ///< [record]
    llvm::DenseMap<size_t, size_t> EstimateOf;     ///< record -> estimate
    std::vector<RunEstimate> Estimates;
    std::map<uint64_t, size_t> ByForecast;  ///< LaunchForecast::Number
    std::map<uint64_t, size_t> Unpredicted; ///< by kernel
    std::map<std::string, size_t> Library;  ///< by name, sizes and types
    std::vector<LaunchForecast> Predictions;
  };
  LaunchCost price(const RunLaunch &L, size_t Gpu);
  /// Nothing if there is no model of the call: the time line then says so.
  std::optional<LaunchCost> price(const RunLibraryCall &L, size_t Gpu);
  size_t unpredicted(OnGpu &On, const RunLaunch &L, std::string Reason);
  std::string describe(const RunFault &Fault) const;
  void noteProblem(const RunLaunch &L);
  void shrink(RunRecord &R) const;

  const Setup &S;
  KeptParts Kept;
  LaunchPredictor Predictor;
  std::deque<RunRecord> Records; ///< references into it stay valid
  std::vector<OnGpu> Gpus;
  std::vector<std::string> Faults, Notices, Unexecuted;
  int ExitStatus = 0;
};

} // namespace gpuestimate

#endif
