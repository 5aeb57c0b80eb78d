/// \file
/// NVRTC and hipRTC: a source that the program has as text is compiled by the
/// tool that runs the program, as `gpu-estimate cc --run nvcc -fatbin` compiles
/// a file, or `hipcc --genco` for a GPU of AMD. What a program takes for PTX is
/// the same image as text.
#include "Modules.h"
#include "Process.h"
#include "gpu-estimate/Run/Environment.h"
#include "gpu-estimate/Run/ImageText.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <map>

#pragma GCC visibility push(default)
#include "nvrtc.h"
#pragma GCC visibility pop

using namespace gpuestimate;

struct _nvrtcProgram {
  std::string Source, Name;
  std::vector<std::pair<std::string, std::string>> Headers; ///< name, text
  std::vector<std::string> NameExpressions;
  std::map<std::string, std::string> LoweredNames; ///< by expression
  std::string Image, Text, Log;
  bool IsCompiled = false;
};

namespace {

/// Variables that hold the addresses of what name expressions name.
constexpr char NamePrefix[] = "gpu_estimate_name_";

/// Options whose value may be the next word are joined to it.
std::vector<std::string>
joinedOptions(llvm::ArrayRef<llvm::StringRef> Options) {
  std::vector<std::string> Joined;
  for (size_t I = 0; I < Options.size(); ++I) {
    llvm::StringRef Option = Options[I];
    bool IsShort = Option == "-I" || Option == "-D" || Option == "-U";
    bool IsLong = llvm::is_contained(
        {"-arch", "-std", "--gpu-architecture", "--std", "--include-path",
         "--define-macro", "--undefine-macro", "--pre-include", "-include"},
        Option);
    if ((IsShort || IsLong) && I + 1 < Options.size())
      Joined.push_back((Option + (IsLong ? "=" : "") + Options[++I]).str());
    else
      Joined.push_back(Option.str());
  }
  return Joined;
}

/// The word for the compiler that an option of NVRTC or hipRTC becomes; nothing
/// for an option that is ignored.
std::optional<std::string> compilerWord(llvm::StringRef Option, bool IsHip) {
  if (Option.starts_with("--include-path="))
    return ("-I" + Option.split('=').second).str();
  if (Option.starts_with("--define-macro="))
    return ("-D" + Option.split('=').second).str();
  if (Option.starts_with("--undefine-macro="))
    return ("-U" + Option.split('=').second).str();
  if (Option.starts_with("--pre-include=") || Option.starts_with("-include="))
    return ("--pre-include=" + Option.split('=').second).str();
  if (IsHip && (Option.starts_with("--gpu-architecture=") ||
                Option.starts_with("--offload-arch=")))
    return "--offload-arch=" + Option.split('=').second.str();
  if (Option.starts_with("--gpu-architecture=") || Option.starts_with("-arch="))
    return "-arch=sm_" +
           Option.split('=').second.ltrim("abcdefghijklmnopqrstuvwxyz_").str();
  if (Option.starts_with("-I") || Option.starts_with("-D") ||
      Option.starts_with("-U") || Option.starts_with("-std=") ||
      Option.starts_with("--std=") || Option.starts_with("--use_fast_math") ||
      Option.starts_with("-use_fast_math") || Option.starts_with("--fmad=") ||
      Option.starts_with("-fmad="))
    return Option.str();
  return std::nullopt;
}

llvm::Error writeFile(const llvm::Twine &Path, llvm::StringRef Text) {
  std::string File = Path.str();
  llvm::sys::fs::create_directories(llvm::sys::path::parent_path(File));
  std::error_code Problem;
  llvm::raw_fd_ostream OS(File, Problem);
  if (Problem)
    return llvm::createStringError(Problem, "%s", File.c_str());
  OS << Text;
  return llvm::Error::success();
}

/// The source with the macro by which sources tell the compiler, and with a
/// variable for each name expression: its initial value is what the expression
/// names.
std::string wholeSource(const _nvrtcProgram &P, bool DefaultsToDevice,
                        bool IsHip) {
  std::string Text = IsHip ? "#define __HIPCC_RTC__ 1\n"
                             "#include <hip/hip_runtime.h>\n"
                             "template <auto *Kernel> struct "
                             "gpu_estimate_address { static constexpr auto "
                             "*value = Kernel; };\n"
                           : "#define __CUDACC_RTC__ 1\n";
  if (DefaultsToDevice)
    Text += "#pragma clang force_cuda_host_device begin\n";
  Text += "#line 1\n" + P.Source + "\n";
  if (DefaultsToDevice)
    Text += "#pragma clang force_cuda_host_device end\n";
  for (auto [Number, Given] : llvm::enumerate(P.NameExpressions)) {
    llvm::StringRef Name = llvm::StringRef(Given).trim();
    Name.consume_front("&");
    Text += ("__device__ const void *" + llvm::Twine(NamePrefix) +
             llvm::Twine(Number) + " = (const void *)gpu_estimate_address<&" +
             Name + ">::value;\n")
                .str();
  }
  return Text;
}

/// Takes the lowered names from the variables of wholeSource().
void readNames(_nvrtcProgram &P, llvm::StringRef Bitcode) {
  llvm::LLVMContext Context;
  auto M =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(Bitcode, P.Name), Context);
  if (!M)
    return llvm::consumeError(M.takeError());
  for (auto [Number, Name] : llvm::enumerate(P.NameExpressions)) {
    const llvm::GlobalVariable *Holder =
        (*M)->getNamedGlobal(NamePrefix + std::to_string(Number));
    if (Holder && Holder->hasInitializer())
      P.LoweredNames[Name] =
          Holder->getInitializer()->stripPointerCasts()->getName().str();
  }
}

/// Compiles in a folder of its own; the log has what the compiler says.
nvrtcResult compileIn(_nvrtcProgram &P, llvm::StringRef Folder,
                      llvm::ArrayRef<llvm::StringRef> Options,
                      const DeviceFacts &Device) {
  const bool IsHip = Device.IsAmd;
  const char *Tool = std::getenv(runenvironment::Tool);
  if (!Tool) {
    P.Log = "gpu-estimate: no compiler: start the program by gpu-estimate run";
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
  auto inFolder = [&](const llvm::Twine &Name) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  };
  bool DefaultsToDevice = llvm::any_of(Options, [](llvm::StringRef O) {
    return O.ltrim('-') == "default-device" ||
           O.ltrim('-') == "device-as-default-execution-space";
  });
  llvm::StringRef Stem = llvm::sys::path::stem(P.Name);
  std::string File = inFolder((Stem.empty() ? "program" : Stem) +
                              (IsHip ? ".hip" : ".cu")),
              Image = inFolder("image"), Messages = inFolder("messages");
  if (llvm::Error E =
          writeFile(File, wholeSource(P, DefaultsToDevice, IsHip))) {
    P.Log = llvm::toString(std::move(E));
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  }
  for (const auto &[Name, Text] : P.Headers)
    llvm::consumeError(writeFile(inFolder(Name), Text));
  std::vector<std::string> Words = {Tool, "build-command", "--"};
  Words.push_back(IsHip ? "hipcc" : "nvcc");
  Words.insert(Words.end(), {IsHip ? "--genco" : "-fatbin", File, "-o", Image});
  bool HasArch = false;
  std::string Ignored;
  for (const std::string &Option : joinedOptions(Options)) {
    std::optional<std::string> Word = compilerWord(Option, IsHip);
    if (!Word) {
      Ignored += " " + Option;
      continue;
    }
    HasArch |= llvm::StringRef(*Word).contains("-arch=");
    Words.push_back(std::move(*Word));
  }
  if (!HasArch)
    Words.push_back((IsHip ? "--offload-arch=" : "-arch=") + Device.Arch);
  Words.push_back("-I" + Folder.str());
  llvm::SmallString<128> Current;
  if (!llvm::sys::fs::current_path(Current))
    Words.push_back("-I" + Current.str().str());
  std::vector<llvm::StringRef> Arguments(Words.begin(), Words.end());
  std::optional<llvm::StringRef> Redirects[] = {llvm::StringRef(), Messages,
                                                Messages};
  int Status =
      llvm::sys::ExecuteAndWait(Tool, Arguments, std::nullopt, Redirects);
  if (auto Text = llvm::MemoryBuffer::getFile(Messages))
    P.Log = (*Text)->getBuffer().str();
  if (!Ignored.empty())
    P.Log += "gpu-estimate: options without an effect here:" + Ignored + "\n";
  if (Status != 0)
    return NVRTC_ERROR_COMPILATION;
  auto Result = llvm::MemoryBuffer::getFile(Image);
  if (!Result)
    return NVRTC_ERROR_INTERNAL_ERROR;
  P.Image = (*Result)->getBuffer().str();
  return NVRTC_SUCCESS;
}

nvrtcResult copyText(const std::string &Text, char *To) {
  if (!To)
    return NVRTC_ERROR_INVALID_INPUT;
  std::memcpy(To, Text.c_str(), Text.size() + 1);
  return NVRTC_SUCCESS;
}

} // namespace

extern "C" {

const char *nvrtcGetErrorString(nvrtcResult Result) {
  switch (Result) {
  case NVRTC_SUCCESS:
    return "NVRTC_SUCCESS";
  case NVRTC_ERROR_INVALID_INPUT:
    return "NVRTC_ERROR_INVALID_INPUT";
  case NVRTC_ERROR_INVALID_PROGRAM:
    return "NVRTC_ERROR_INVALID_PROGRAM";
  case NVRTC_ERROR_COMPILATION:
    return "NVRTC_ERROR_COMPILATION";
  case NVRTC_ERROR_BUILTIN_OPERATION_FAILURE:
    return "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE";
  case NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION:
    return "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
  case NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION:
    return "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
  case NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID:
    return "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
  default:
    return "NVRTC_ERROR_INTERNAL_ERROR";
  }
}

nvrtcResult nvrtcVersion(int *Major, int *Minor) {
  if (!Major || !Minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *Major = 13;
  *Minor = 0;
  return NVRTC_SUCCESS;
}

// The architecture of the device is the one that can execute here.
nvrtcResult nvrtcGetNumSupportedArchs(int *Count) {
  *Count = 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetSupportedArchs(int *Architectures) {
  ApiCall Call(__func__);
  *Architectures = int(Call->Device.Major * 10 + Call->Device.Minor);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *Result, const char *Source,
                               const char *Name, int NumHeaders,
                               const char *const *Headers,
                               const char *const *IncludeNames) {
  if (!Result || !Source)
    return NVRTC_ERROR_INVALID_INPUT;
  auto *P = new _nvrtcProgram;
  P->Source = Source;
  P->Name = Name ? Name : "default_program";
  for (int I = 0; I < NumHeaders; ++I)
    P->Headers.push_back({IncludeNames[I], Headers[I]});
  *Result = P;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *P) {
  if (!P || !*P)
    return NVRTC_ERROR_INVALID_PROGRAM;
  delete std::exchange(*P, nullptr);
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram P, int NumOptions,
                                const char *const *Options) {
  if (!P)
    return NVRTC_ERROR_INVALID_PROGRAM;
  // The program waits for the compiler here as it would there, so that the
  // compile belongs to the program's own time.
  ApiCall Call(__func__);
  llvm::SmallString<128> Folder;
  if (llvm::sys::fs::createUniqueDirectory("gpu-estimate-nvrtc", Folder))
    return NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
  auto Remove =
      llvm::make_scope_exit([&] { llvm::sys::fs::remove_directories(Folder); });
  std::vector<llvm::StringRef> Words(Options, Options + NumOptions);
  nvrtcResult Result = compileIn(*P, Folder, Words, Call->Device);
  Call.record(RunCall{});
  if (Result != NVRTC_SUCCESS)
    return Result;
  P->IsCompiled = true;
  P->Text = textOfImage(P->Image);
  if (auto Bitcode = findBitcode(P->Image.data()))
    readNames(*P, *Bitcode);
  else
    llvm::consumeError(Bitcode.takeError());
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram P, size_t *Bytes) {
  if (!P || !P->IsCompiled)
    return NVRTC_ERROR_INVALID_PROGRAM;
  *Bytes = P->Text.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPTX(nvrtcProgram P, char *Text) {
  if (!P || !P->IsCompiled)
    return NVRTC_ERROR_INVALID_PROGRAM;
  return copyText(P->Text, Text);
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram P, size_t *Bytes) {
  if (!P || !P->IsCompiled)
    return NVRTC_ERROR_INVALID_PROGRAM;
  *Bytes = P->Image.size();
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram P, char *Image) {
  if (!P || !P->IsCompiled)
    return NVRTC_ERROR_INVALID_PROGRAM;
  std::memcpy(Image, P->Image.data(), P->Image.size());
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram P, size_t *Bytes) {
  if (!P)
    return NVRTC_ERROR_INVALID_PROGRAM;
  *Bytes = P->Log.size() + 1;
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetProgramLog(nvrtcProgram P, char *Text) {
  return P ? copyText(P->Log, Text) : NVRTC_ERROR_INVALID_PROGRAM;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram P, const char *Name) {
  if (!P || !Name)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (P->IsCompiled)
    return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  P->NameExpressions.push_back(Name);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetLoweredName(nvrtcProgram P, const char *Name,
                                const char **Lowered) {
  if (!P || !Name || !Lowered)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!P->IsCompiled)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  auto Found = P->LoweredNames.find(Name);
  if (Found == P->LoweredNames.end())
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
  *Lowered = Found->second.c_str();
  return NVRTC_SUCCESS;
}

} // extern "C"
