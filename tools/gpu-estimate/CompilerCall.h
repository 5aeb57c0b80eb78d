/// \file
/// What a compiler's command line would compile, as far as a wrapper must know.
/// Neither LLVM nor clang: a call that has nothing to analyse should cost a
/// build nothing.
#ifndef GPU_ESTIMATE_TOOLS_FRONT_COMPILERCALL_H
#define GPU_ESTIMATE_TOOLS_FRONT_COMPILERCALL_H

#include <string>
#include <string_view>
#include <vector>

namespace gpuestimate {

struct CompilerCall {
  enum KindType { Other, Clang, Nvcc } Kind = Other;
  /// Index of the compiler's name: launchers such as ccache stand before it.
  size_t Compiler = 0;
  /// CUDA and HIP files, and C and C++ files; as the command spells them. None
  /// where the command only preprocesses, links or asks something.
  std::vector<std::string> GpuSources, HostSources;
  std::string Output;        ///< of -o; empty: the compiler's default
  bool Links = false;        ///< neither -c nor another single step
  unsigned Architectures = 0; ///< GPU architectures that a clang is asked for
  bool OnlyHost = false; ///< clang leaves the device side out
  bool HasOurPlugin = false;
};

/// Words: launchers, compiler, arguments. Files of arguments (@FILE) are read;
/// one that is missing is the compiler's to complain about.
CompilerCall readCompilerCall(const std::vector<std::string> &Words);

/// Whether a C or C++ file may hold a loop nest meant for a GPU: it mentions
/// one of the directives.
bool mentionsDirective(const std::string &File);

/// File name of a path, without version and extension: "nvcc", "clang++".
std::string programName(std::string_view Path);

/// Words as a shell reads them: blanks separate, quotes and backslashes join.
std::vector<std::string> splitWords(std::string_view Text);

} // namespace gpuestimate

#endif
