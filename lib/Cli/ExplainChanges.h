/// \file
/// Which edit of the source is behind a change of predicted times: the earlier
/// sources come from git, and each edit is analysed alone.
#ifndef GPU_ESTIMATE_LIB_CLI_EXPLAINCHANGES_H
#define GPU_ESTIMATE_LIB_CLI_EXPLAINCHANGES_H

#include "gpu-estimate/Report/Records/Snapshot.h"
#include "gpu-estimate/Session/Settings/Options.h"

namespace gpuestimate {

/// Fills in Earlier and Edits of the changes. Options::Explain is the revision
/// of git that the golden file describes; empty: the last one that changed the
/// golden file. FilesRead: the sources and headers that the analysis has read.
/// Rows keeps what Earlier points to. Needs the programs git and tar; nothing
/// of the working tree is changed.
llvm::Error explainChanges(const Options &O,
                           llvm::ArrayRef<std::string> FilesRead,
                           std::vector<SnapshotChange> &Changes,
                           std::vector<SnapshotRow> &Rows);

} // namespace gpuestimate

#endif
