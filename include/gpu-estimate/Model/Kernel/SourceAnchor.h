/// \file
/// Names of unknown values by their place in the source, in a form that edits
/// above the place do not change:
///
///   trip@spmv:j              the loop over j of function spmv; the second loop
///                            over j: trip@spmv:j#2; one without a variable, by
///                            its number among the loops: trip@spmv:loop3
///   branch@spmv:flag[i]>0    the condition, as written and without blanks: the
///                            share of threads for which it holds
///   value@spmv:idx[i]        what is read there; access@spmv:idx[i] names a
///                            pattern of it (or of what it addresses)
///
/// All copies of a place that inlining and unrolling make share its name, as do
/// all places of a function with equal text.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_SOURCEANCHOR_H
#define GPU_ESTIMATE_MODEL_KERNEL_SOURCEANCHOR_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

/// A comment or attribute about a place: "assume(n = 4)".
struct SourceAnnotation {
  SourceLocation Place; ///< of the text
  std::string Text;
};

struct SourceAnchor {
  enum KindType : uint8_t { Loop, Condition, Access } Kind = Loop;
  std::string Name;        ///< "spmv:j"
  SourceLocation Location; ///< that of the place's debug location
  /// Relation of a condition as written: "<", "==", ...; "" for the truth of a
  /// value. AgainstConstant: the right side is a constant.
  std::string Relation;
  bool AgainstConstant = false;
  /// Comments right above the loop or the `if`.
  std::vector<SourceAnnotation> Notes = {};
};

/// Returns true if the compiled comparison holds exactly where the written
/// condition holds, false if it holds where the condition does not, nullopt if
/// neither is certain. Compilers negate comparisons, exchange their sides and
/// move their constants. Compiled is "<", "==", ...; "" for the truth of a
/// value, "?" for another relation.
std::optional<bool> sameTruth(const SourceAnchor &Written,
                              llvm::StringRef Compiled);

/// Sets the anchors of the model's unknowns and accesses. The probability of a
/// branch becomes the probability of the condition as written. Returns the
/// names of those that are now 1 less what they were.
std::vector<std::string> nameUnknowns(KernelModel &Kernel,
                                      const std::vector<SourceAnchor> &Anchors);

} // namespace gpuestimate

#endif
