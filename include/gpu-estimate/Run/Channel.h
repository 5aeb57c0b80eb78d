/// \file
/// Records as a stream: one JSON object a line, over a socket between the
/// user's process and `gpu-estimate run`, and in a saved run.
#ifndef GPU_ESTIMATE_RUN_CHANNEL_H
#define GPU_ESTIMATE_RUN_CHANNEL_H

#include "gpu-estimate/Run/Records.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace gpuestimate {

/// One line without its newline, and back. An error names the field.
std::string toJson(const RunRecord &R);
llvm::Expected<RunRecord> parseRunRecord(llvm::StringRef Line);
std::string toJson(const RunReply &R);
llvm::Expected<RunReply> parseRunReply(llvm::StringRef Line);

/// The writer's end, in the user's process. Not thread-safe: the runtime
/// library calls it under its own lock.
class RunWriter {
public:
  /// Socket stays owned by the caller.
  explicit RunWriter(int Socket) : Socket(Socket) {}
  /// Buffers records that ask nothing; sends all and waits for the reply where
  /// the record asks. When the reader is gone, the program runs on: the reply
  /// then has the record's own time.
  RunReply write(const RunRecord &R);
  void flush();

private:
  int Socket;
  bool Gone = false;
  std::string Out, In;
};

/// The reader's end. Calls Handle for each record until RunExit or the end of
/// the stream, and sends what it returns where the record asks. An error names
/// the record that cannot be read.
llvm::Error
serveRun(int Socket,
         llvm::function_ref<llvm::Expected<RunReply>(RunRecord &&)> Handle);

/// A saved run: a line {"schema": "gpu-estimate-saved-run/3", "records": N},
/// then the records as lines, compressed in chunks with zstd (docs/run.md).
/// Saving replaces the file only when all is written. An error of loading names
/// the file, and the record if one cannot be read.
llvm::Error saveRun(llvm::StringRef File, llvm::ArrayRef<RunRecord> Records);
llvm::Expected<std::vector<RunRecord>> loadRun(llvm::StringRef File);

} // namespace gpuestimate

#endif
