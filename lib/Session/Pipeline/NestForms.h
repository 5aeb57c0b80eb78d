/// \file
/// Loop nests of plain C on their way to kernels: what other machines need of
/// them, and which proposals are kept.
#ifndef GPU_ESTIMATE_LIB_SESSION_PIPELINE_NESTFORMS_H
#define GPU_ESTIMATE_LIB_SESSION_PIPELINE_NESTFORMS_H

#include "NestComparison.h"
#include "gpu-estimate/Offload/Offload.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

/// What loop nests were before they became kernels.
struct HostSide {
  std::unique_ptr<llvm::Module> Code; ///< only where a CPU is compared with
  std::vector<OffloadedNest> Nests;
};

/// offloadNests(), with what it leaves behind.
HostSide takeNests(TranslationUnit &Unit, const Setup &S);

/// The forms of the nest behind kernel F that the machines of S need. F is
/// changed: its model for the GPU must have been extracted.
llvm::Expected<NestForms> otherForms(llvm::Function &F,
                                     const KernelSource &Source,
                                     const HostSide &Host, const Setup &S);

/// Of Result's estimates from First on, which are of a nest that nobody asked
/// for, those that a CPU of --against runs faster, copies included, are left
/// out with the reason.
void dropProposals(Analysis &Result, const KernelSource &Source, size_t First);

} // namespace gpuestimate

#endif
