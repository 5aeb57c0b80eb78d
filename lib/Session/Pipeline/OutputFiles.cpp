#include "gpu-estimate/Session/Pipeline/OutputFiles.h"

#include "gpu-estimate/Report/Json/Json.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace gpuestimate {

StringRef toolVersion() { return GPU_ESTIMATE_VERSION; }

ExitStatus writeOutput(const Options &O, const std::string &Text,
                       raw_ostream &Out, raw_ostream &Err) {
  if (O.OutputFile.empty()) {
    Out << Text;
    return Done;
  }
  if (Error E = writeWhole(O.OutputFile, Text)) {
    Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
    return WrongUsage;
  }
  return Done;
}

Error writeWhole(const std::string &File, StringRef Text) {
  auto Problem = [&](std::error_code Code) {
    return make_error<UsageError>(File + ": " + Code.message());
  };
  // A device or a pipe cannot be replaced.
  if (sys::fs::exists(File) && !sys::fs::is_regular_file(File)) {
    std::error_code Code;
    raw_fd_ostream OS(File, Code);
    if (Code)
      return Problem(Code);
    OS << Text;
    OS.close();
    Code = OS.error();
    OS.clear_error();
    return Code ? Problem(Code) : Error::success();
  }
  // Beside the file, where a rename is possible; not by its ending, so that
  // what a killed run leaves behind is not read.
  Expected<sys::fs::TempFile> Temporary = sys::fs::TempFile::create(
      File + ".%%%%%%%%.tmp", sys::fs::all_read | sys::fs::all_write);
  if (!Temporary)
    return Problem(errorToErrorCode(Temporary.takeError()));
  std::error_code Code;
  {
    raw_fd_ostream OS(Temporary->FD, /*shouldClose=*/false);
    OS << Text;
    OS.flush();
    Code = OS.error();
    OS.clear_error();
  }
  if (Code) {
    consumeError(Temporary->discard());
    return Problem(Code);
  }
  if (Error E = Temporary->keep(File))
    return Problem(errorToErrorCode(std::move(E)));
  return Error::success();
}

RecordOrigin originOf(StringRef Source) {
  SmallString<256> Directory;
  sys::fs::current_path(Directory);
  RecordOrigin Origin;
  Origin.Source = Source.str();
  Origin.Directory = Directory.str().str();
  return Origin;
}

Error writeJsonFile(const std::string &File, const Analysis &A,
                    const RecordOrigin &Origin) {
  std::string Text;
  raw_string_ostream Buffer(Text);
  bool Record = sys::path::extension(File) == ".jsonl";
  printJson(Buffer, A, toolVersion(), Record ? &Origin : nullptr);
  return writeWhole(File, Buffer.str());
}

} // namespace gpuestimate
