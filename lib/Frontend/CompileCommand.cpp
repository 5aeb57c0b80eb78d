/// \file
/// A file's command from a compilation database, reduced to what matters for
/// parsing the file again.
#include "CommandLine.h"

#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

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

/// CMake puts nvcc's include paths into a file of arguments.
void expandOptionFiles(std::vector<std::string> &Args,
                       llvm::StringRef Directory) {
  std::vector<std::string> Result;
  for (size_t I = 0; I < Args.size(); ++I) {
    llvm::StringRef Arg = Args[I], Name;
    if ((Arg == "--options-file" || Arg == "-optf") && I + 1 < Args.size())
      Name = Args[++I];
    else if (Arg.consume_front("--options-file=") ||
             Arg.consume_front("-optf=") || Arg.consume_front("@"))
      Name = Arg;
    if (Name.empty()) {
      Result.push_back(Args[I]);
      continue;
    }
    auto Buffer = llvm::MemoryBuffer::getFile(absolute(Name, Directory));
    if (!Buffer)
      continue; // a stale database; what is missing shows up while parsing
    llvm::BumpPtrAllocator Allocator;
    llvm::StringSaver Saver(Allocator);
    llvm::SmallVector<const char *> Words;
    llvm::cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Words);
    Result.insert(Result.end(), Words.begin(), Words.end());
  }
  Args = std::move(Result);
}

bool isNvcc(llvm::StringRef Compiler) {
  return llvm::sys::path::stem(Compiler).contains("nvcc");
}

/// Where the compiler's name stands: launchers such as ccache come before it,
/// and our own wrapper with its options.
size_t compilerOf(llvm::ArrayRef<std::string> Words) {
  size_t At = 0;
  while (At + 1 < Words.size()) {
    llvm::StringRef Name = llvm::sys::path::filename(Words[At]);
    if (Name == "gpu-estimate" && Words[At + 1] == "cc")
      for (At += 2; At + 1 < Words.size() &&
                    llvm::StringRef(Words[At]).starts_with("--");)
        ++At;
    else if (Name.ends_with("cache") || Name == "distcc" || Name == "icecc")
      ++At;
    else
      break;
  }
  return At;
}

/// Another file of a command with several inputs: a source or what is linked.
bool isInput(llvm::StringRef Arg, llvm::StringRef Before) {
  llvm::StringRef Ending = llvm::sys::path::extension(Arg);
  return !Arg.starts_with("-") && Before != "-include" &&
         Before != "-imacros" && Before != "-Xclang" &&
         llvm::is_contained({".cu", ".hip", ".c", ".cc", ".cpp", ".cxx", ".C",
                             ".o", ".obj", ".a", ".so"},
                            Ending);
}

/// Drops inputs, output, and the kind of output.
std::vector<std::string> keepParsingArgs(llvm::ArrayRef<std::string> Args,
                                         llvm::StringRef Input,
                                         llvm::StringRef Directory) {
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
        Arg.starts_with("-save-temps"))
      continue;
    llvm::StringRef Before = I ? llvm::StringRef(Args[I - 1]) : "";
    if (isInput(Arg, Before) ||
        (!Arg.starts_with("-") &&
         absolute(Arg, Directory) == absolute(Input, Directory)))
      continue;
    Result.push_back(Arg.str());
  }
  return Result;
}

} // namespace

llvm::Expected<CompileCommand> findCompileCommand(const std::string &BuildPath,
                                                  const std::string &File) {
  std::string Message;
  std::string Path = BuildPath + "/compile_commands.json";
  auto Database = clang::tooling::JSONCompilationDatabase::loadFromFile(
      Path, Message, clang::tooling::JSONCommandLineSyntax::AutoDetect);
  if (!Database)
    return llvm::createStringError("%s: %s", Path.c_str(), Message.c_str());

  llvm::SmallString<256> Current;
  llvm::sys::fs::current_path(Current);
  std::string Input = absolute(File, Current);
  auto Commands = Database->getCompileCommands(Input);
  if (Commands.empty())
    return llvm::createStringError("%s has no command for %s", Path.c_str(),
                                   Input.c_str());

  clang::tooling::CompileCommand &Found = Commands.front();
  return reduceCommand(Found.CommandLine, absolute(Found.Directory, Current),
                       Input);
}

CompileCommand reduceCommand(llvm::ArrayRef<std::string> Words,
                             llvm::StringRef Directory,
                             llvm::StringRef Input) {
  CompileCommand Result;
  Result.Directory = Directory.str();
  Result.File = Input.str();
  if (Words.empty())
    return Result;
  size_t Compiler = compilerOf(Words);
  std::vector<std::string> Args(Words.begin() + Compiler + 1, Words.end());
  expandOptionFiles(Args, Result.Directory);
  if (isNvcc(Words[Compiler]))
    Args = translateNvccArgs(Args, Result.MaxRegisters);
  Result.Args = keepParsingArgs(Args, Result.File, Result.Directory);
  return Result;
}

} // namespace gpuestimate
