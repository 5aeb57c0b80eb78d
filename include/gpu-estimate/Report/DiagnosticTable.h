/// \file
/// The groups of diagnostics (`-Wgpu-estimate-<name>` in compiler terms): one
/// table for emission, silencing and docs/diagnostics.md.
#ifndef GPU_ESTIMATE_REPORT_DIAGNOSTICTABLE_H
#define GPU_ESTIMATE_REPORT_DIAGNOSTICTABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

enum class DiagnosticGroup : uint8_t {
  Time,
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
  Assumption,
  Unresolved,
  Input,
};

/// Remarks never stop a build, not even under -Werror; warnings are about the
/// input that was given to this tool.
enum class DiagnosticSeverity : uint8_t { Remark, Warning };

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
/// "time, uncoalesced, ..."
std::string diagnosticGroupNames();

/// The reference page docs/diagnostics.md, generated from the table.
std::string diagnosticReference();

} // namespace gpuestimate

#endif
