/// \file
/// What a compiler's command line would compile, as far as a wrapper must know.
/// Neither LLVM nor clang: a call that has nothing to analyse should cost a
/// build nothing.
#ifndef GPU_ESTIMATE_COMMAND_COMPILERCALL_H
#define GPU_ESTIMATE_COMMAND_COMPILERCALL_H

#include <string>
#include <string_view>
#include <vector>

namespace gpuestimate {

struct CompilerCall {
  enum KindType { Other, Clang, Nvcc } Kind = Other;
  /// Index of the compiler's name: launchers such as ccache, and our own
  /// wrapper with its options, stand before it.
  size_t Compiler = 0;
  /// What follows it, with the contents of files of arguments in place.
  std::vector<std::string> Arguments;
  /// Sources, objects and libraries, as the command spells them.
  std::vector<std::string> Inputs;
  /// CUDA and HIP files, and C and C++ files among them. None where the command
  /// only preprocesses, links or asks something.
  std::vector<std::string> GpuSources, HostSources;
  std::string Output;         ///< of -o; empty: the compiler's default
  bool Links = false;         ///< neither -c nor another single step
  unsigned Architectures = 0; ///< GPU architectures that a clang is asked for
  bool OnlyHost = false;      ///< clang leaves the device side out
  bool HasOurPlugin = false;
};

/// Words: launchers, compiler, arguments; Directory: where relative names
/// start, empty for the current one. Of a file of arguments (@FILE) that is
/// missing nothing is said: it is the compiler's to complain about.
CompilerCall readCompilerCall(const std::vector<std::string> &Words,
                              const std::string &Directory = "");

/// The sources of a call that are worth an analysis: those for a GPU, and of
/// C and C++ those that mention one of the directives; with Offload all.
std::vector<std::string> sourcesToAnalyse(const CompilerCall &Call,
                                          bool Offload,
                                          const std::string &Directory = "");

/// Name for the record of a source in a folder of results: another one for
/// each directory, source and output of a compile.
std::string recordName(const std::string &Directory, const std::string &Source,
                       const std::string &Output);

/// Words as a shell reads them: blanks separate, quotes and backslashes join.
std::vector<std::string> splitWords(std::string_view Text);

} // namespace gpuestimate

#endif
