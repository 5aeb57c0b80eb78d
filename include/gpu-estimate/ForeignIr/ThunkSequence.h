/// \file
/// What XLA writes beside the code of a module when `--xla_dump_to` asks for
/// it: module_0001.jit_f.thunk_sequence.txt, the steps of an execution in their
/// order. A step is a "thunk": a launch of a kernel, a copy, a call of a
/// library, or a loop, branch or graph of thunks, which are indented below it:
///
///   001: kKernel , kernel = fusion, launch dimensions = blocks: {8, 1, 1},
///                  threads/block: {128, 1, 1}, cluster_dim = nullopt
///   002: kWhile
///   condition:
///       003: kKernel	, kernel = ...
///     body:
///       004: kGemm
///
/// Each thunk is one line. Versions of XLA differ: in older ones a line has no
/// number, in newer ones `kernel=fusion, profile_annotation=..., launch
/// dimensions=...`, in the newest the steps that it depends on and no kKernel:
///
///   001: kCustomKernel [source       | next=002 (1)] fusion grid: [8, 1, 1]
///                      threads: [128, 1, 1]  shared_memory: 0 bytes
///
/// The kinds of thunks are those of the version; a kind that is not known is a
/// step like others. Lines that are no thunk are ignored.
#ifndef GPU_ESTIMATE_FOREIGNIR_THUNKSEQUENCE_H
#define GPU_ESTIMATE_FOREIGNIR_THUNKSEQUENCE_H

#include "gpu-estimate/Model/Kernel/LaunchSequence.h"
#include "gpu-estimate/Support/FileMessage.h"
#include "llvm/ADT/StringRef.h"

namespace gpuestimate {

struct ThunkSequence {
  std::vector<SequenceStep> Steps; ///< in the order of the file
  /// Lines that say what cannot be true, and what is done with them.
  std::vector<FileMessage> Problems;
};

/// Reads the text of such a file. A text of something else has no step, and a
/// problem.
ThunkSequence readThunkSequence(llvm::StringRef Text);

/// Adds to Steps what the module's HLO tells of copies and loops: their bytes
/// (`%copy.9 = f32[4194304]{0} copy(...)`) and iterations
/// (`"known_trip_count":{"n":"10"}`). Metadata is the text of
/// *.thunk_metadata.txt, which names the instruction of each thunk, Hlo that of
/// *after_optimizations.txt. What neither of them has stays unknown.
void addHloFacts(std::vector<SequenceStep> &Steps, llvm::StringRef Metadata,
                 llvm::StringRef Hlo);

} // namespace gpuestimate

#endif
