/// \file
/// A program as a child of this process, which sends its records over a socket.
#ifndef GPU_ESTIMATE_RUN_PROGRAMPROCESS_H
#define GPU_ESTIMATE_RUN_PROGRAMPROCESS_H

#include "llvm/Support/Error.h"
#include <string>
#include <sys/types.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace gpuestimate {

struct ProgramCommand {
  std::string File;
  std::vector<std::string> Arguments;
  /// Added to this process's variables, of which those that begin with
  /// GPU_ESTIMATE_RUN_ are not passed on. The socket's variable is set, too.
  std::vector<std::pair<std::string, std::string>> Environment;
  /// File descriptors for the program's standard output and standard error.
  int Output = STDOUT_FILENO, ErrorOutput = STDERR_FILENO;
  /// The program's memory has the same addresses in each run.
  bool FixedAddresses = false;
};

/// The program ends at the latest with the thread that started it.
class ProgramProcess {
public:
  /// The program is running when this returns.
  static llvm::Expected<ProgramProcess> start(const ProgramCommand &Command);
  ProgramProcess(ProgramProcess &&Other) noexcept
      : Socket(std::exchange(Other.Socket, -1)),
        Process(std::exchange(Other.Process, -1)) {}
  ProgramProcess(const ProgramProcess &) = delete;
  ~ProgramProcess() {
    if (Socket >= 0)
      close(Socket);
  }

  int socket() const { return Socket; }
  /// Waits for its end. The exit status (127: it cannot be started), or 128 and
  /// the signal's number.
  int wait();
  /// Ends it at once, if it has not ended.
  void end();

private:
  ProgramProcess() = default;
  int Socket = -1;
  pid_t Process = -1;
};

} // namespace gpuestimate

#endif
