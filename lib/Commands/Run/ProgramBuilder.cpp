#include "ProgramBuilder.h"

#include "MissingFunctions.h"
#include "gpu-estimate/Commands/Run/RunProgram.h"
#include "gpu-estimate/Frontend/DeviceImage.h"
#include "gpu-estimate/Run/GpuLibraries.h"
#include "gpu-estimate/Run/ImageText.h"
#include "gpu-estimate/Session/Pipeline/ParseRequests.h"
#include "gpu-estimate/Support/Installation.h"
#include "gpu-estimate/Wrapper/CompilerCall.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace gpuestimate {

/// Clang's OpenMP library is a package of its own.
static bool hasOpenMp() {
  SmallString<128> Library(clangProgram());
  sys::path::remove_filename(Library); // bin
  sys::path::remove_filename(Library);
  sys::path::append(Library, "lib", "libomp.so");
  return sys::fs::exists(Library);
}

/// Without that library, pragmas have no effect, and GCC's library answers the
/// calls of the program.
static std::vector<std::string> openMpWords(std::vector<std::string> Words,
                                            bool Links) {
  if (hasOpenMp())
    return Words;
  std::replace(Words.begin(), Words.end(), std::string("-fopenmp"),
               std::string(Links ? "-lgomp" : ""));
  erase(Words, "");
  return Words;
}

/// Runs a command and appends what it says to Diagnostics.
static Error execute(ArrayRef<std::string> Words, StringRef Folder,
                     std::string &Diagnostics) {
  SmallString<128> Said(Folder);
  sys::path::append(Said, "messages.txt");
  sys::fs::remove(Said); // a shorter text would leave the end of the last one
  std::vector<StringRef> Arguments(Words.begin(), Words.end());
  std::string Problem;
  std::optional<StringRef> Redirects[] = {std::nullopt, Said.str(), Said.str()};
  int Status =
      sys::ExecuteAndWait(Words[0], Arguments, std::nullopt, Redirects,
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &Problem);
  if (auto Text = MemoryBuffer::getFile(Said))
    Diagnostics += (*Text)->getBuffer();
  if (Status < 0)
    return createStringError(Words[0] + ": " + Problem);
  if (Status > 0)
    return createStringError(sys::path::filename(Words[0]) +
                             " reported errors");
  return Error::success();
}

static Error writeFile(StringRef File,
                       function_ref<void(raw_ostream &)> Write) {
  std::error_code Problem;
  raw_fd_ostream OS(File, Problem);
  if (Problem)
    return createStringError(File + ": " + Problem.message());
  Write(OS);
  OS.close();
  if (OS.has_error())
    return createStringError(File + ": " + OS.error().message());
  return Error::success();
}

/// Bitcode behind its magic and its length.
static std::string imageOf(StringRef Bitcode) {
  char Length[8];
  support::endian::write64le(Length, Bitcode.size());
  return (DeviceImageMagic + StringRef(Length, sizeof(Length)) + Bitcode).str();
}

/// Is device code linked across files?
static bool linksDeviceCode(ArrayRef<std::string> Words) {
  bool ValueFollows = false;
  for (StringRef Word : Words) {
    if (ValueFollows && Word == "true")
      return true;
    ValueFollows = Word == "-rdc" || Word == "--relocatable-device-code";
    if (is_contained({"-dc", "--device-c", "-rdc=true", "-fgpu-rdc",
                      "--relocatable-device-code=true"},
                     Word))
      return true;
  }
  return false;
}

/// Host code that hands an image to the runtime library before main: the
/// compiler registers the device code of a file only if that has kernels or
/// variables.
static Error writeRegistration(StringRef File, StringRef Image) {
  LLVMContext Context;
  Module M("registration", Context);
  auto *Bytes = ConstantDataArray::getString(Context, Image, false);
  auto *Data = new GlobalVariable(M, Bytes->getType(), /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, Bytes);
  Data->setAlignment(Align(8));
  IRBuilder<> B(Context);
  FunctionCallee Register = M.getOrInsertFunction("__cudaRegisterDeviceLibrary",
                                                  B.getVoidTy(), B.getPtrTy());
  auto *Constructor =
      Function::Create(FunctionType::get(B.getVoidTy(), false),
                       GlobalValue::InternalLinkage, "registerImage", M);
  B.SetInsertPoint(llvm::BasicBlock::Create(Context, "", Constructor));
  B.CreateCall(Register, {Data});
  B.CreateRetVoid();
  appendToGlobalCtors(M, Constructor, /*Priority=*/65535);
  return writeFile(File, [&](raw_ostream &OS) { WriteBitcodeToFile(M, OS); });
}

/// Does a command ask for a standard of C++ before C++17?
static bool namesOldStandard(ArrayRef<std::string> Words) {
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (!Word.consume_front("--std") && !Word.consume_front("-std"))
      continue;
    if (Word.empty() && I + 1 < Words.size())
      Word = Words[I + 1];
    Word.consume_front("=");
    if ((Word.consume_front("c++") || Word.consume_front("gnu++")) &&
        is_contained({"98", "03", "0x", "11", "1y", "14"}, Word))
      return true;
  }
  return false;
}

/// The ways to parse a source for the runtime library: with the headers of
/// gpu-estimate, whose structures the library knows, or else with those of an
/// SDK, which also has Thrust and CUB. The last of these defines nvcc's macros
/// behind the SDK's headers, which expect more of such a compiler than clang
/// has. What launches kernels in kernels, or includes the C++ libraries of CUDA
/// 13, needs C++17, so that a source for an older standard is parsed as that
/// where all else fails.
static std::vector<ParseRequest> waysToParse(const ParseRequest &Request) {
  std::vector<ParseRequest> Ways;
  if (Request.NoCudaSdk || Request.CudaPath.empty())
    Ways.emplace_back(Request).NoCudaSdk = true;
  if (!Request.NoCudaSdk) {
    Ways.emplace_back(Request).HidesNvcc = true;
    Ways.push_back(Request);
  }
  if (namesOldStandard(Request.CommandLine) ||
      namesOldStandard(Request.ClangArgs))
    for (size_t I = 0, Count = Ways.size(); I < Count; ++I) {
      ParseRequest Newer = Ways[I];
      Newer.ClangArgs.push_back("-std=c++17");
      Ways.push_back(std::move(Newer));
    }
  return Ways;
}

/// The message about the header that is not found, or ""; clang stops there.
static StringRef lackOfHeader(StringRef Diagnostics) {
  for (StringRef Line : split(Diagnostics, '\n'))
    if (Line.contains("file not found") || Line.contains("cannot find CUDA"))
      return Line;
  return "";
}

/// Do diagnostics of the headers of gpu-estimate say less than those of an SDK?
/// They do where a header is missing that the SDK has, also if another one is
/// missing then.
static bool isLackOfSdk(StringRef Own, StringRef OfSdk) {
  StringRef Missing = lackOfHeader(Own);
  return !Missing.empty() && Missing != lackOfHeader(OfSdk);
}

/// Parses in the first way that clang accepts, which Request is set to. Where
/// it accepts none, the diagnostics are those of the first way that finds the
/// header at which the headers of gpu-estimate end, if there is one.
static Expected<TranslationUnit> parseDevice(ParseRequest &Request,
                                             std::string &Diagnostics) {
  std::string FirstText;
  Error FirstProblem = Error::success();
  bool HasFirst = false;
  for (ParseRequest &Way : waysToParse(Request)) {
    std::string Text;
    Expected<TranslationUnit> Unit = parseDeviceCode(Way, Text);
    if (Unit) {
      consumeError(std::move(FirstProblem));
      Request = std::move(Way);
      Diagnostics += Text;
      return Unit;
    }
    if (HasFirst && !isLackOfSdk(FirstText, Text)) {
      consumeError(Unit.takeError());
      continue;
    }
    consumeError(std::move(FirstProblem));
    FirstProblem = Unit.takeError();
    FirstText = std::move(Text);
    HasFirst = true;
  }
  Diagnostics += FirstText;
  return std::move(FirstProblem);
}

/// A name that is equal for both sides of a source, so that variables of
/// internal linkage have one name, and differs between sources.
static std::string unitId(StringRef Source) {
  SmallString<256> Path(Source);
  sys::fs::make_absolute(Path);
  return "-cuid=" + utohexstr(xxh3_64bits(Path), /*LowerCase=*/true);
}

/// The words of a command that ask for a list of the headers that were read:
/// build systems need it.
static std::vector<std::string> dependencyWords(ArrayRef<std::string> Words) {
  std::vector<std::string> Found;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (Word == "-MD" || Word == "-MMD" || Word == "-MP") {
      Found.push_back(Word.str());
    } else if ((Word == "-MF" || Word == "-MT" || Word == "-MQ") &&
               I + 1 < Words.size()) {
      Found.push_back(Word.str());
      Found.push_back(Words[++I]);
    }
  }
  return Found;
}

/// The words by which clang reads files with the text that Repaired has for
/// them, and messages name the files as they are.
static Expected<std::vector<std::string>>
overlayWords(const StringMap<std::string> &Repaired, StringRef Folder) {
  std::vector<std::string> Words;
  if (Repaired.empty())
    return Words;
  vfs::YAMLVFSWriter Overlay;
  Overlay.setUseExternalNames(false);
  unsigned Number = 0;
  for (const auto &File : Repaired) {
    SmallString<128> Path(File.first()), Text(Folder);
    sys::fs::make_absolute(Path);
    sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
    sys::path::append(Text, "repaired-" + Twine(Number++));
    if (Error E = writeFile(Text, [&](raw_ostream &OS) { OS << File.second; }))
      return std::move(E);
    Overlay.addFileMapping(Path, Text);
  }
  SmallString<128> Map(Folder);
  sys::path::append(Map, "repaired.yaml");
  if (Error E = writeFile(Map, [&](raw_ostream &OS) { Overlay.write(OS); }))
    return std::move(E);
  Words.push_back("-ivfsoverlay");
  Words.push_back(Map.str().str());
  return Words;
}

/// Compiles the host side with the headers that the request names.
static Error compileHost(const ParseRequest &Request,
                         ArrayRef<std::string> Extra, StringRef Image,
                         StringRef Folder, StringRef Object,
                         std::string &Diagnostics) {
  Expected<std::vector<std::string>> Words = hostCompileCommand(Request, Image);
  if (!Words)
    return Words.takeError();
  append_range(*Words, Extra);
  append_range(*Words, dependencyWords(Request.CommandLine));
  append_range(*Words,
               std::initializer_list<std::string>{"-c", "-o", Object.str()});
  return execute(openMpWords(std::move(*Words), /*Links=*/false), Folder,
                 Diagnostics);
}

/// Compiles a source without device code: with the headers of gpu-estimate, or,
/// where these are not enough, with those of an SDK.
static Error compileHostSource(ParseRequest Request, StringRef Folder,
                               StringRef Object, std::string &Diagnostics) {
  std::string Text, SdkText;
  bool MayUseSdk = !Request.NoCudaSdk;
  Request.NoCudaSdk = true;
  Error First = compileHost(Request, {}, "", Folder, Object, Text);
  if (First && MayUseSdk) {
    Request.NoCudaSdk = false;
    Error Second = compileHost(Request, {}, "", Folder, Object, SdkText);
    if (!Second) {
      consumeError(std::move(First));
      Diagnostics += SdkText;
      return Second;
    }
    consumeError(std::move(Second));
    if (isLackOfSdk(Text, SdkText))
      Text = SdkText;
  }
  Diagnostics += Text;
  return First;
}

/// Compiles the source of a request to an object file. Given: the words of the
/// user's command.
static Error compile(ParseRequest Request, ArrayRef<std::string> Given,
                     StringRef Folder, StringRef Object,
                     std::string &Diagnostics) {
  if (!hasDeviceSide(Request))
    return compileHostSource(std::move(Request), Folder, Object, Diagnostics);
  SmallString<128> Image(Object), Registration;
  // clang's driver passes it on for CUDA; its front end takes it for HIP, too.
  append_range(Request.ClangArgs, std::initializer_list<std::string>{
                                      "-Xclang", unitId(Request.File)});
  Expected<TranslationUnit> Unit = parseDevice(Request, Diagnostics);
  if (!Unit)
    return Unit.takeError();
  Expected<std::vector<std::string>> Extra =
      overlayWords(Unit->Repaired, Folder);
  if (!Extra)
    return Extra.takeError();
  Image += ".image";
  std::string Bytes = imageOf(writeDeviceImage(*Unit));
  if (Error E = writeFile(Image, [&](raw_ostream &OS) { OS << Bytes; }))
    return E;
  if (Unit->Kernels.empty() && linksDeviceCode(Given)) {
    Registration = Image;
    Registration += ".bc";
    if (Error E = writeRegistration(Registration, Bytes))
      return E;
    append_range(*Extra, std::initializer_list<std::string>{
                             "-Xclang", "-mlink-bitcode-file", "-Xclang",
                             Registration.str().str()});
  }
  Error E = compileHost(Request, *Extra, Image, Folder, Object, Diagnostics);
  sys::fs::remove(Image);
  if (!Registration.empty())
    sys::fs::remove(Registration);
  return E;
}

/// Is there a library of this name where the linker looks?
static bool isInstalled(StringRef Library, ArrayRef<std::string> Given) {
  SmallVector<StringRef> Folders = {"/usr/lib", "/usr/local/lib", "/usr/lib64",
                                    "/usr/lib/x86_64-linux-gnu",
                                    "/usr/lib/aarch64-linux-gnu"};
  for (StringRef Word : Given)
    if (Word.consume_front("-L"))
      Folders.push_back(Word);
  return any_of(Folders, [&](StringRef Folder) {
    return any_of(std::initializer_list<StringRef>{".so", ".a"},
                  [&](StringRef Ending) {
                    return sys::fs::exists(Folder + "/lib" + Library + Ending);
                  });
  });
}

/// Does a linker take the word, and is it no library that the runtime library
/// or the functions of MissingFunctions.h stand for?
static bool isForLinker(StringRef Word, ArrayRef<std::string> Given) {
  StringRef Library = Word;
  if (Library.consume_front("-l"))
    return !isReplacedLibrary(Library) &&
           (!isGraphicsLibrary(Library) || isInstalled(Library, Given));
  return Word.starts_with("-L") || Word.starts_with("-Wl,") ||
         Word.starts_with("-fopenmp") || Word.starts_with("-fsanitize") ||
         Word.starts_with("-fuse-ld") || Word == "-pthread" ||
         Word == "-rdynamic" || Word == "-shared" || Word == "-static-libgcc" ||
         Word == "-static-libstdc++";
}

/// The words of the user's command that a linker takes.
static std::vector<std::string> linkerWords(ArrayRef<std::string> Given) {
  std::vector<std::string> Words;
  for (size_t I = 0; I < Given.size(); ++I) {
    StringRef Word = Given[I];
    // The value of such an option is the next word, or follows behind '='.
    auto valueOf = [&](std::initializer_list<StringRef> Options) -> StringRef {
      for (StringRef Option : Options) {
        StringRef Value = Word;
        if (Word == Option && I + 1 < Given.size())
          return Given[++I];
        if (Value.consume_front(Option) && Value.consume_front("="))
          return Value;
      }
      return "";
    };
    if (Word == "-L" || Word == "-l") {
      if (I + 1 == Given.size())
        break;
      std::string Joined = Word.str() + Given[++I];
      if (isForLinker(Joined, Given))
        Words.push_back(Joined);
    } else if (isForLinker(Word, Given)) {
      Words.push_back(Word.str());
    } else if (StringRef Linker = valueOf({"-Xlinker", "--linker-options"});
               !Linker.empty()) {
      Words.push_back("-Wl," + Linker.str());
    } else if (StringRef Host = valueOf({"-Xcompiler", "--compiler-options"});
               !Host.empty()) {
      for (StringRef Part : split(Host, ','))
        if (isForLinker(Part, Given))
          Words.push_back(Part.str());
    }
  }
  return Words;
}

/// Links. Functions of GPU libraries that nothing defines are defined, in a
/// second link.
static Error link(ArrayRef<std::string> Objects, ArrayRef<std::string> Given,
                  StringRef Folder, StringRef Output,
                  std::string &Diagnostics) {
  Expected<std::string> Runtime =
      findInstalledLibrary("libgpu-estimate-cudart.so");
  if (!Runtime)
    return Runtime.takeError();
  std::vector<std::string> Words = {clangProgram()};
  copy_if(Objects, std::back_inserter(Words),
          [](StringRef File) { return !isReplacedLibraryFile(File); });
  append_range(Words, linkerWords(Given));
  SmallString<128> Home(*Runtime);
  sys::path::remove_filename(Home);
  append_range(Words,
               std::initializer_list<std::string>{
                   *Runtime, ("-Wl,-rpath," + Home).str(),
                   "-Wno-unused-command-line-argument", "-o", Output.str()});
  if (is_contained(Words, "-fopenmp") && !hasOpenMp())
    Diagnostics += "gpu-estimate: warning: OpenMP's pragmas have no effect, so "
                   "that one thread does the work of all: clang's OpenMP "
                   "library is not installed (apt install libomp-19-dev)\n";
  Words = openMpWords(std::move(Words), /*Links=*/true);
  std::string Text;
  Error First = execute(Words, Folder, Text);
  if (First) {
    // Messages of linkers are translated, but not in the C locale.
    std::vector<std::string> WithNames = {"/usr/bin/env", "LC_ALL=C"};
    append_range(WithNames, Words);
    WithNames.push_back("-Wl,--no-demangle");
    std::string Names;
    consumeError(execute(WithNames, Folder, Names));
    std::vector<std::string> Missing = missingFunctions(Names);
    if (!Missing.empty()) {
      SmallString<128> Bitcode(Folder);
      sys::path::append(Bitcode, "missing-functions.bc");
      if (Error E = writeFile(Bitcode, [&](raw_ostream &OS) {
            writeMissingFunctions(Missing, OS);
          }))
        return joinErrors(std::move(First), std::move(E));
      consumeError(std::move(First));
      Words.insert(Words.begin() + 1, Bitcode.str().str());
      return execute(Words, Folder, Diagnostics);
    }
  }
  Diagnostics += Text;
  return First;
}

Error buildProgram(const Options &O, StringRef Arch, StringRef Folder,
                   StringRef Output, std::string &Diagnostics) {
  std::vector<std::string> Objects;
  for (const std::string &File : O.Files) {
    if (is_contained({".o", ".a", ".so"}, sys::path::extension(File))) {
      Objects.push_back(File);
      continue;
    }
    SmallString<128> Object(Folder);
    sys::path::append(Object, Twine(Objects.size()) + "-" +
                                  sys::path::filename(File) + ".o");
    if (Error E = compile(parseRequest(O, File, Arch), O.ClangArguments, Folder,
                          Object, Diagnostics))
      return E;
    Objects.push_back(Object.str().str());
  }
  return link(Objects, O.ClangArguments, Folder, Output, Diagnostics);
}

/// The object file that a compiler makes of a source without -o.
static std::string defaultObject(StringRef Source) {
  return (sys::path::stem(Source) + ".o").str();
}

/// What a build wants where its program loads device code by name: nvcc's word,
/// which is also the ending of the file that nvcc makes: "fatbin", "cubin" or
/// "ptx", of which the last one is text; "" for an ordinary build. hipcc calls
/// it --genco.
static StringRef loadedCode(const CompilerCall &Call) {
  for (StringRef Word : Call.Arguments) {
    StringRef Name = Word.ltrim('-');
    if (Word.starts_with("-") && is_contained({"fatbin", "cubin", "ptx"}, Name))
      return Name;
    if (Word == "--genco")
      return "fatbin";
  }
  return "";
}

/// Writes the device code of a source alone, for cuModuleLoad and its kin.
static Error compileLoaded(ParseRequest Request, StringRef Kind,
                           StringRef Output, std::string &Diagnostics) {
  Expected<TranslationUnit> Unit = parseDevice(Request, Diagnostics);
  if (!Unit)
    return Unit.takeError();
  // The host finds static variables by name, too, and sets them.
  for (GlobalVariable &G : Unit->Module->globals())
    if (G.hasInternalLinkage() && !G.isConstant() &&
        G.getName().starts_with("_ZL") &&
        (G.getAddressSpace() == 1 || G.getAddressSpace() == 4))
      G.setLinkage(GlobalValue::ExternalLinkage);
  std::string Image = imageOf(writeDeviceImage(*Unit));
  return writeFile(Output, [&](raw_ostream &OS) {
    OS << (Kind == "ptx" ? textOfImage(Image) : Image);
  });
}

/// Does the command tell the compiler that its sources are HIP?
static bool saysHip(const CompilerCall &Call) {
  for (size_t I = 0; I < Call.Arguments.size(); ++I)
    if (Call.Arguments[I] == "-xhip" ||
        (I > 0 && Call.Arguments[I - 1] == "-x" && Call.Arguments[I] == "hip"))
      return true;
  return false;
}

/// Compiles and links what the call asks for.
static Error build(const Options &O, const CompilerCall &Call, StringRef Folder,
                   std::string &Diagnostics) {
  std::vector<std::string> Objects;
  for (const std::string &Input : Call.Inputs) {
    bool IsSource = is_contained(Call.GpuSources, Input) ||
                    is_contained(Call.HostSources, Input);
    if (!IsSource) {
      Objects.push_back(Input);
      continue;
    }
    ParseRequest Request = parseRequest(O, Input, O.GpuArch);
    Request.CommandLine = O.CompilerCommand;
    if (StringRef Kind = loadedCode(Call); !Kind.empty()) {
      std::string Output = Call.Output;
      if (Output.empty())
        Output = (sys::path::stem(Input) + "." + Kind).str();
      if (Error E =
              compileLoaded(std::move(Request), Kind, Output, Diagnostics))
        return E;
      continue;
    }
    std::string Object;
    if (!Call.Links) {
      Object = Call.Output.empty() ? defaultObject(Input) : Call.Output;
    } else {
      SmallString<128> InFolder(Folder);
      sys::path::append(InFolder, Twine(Objects.size()) + "-" +
                                      sys::path::filename(Input) + ".o");
      Object = InFolder.str().str();
    }
    // nvcc takes a file of any name for CUDA if it is told so.
    bool IsGpuSource = is_contained(Call.GpuSources, Input);
    if (IsGpuSource && !hasDeviceSide(Request))
      Request.ClangArgs = {"-x", saysHip(Call) ? "hip" : "cuda"};
    if (Error E = compile(std::move(Request), Call.Arguments, Folder, Object,
                          Diagnostics))
      return E;
    Objects.push_back(std::move(Object));
  }
  if (!Call.Links || !loadedCode(Call).empty())
    return Error::success();
  return link(Objects, Call.Arguments, Folder,
              Call.Output.empty() ? "a.out" : Call.Output, Diagnostics);
}

/// The device link of a build is left to the runtime library: the object that
/// it makes is empty.
static Error linkDevice(const CompilerCall &Call, StringRef Folder,
                        std::string &Diagnostics) {
  std::string Output = Call.Output.empty() ? "a_dlink.o" : Call.Output;
  return execute({clangProgram(), "-x", "c++", "-c", "/dev/null", "-o", Output},
                 Folder, Diagnostics);
}

int buildForRun(const Options &O, raw_ostream &Err) {
  CompilerCall Call = parseCompilerCall(O.CompilerCommand);
  bool Compiles = !Call.GpuSources.empty() || !Call.HostSources.empty();
  if (!Compiles && (!Call.Links || Call.Inputs.empty())) {
    std::vector<StringRef> Words(O.CompilerCommand.begin(),
                                 O.CompilerCommand.end());
    ErrorOr<std::string> Compiler = sys::findProgramByName(Words.front());
    if (!Compiler) {
      Err << "gpu-estimate: error: " << Words.front() << ": not found\n";
      return 127;
    }
    return sys::ExecuteAndWait(*Compiler, Words);
  }
  SmallString<128> Folder;
  if (std::error_code Problem =
          sys::fs::createUniqueDirectory("gpu-estimate-build", Folder)) {
    Err << "gpu-estimate: error: no temporary folder: " << Problem.message()
        << '\n';
    return 1;
  }
  auto Remove = make_scope_exit([&] { sys::fs::remove_directories(Folder); });
  std::string Diagnostics;
  Error E = Call.LinksDevice ? linkDevice(Call, Folder, Diagnostics)
                             : build(O, Call, Folder, Diagnostics);
  Err << Diagnostics;
  if (!E)
    return 0;
  Err << "gpu-estimate: error: " << toString(std::move(E)) << '\n';
  return 1;
}

} // namespace gpuestimate
