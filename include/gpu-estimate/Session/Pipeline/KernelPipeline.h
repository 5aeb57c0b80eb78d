/// \file
/// The path from a parsed source file to kernel models. Every command uses it:
///
///   parseRequest() -> parse() -> KernelPipeline -> KernelPipeline::read()
///
/// The constructor of KernelPipeline makes kernels of loop nests, asks nvcc or
/// ptxas for registers, and runs prepareForAnalysis(), in this order. read()
/// lowers one kernel and adds the names of its unknowns, its annotations and
/// its registers, and applies its settings.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_KERNELPIPELINE_H
#define GPU_ESTIMATE_SESSION_PIPELINE_KERNELPIPELINE_H

#include "gpu-estimate/Lowering/LowerKernel.h"
#include "gpu-estimate/Lowering/Values/IrOrigins.h"
#include "gpu-estimate/Model/Result/Analysis.h"
#include "gpu-estimate/Session/Pipeline/KernelSettings.h"
#include "gpu-estimate/Session/Pipeline/NestVariants.h"
#include "gpu-estimate/Session/Pipeline/RegisterCounts.h"

namespace gpuestimate {

/// One kernel, ready for evaluation.
struct KernelReading {
  KernelSettings Settings; ///< applied to Model
  KernelModel Model;
  IrOrigins Places;
  std::vector<const LaunchSite *> Sites; ///< owned by the translation unit
  /// What --param may name, before settings are applied.
  std::vector<std::string> ParameterNames;
  /// Entries and names of the configuration that meant something.
  std::vector<std::string> UsedSettings;
};

class KernelPipeline {
public:
  /// Limits of the steps over the whole module.
  enum class StepLimits : uint8_t {
    None,
    Deadline ///< --deadline and --memory-limit, and a guard against crashes
  };

  /// Runs steps 1 to 3. S stays owned by the caller. Notices collects problems
  /// of ptxas and annotations that are ignored.
  KernelPipeline(TranslationUnit &&Unit, const Setup &S, StepLimits Limits,
                 std::vector<Notice> &Notices);
  KernelPipeline(const KernelPipeline &) = delete;

  const TranslationUnit &unit() const { return Unit; }
  /// The reason why no kernel of the unit can be read, or "".
  const std::string &failure() const { return Failure; }
  /// Work units of step 3 under StepLimits::Deadline.
  std::optional<uint64_t> preparationWork() const { return PreparationWork; }

  /// The code of a kernel; null if the compiler has removed it.
  llvm::Function *code(const KernelSource &Source) const;
  /// Special: as for lowerKernel(); --divisions has precedence, and then there
  /// are no Places.Divisions. Errors: also a kernel without code.
  llvm::Expected<KernelReading>
  read(const KernelSource &Source,
       const SpecialDivisions *Special = nullptr) const;
  /// The versions of a loop nest that the targets of --against run. Changes
  /// its code, so that it must have been read before.
  llvm::Expected<NestVariants> variants(const KernelSource &Source) const;
  KernelSettings settings(const KernelSource &Source) const;
  /// What ptxas says of a kernel in place of Estimated, where it says anything.
  std::optional<Resources> assembled(const Resources &Estimated,
                                     const KernelSource &Source) const;

private:
  void offloadLoops();
  std::string cardArch() const;
  void setRegisters(KernelReading &Reading, const KernelSource &Source,
                    const llvm::Function &Code) const;
  void simplifyModule();
  std::vector<Options> annotations(const KernelSource &Source) const;
  void readAnnotation(const SourceAnnotation &Note,
                      llvm::Expected<Options> Parsed,
                      std::vector<Options> &Into) const;

  TranslationUnit Unit;
  const Setup &S;
  StepLimits Limits;
  std::vector<Notice> &Notices;
  /// The host's module before its loop nests became kernels; may be null.
  std::unique_ptr<llvm::Module> HostCode;
  std::optional<RegisterCounts> Registers;
  std::string Failure;
  std::optional<uint64_t> PreparationWork;
};

/// The reason for a kernel whose analysis crashed.
std::string crashReason();

} // namespace gpuestimate

#endif
