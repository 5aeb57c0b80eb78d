/// \file
/// A kernel of a translation unit as the driver evaluates it: extracted, its
/// unknowns named, with its registers and with what the authorities say of it.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_KERNELREADER_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_KERNELREADER_H

#include "KernelSettings.h"
#include "UnitRegisters.h"
#include "gpu-estimate/Lowering/Extract.h"
#include "gpu-estimate/Lowering/Values/IrPlaces.h"
#include "gpu-estimate/Model/Result/Analysis.h"

namespace gpuestimate {

struct KernelReading {
  KernelSettings Settings; ///< to be applied to Model
  KernelModel Model;
  IrPlaces Places;
  std::vector<const LaunchSite *> Sites; ///< of the unit
};

class KernelReader {
public:
  /// Before prepareForAnalysis(). Unit and S stay owned by the caller; Notices
  /// collects annotations that make no sense.
  KernelReader(const TranslationUnit &Unit, const Setup &S,
               std::vector<Notice> &Notices)
      : Unit(Unit), S(S), Notices(Notices), Registers(Unit, S.Opts) {}

  llvm::Expected<KernelReading> read(llvm::Function &F,
                                     const KernelSource &Source) const;
  KernelSettings settings(const KernelSource &Source) const;
  /// What went wrong with ptxas, or "".
  const std::string &registersNotice() const { return Registers.notice(); }

private:
  std::vector<Options> annotations(const KernelSource &Source) const;
  void readAnnotation(const SourceNote &Note, llvm::Expected<Options> Read,
                      std::vector<Options> &Into) const;

  const TranslationUnit &Unit;
  const Setup &S;
  std::vector<Notice> &Notices;
  UnitRegisters Registers;
};

} // namespace gpuestimate

#endif
