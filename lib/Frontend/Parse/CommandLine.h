/// \file
/// Arguments of clang's driver for a parse request.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_COMMANDLINE_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_COMMANDLINE_H

#include "gpu-estimate/Frontend/Frontend.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuestimate {

/// A compile command without compiler name, input, output and flags for the
/// kind of output, then the arguments of the request.
struct CompileCommand {
  std::vector<std::string> Args; ///< clang's spelling
  std::string Directory;         ///< relative paths start here; "" = current
  std::string File;              ///< the input as the command spells it
  unsigned MaxRegisters = 0;     ///< nvcc -maxrregcount
  /// Arguments for nvcc (NvccCommand::Arguments); none of clang's command.
  std::vector<std::string> NvccArgs;
  /// The command's compiler, if there is a command that names one.
  std::optional<DeviceCompiler> Compiler;
};

/// The command for File in BuildPath/compile_commands.json.
llvm::Expected<CompileCommand> findCompileCommand(const std::string &BuildPath,
                                                  const std::string &File);

/// Reduces a command line (launchers, compiler, arguments) that compiles Input
/// in Directory. Errors spell Input as it is given.
CompileCommand reduceCommand(llvm::ArrayRef<std::string> Words,
                             llvm::StringRef Directory, llvm::StringRef Input);

/// nvcc's arguments (compiler name excluded) in clang's spelling. Flags that
/// do not change the device code of an analysis are dropped. Input files are
/// kept. MaxRegisters is set when the command limits registers.
std::vector<std::string> translateNvccArgs(llvm::ArrayRef<std::string> Args,
                                           unsigned &MaxRegisters);

/// Arguments that a user gives to clang++, with nvcc's options among them in
/// clang's spelling. An option of both compilers keeps the meaning that it has
/// for clang.
std::vector<std::string> translateMixedArgs(llvm::ArrayRef<std::string> Args,
                                            unsigned &MaxRegisters);

/// The arguments of nvcc that a compile to PTX depends on.
std::vector<std::string> nvccArgsForPtx(llvm::ArrayRef<std::string> Args);

/// Such arguments in nvcc's spelling, of those that a user gives to clang++,
/// with nvcc's options among them. What nvcc has no option for is left out.
std::vector<std::string> mixedArgsForPtx(llvm::ArrayRef<std::string> Args);

/// The architecture of the first of nvcc's options that names one
/// (-arch=compute_90a: "sm_90a"), as nvcc knows it; "" without.
std::string nvccArchitecture(llvm::ArrayRef<std::string> Args);

/// Is the command's file CUDA?
bool isCuda(const ParseRequest &Request, const CompileCommand &Command);

/// Do the given arguments choose the headers of CUDA?
bool choosesHeaders(llvm::ArrayRef<std::string> Given);

/// The compiler of a CUDA file's device code.
DeviceCompiler deviceCompiler(const ParseRequest &Request,
                              const CompileCommand &Command);

/// Arguments for a syntax-only run of clang's driver, with its name first. CUDA
/// and HIP files are compiled for the device. Host is set for plain C and C++.
std::vector<std::string> driverArguments(const ParseRequest &Request,
                                         const CompileCommand &Command,
                                         bool &Host);

/// Words for clang++ that compile the host side, with its name first
/// (DeviceImage.h).
std::vector<std::string> hostArguments(const ParseRequest &Request,
                                       const CompileCommand &Command,
                                       llvm::StringRef DeviceImage);

} // namespace gpuestimate

#endif
