/// \file
/// The groups of diagnostics (`-Wgpu-estimate-<name>` in compiler terms): one
/// table for emission, silencing and docs/diagnostics.md.
#ifndef GPU_ESTIMATE_REPORT_DIAGNOSTICS_DIAGNOSTICTABLE_H
#define GPU_ESTIMATE_REPORT_DIAGNOSTICS_DIAGNOSTICTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

enum class DiagnosticGroup : uint8_t {
  Time,
  Budget,
  Against,
  Uncoalesced,
  Indirect,
  Misaligned,
  Stride,
  BankConflict,
  ConstantDivergence,
  AtomicContention,
  RedundantLoad,
  LocalArray,
  Spill,
  Occupancy,
  Launch,
  Tail,
  Mapping,
  Divergence,
  Energy,
  Assumption,
  Unresolved,
  Input,
};

/// Remarks and warnings never stop a build, not even under -Werror; warnings
/// are about the user's own statements. Errors are the diagnostics of groups
/// that --error names.
enum class DiagnosticSeverity : uint8_t { Remark, Warning, Error };

struct DiagnosticGroupInfo {
  DiagnosticGroup Group;
  llvm::StringRef Name; ///< "time": the group is -Wgpu-estimate-time
  DiagnosticSeverity Severity;
  llvm::StringRef Says;    ///< one sentence for the reference page
  llvm::StringRef When;    ///< the exact condition
  llvm::StringRef Example; ///< a line as it is printed
};

llvm::ArrayRef<DiagnosticGroupInfo> diagnosticTable();
const DiagnosticGroupInfo &info(DiagnosticGroup Group);
/// By name, with or without the prefix "gpu-estimate-"; null when unknown.
const DiagnosticGroupInfo *findDiagnosticGroup(llvm::StringRef Name);
/// True if Names (of groups, or "all") contain this group.
bool containsGroup(llvm::ArrayRef<std::string> Names, DiagnosticGroup Group);
/// "time, uncoalesced, ..."
std::string diagnosticGroupNames();

/// The reference page docs/diagnostics.md, generated from the table.
std::string diagnosticReference();

} // namespace gpuestimate

#endif
