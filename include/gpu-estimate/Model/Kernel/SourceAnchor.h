/// \file
/// Names of places in the source that an edit above them does not change, for
/// what a kernel model does not know:
///
///   trip@spmv:j              the loop over j of function spmv; the second loop
///                            over j: trip@spmv:j#2; one without a variable, by
///                            its number among the loops: trip@spmv:loop3
///   branch@spmv:flag[i]>0    the condition, as written and without blanks: the
///                            share of threads for which it holds
///   value@spmv:idx[i]        what is read there; access@spmv:idx[i] names a
///                            pattern of it (or of what it addresses)
///
/// Every copy that inlining and unrolling make of a place, and every place of
/// the function with the same text, has the same name.
#ifndef GPU_ESTIMATE_MODEL_KERNEL_SOURCEANCHOR_H
#define GPU_ESTIMATE_MODEL_KERNEL_SOURCEANCHOR_H

#include "gpu-estimate/Model/Kernel/KernelModel.h"

namespace gpuestimate {

/// Text that says something about a place: "assume(n = 4)".
struct SourceNote {
  SourceLocation Place; ///< of the text
  std::string Text;
};

struct SourceAnchor {
  enum KindType : uint8_t { Loop, Condition, Access } Kind = Loop;
  std::string Name;        ///< "spmv:j"
  SourceLocation Location; ///< that of the place's debug location
  /// Of a condition: "<", "==", ... as written, "" for the truth of a value;
  /// and whether one side is a constant, which then is the right one.
  std::string Relation;
  bool AgainstConstant = false;
  /// What a comment right above the loop or the `if` says.
  std::vector<SourceNote> Notes = {};
};

/// Does a comparison as the compiler has it hold where the condition as written
/// does (true), or where it does not (false)? Compilers negate comparisons,
/// exchange their sides and move their constants. Nothing where it cannot be
/// told. Compiled: "<", "==", ...; "" for the truth of a value,
/// "?" for another relation.
std::optional<bool> sameTruth(const SourceAnchor &Written,
                              llvm::StringRef Compiled);

/// Gives unknowns and accesses of the model their anchors. The probability of a
/// branch becomes that of the condition as it is written.
void nameUnknowns(KernelModel &Kernel,
                  const std::vector<SourceAnchor> &Anchors);

} // namespace gpuestimate

#endif
