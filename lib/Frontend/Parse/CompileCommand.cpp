/// \file
/// A file's command from a compilation database, reduced to what matters for
/// parsing the file again.
#include "CommandLine.h"

#include "gpu-estimate/Wrapper/CompilerCall.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace gpuestimate {

namespace {

std::string absolute(llvm::StringRef Path, llvm::StringRef Directory) {
  llvm::SmallString<256> Full(Path);
  if (!llvm::sys::path::is_absolute(Full)) {
    Full = Directory;
    llvm::sys::path::append(Full, Path);
  }
  llvm::sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full.str().str();
}

/// Drops inputs, output, and the kind of output.
std::vector<std::string> keepParsingArgs(llvm::ArrayRef<std::string> Args,
                                         llvm::ArrayRef<std::string> Inputs) {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Args.size(); ++I) {
    llvm::StringRef Arg = Args[I];
    if (Arg == "-o" || Arg == "-MF" || Arg == "-MT" || Arg == "-MQ" ||
        Arg == "--output-file") {
      ++I;
      continue;
    }
    bool WithPrefix =
        Arg.starts_with("-o") && Arg.size() > 2 && !Arg.starts_with("-openmp");
    if (WithPrefix || Arg == "-c" || Arg == "-S" || Arg == "-E" ||
        Arg == "-emit-llvm" || Arg == "-M" || Arg == "-MM" || Arg == "-MD" ||
        Arg == "-MMD" || Arg == "-MP" || Arg == "--" ||
        Arg == "-fsyntax-only" || Arg == "--cuda-host-only" ||
        Arg == "--genco" || Arg == "--hip-link" ||
        Arg.starts_with("-save-temps"))
      continue;
    if (llvm::is_contained(Inputs, Arg))
      continue;
    Result.push_back(Arg.str());
  }
  return Result;
}

} // namespace

static llvm::Expected<std::unique_ptr<clang::tooling::JSONCompilationDatabase>>
loadDatabase(const std::string &Path) {
  std::string Message;
  auto Database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      Path, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return llvm::createStringError("%s: %s", Path.c_str(), Message.c_str());
  return Database;
}

static std::string databaseFile(const std::string &BuildPath) {
  return BuildPath + "/compile_commands.json";
}

llvm::Expected<std::vector<DatabaseCommand>>
readDatabase(const std::string &BuildPath) {
  auto Database = loadDatabase(databaseFile(BuildPath));
  if (!Database)
    return Database.takeError();
  llvm::SmallString<256> Current;
  llvm::sys::fs::current_path(Current);
  std::vector<DatabaseCommand> Commands;
  for (clang::tooling::CompileCommand &C : (*Database)->getAllCompileCommands())
    Commands.push_back(
        {std::move(C.CommandLine), absolute(C.Directory, Current)});
  return Commands;
}

llvm::Expected<CompileCommand> findCompileCommand(const std::string &BuildPath,
                                                  const std::string &File) {
  std::string Path = databaseFile(BuildPath);
  auto Database = loadDatabase(Path);
  if (!Database)
    return Database.takeError();

  llvm::SmallString<256> Current;
  llvm::sys::fs::current_path(Current);
  std::string Input = absolute(File, Current);
  auto Commands = (*Database)->getCompileCommands(Input);
  if (Commands.empty())
    return llvm::createStringError("%s has no command for %s", Path.c_str(),
                                   Input.c_str());

  clang::tooling::CompileCommand &Match = Commands.front();
  return reduceCommand(Match.CommandLine, absolute(Match.Directory, Current),
                       Input);
}

CompileCommand reduceCommand(llvm::ArrayRef<std::string> Words,
                             llvm::StringRef Directory, llvm::StringRef Input) {
  CompileCommand Result;
  Result.Directory = Directory.str();
  Result.File = Input.str();
  if (Words.empty())
    return Result;
  CompilerCall Call = parseCompilerCall(Words, Result.Directory);
  if (Call.Kind != CompilerCall::Other)
    Result.Compiler = Call.Kind == CompilerCall::Nvcc ? DeviceCompiler::Nvcc
                                                      : DeviceCompiler::Clang;
  if (Call.Kind == CompilerCall::Nvcc)
    Result.NvccArgs =
        keepParsingArgs(nvccArgsForPtx(Call.Arguments), Call.Inputs);
  Result.Args = keepParsingArgs(
      Call.Kind == CompilerCall::Nvcc
          ? translateNvccArgs(Call.Arguments, Result.MaxRegisters)
          : Call.Arguments,
      Call.Inputs);
  return Result;
}

} // namespace gpuestimate
