/// \file
/// `gpu-estimate cc COMPILER ARGS...`: the compiler as it is, and an analysis
/// of what it compiles.
#ifndef GPU_ESTIMATE_TOOLS_FRONT_WRAPPER_H
#define GPU_ESTIMATE_TOOLS_FRONT_WRAPPER_H

#include <string>
#include <vector>

namespace gpuestimate {

/// Where the parts of the installation lie, seen from this executable.
struct Installation {
  std::string Self;   ///< this executable, without links
  std::string Tool;   ///< the command line tool proper
  std::string Plugin; ///< the clang plugin
};

/// Words: options of the wrapper (--KEY, --KEY=VALUE), then launchers, compiler
/// and arguments. Options also come from the environment variable
/// GPU_ESTIMATE_OPTIONS. Returns the exit status of the compiler, or 1 where
/// the analysis finds what the user calls an error; dies of the signal that the
/// compiler died of. Its own problems are remarks.
int runWrapper(const Installation &Here, std::vector<std::string> Words);

/// Called by the name of a compiler (a link to this executable): the next
/// program of that name on PATH is wrapped.
int runAsCompiler(const Installation &Here, const std::string &Name,
                  std::vector<std::string> Args);

/// In place of this process; Words[0] is looked up on PATH. Returns only when
/// it cannot be run: 127 or 126, as a shell would.
int replaceProcess(const std::vector<std::string> &Words);

} // namespace gpuestimate

#endif
