/// \file
/// Loop nests of plain C on their way to kernels: what other machines need of
/// them, and which proposals are kept.
#ifndef GPU_ESTIMATE_SESSION_PIPELINE_NESTVARIANTS_H
#define GPU_ESTIMATE_SESSION_PIPELINE_NESTVARIANTS_H

#include "gpu-estimate/Offload/Offload.h"
#include "gpu-estimate/Session/Pipeline/NestComparison.h"
#include "llvm/IR/Module.h"

namespace gpuestimate {

/// Makes kernels of the loop nests of Unit (offloadNests). Returns the module
/// as it was before, where a CPU is compared with; null otherwise.
std::unique_ptr<llvm::Module> offloadLoopNests(TranslationUnit &Unit,
                                               const Setup &S);

/// The forms of the nest behind kernel F that the machines of S need. HostCode
/// is the result of offloadLoopNests. F is changed: its model for the GPU must
/// have been extracted.
llvm::Expected<NestVariants> compileVariants(llvm::Function &F,
                                             const KernelSource &Source,
                                             const llvm::Module *HostCode,
                                             const Setup &S);

/// Removes estimates, from index First on, of a nest that --offload auto
/// proposed and that a CPU of --against runs faster, copies included; the
/// reason becomes an Unresolved.
void dropProposals(Analysis &Result, const KernelSource &Source, size_t First);

} // namespace gpuestimate

#endif
