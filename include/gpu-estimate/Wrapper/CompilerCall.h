/// \file
/// Parses the command lines of compilers for the wrapper. It uses neither LLVM
/// nor clang, so that a call without anything to analyse costs a build nothing.
#ifndef GPU_ESTIMATE_WRAPPER_COMPILERCALL_H
#define GPU_ESTIMATE_WRAPPER_COMPILERCALL_H

#include <string>
#include <string_view>
#include <vector>

namespace gpuestimate {

struct CompilerCall {
  enum KindType { Other, Clang, Nvcc } Kind = Other;
  /// Index of the compiler's name, after launchers such as ccache and after
  /// gpu-estimate's own wrapper with its options.
  size_t Compiler = 0;
  /// The arguments, with response files (@FILE) expanded.
  std::vector<std::string> Arguments;
  /// Sources, objects and libraries, as the command spells them.
  std::vector<std::string> Inputs;
  /// The CUDA and HIP files and the C and C++ files among Inputs. Empty if the
  /// command compiles nothing: it preprocesses, links or prints information.
  std::vector<std::string> GpuSources, HostSources;
  std::string Output;         ///< argument of -o; empty = default
  bool Links = false;         ///< neither -c nor another single step
  bool LinksDevice = false;   ///< nvcc's -dlink, which compiles nothing
  unsigned Architectures = 0; ///< GPU architectures that a clang is asked for
  bool OnlyHost = false;      ///< clang leaves the device side out
  bool HasOurPlugin = false;
};

/// Parses the words of a command: launchers, compiler, arguments. Relative
/// names start in Directory; empty = the current one. A missing response file
/// is ignored, because the compiler reports it.
CompilerCall parseCompilerCall(const std::vector<std::string> &Words,
                               const std::string &Directory = "");

/// The sources of a call to analyse: CUDA and HIP files, and C and C++ files
/// that contain a directive for loops. Offload: all C and C++ files.
std::vector<std::string> sourcesToAnalyze(const CompilerCall &Call,
                                          bool Offload,
                                          const std::string &Directory = "");

/// File name for the results of a source, unique for the directory, source and
/// output of a compile.
std::string recordName(const std::string &Directory, const std::string &Source,
                       const std::string &Output);

/// Splits text into words as a shell does, with quotes and backslashes.
std::vector<std::string> splitWords(std::string_view Text);

} // namespace gpuestimate

#endif
