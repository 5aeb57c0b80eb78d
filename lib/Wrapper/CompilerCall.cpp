#include "gpu-estimate/Wrapper/CompilerCall.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace gpuestimate {

namespace {

template <size_t N>
bool isIn(std::string_view Word, const std::array<std::string_view, N> &Words) {
  return std::find(Words.begin(), Words.end(), Word) != Words.end();
}

constexpr std::array<std::string_view, 6> Launchers = {
    "ccache", "sccache", "buildcache", "distcc", "icecc", "nice"};

/// Flags of clang, gcc and nvcc whose value is the next word; a word that
/// follows one is no input.
constexpr std::array<std::string_view, 89> WithValue = {
    "-o",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-isysroot",
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-x",
    "-T",
    "-u",
    "-z",
    "-arch",
    "-target",
    "-mllvm",
    "-Xclang",
    "-Xlinker",
    "-Xpreprocessor",
    "-Xassembler",
    "-Xarch_device",
    "-Xarch_host",
    "-Xcuda-ptxas",
    "-Xcuda-fatbinary",
    "-B",
    "-gencode",
    "-code",
    "-ccbin",
    "-maxrregcount",
    "-std",
    "-Xcompiler",
    "-Xptxas",
    "-Xnvlink",
    "-Xcudafe",
    "-Xfatbin",
    "-rdc",
    "-odir",
    "-t",
    "-m",
    "-cudart",
    "--options-file",
    "-optf",
    "--generate-code",
    "--gpu-architecture",
    "--compiler-options",
    "--compiler-bindir",
    "--output-file",
    "--x",
    "--default-stream",
    "-default-stream",
    "--std",
    "--maxrregcount",
    "--threads",
    "-threads",
    "--machine",
    "--cudart",
    "--cudadevrt",
    "-cudadevrt",
    "--relocatable-device-code",
    "--gpu-code",
    "--ptxas-options",
    "--nvlink-options",
    "--linker-options",
    "--include-path",
    "--define-macro",
    "--undefine-macro",
    "--system-include",
    "--pre-include",
    "--library",
    "--library-path",
    "--optimize",
    "--diag-suppress",
    "-diag-suppress",
    "--diag-warn",
    "-diag-warn",
    "--diag-error",
    "-diag-error",
    "--split-compile",
    "-split-compile",
    "--keep-dir",
    "-keep-dir",
    "--dependency-output"};

constexpr std::array<std::string_view, 4> GpuEndings = {".cu", ".hip", ".cuh",
                                                        ".CU"};
constexpr std::array<std::string_view, 7> HostEndings = {
    ".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cp"};

/// Nothing is compiled that could be analysed.
constexpr std::array<std::string_view, 11> NoCompile = {
    "-E", "-M",     "-MM",     "--preprocess", "-###",        "--version",
    "-V", "--help", "-dryrun", "--dryrun",     "-dumpversion"};

constexpr std::array<std::string_view, 14> OneStep = {
    "-c",         "-S",     "--compile", "-dc",     "-dw",     "--device-c",
    "-ptx",       "--ptx",  "-cubin",    "--cubin", "-fatbin", "-fsyntax-only",
    "-emit-llvm", "--genco"};

std::string readFile(const std::string &File) {
  std::ifstream In(File, std::ios::binary);
  std::ostringstream Text;
  Text << In.rdbuf();
  return std::move(Text).str();
}

std::string inside(const std::string &Directory, const std::string &File) {
  return std::filesystem::path(Directory) / File;
}

/// The arguments with those of files in place of "@FILE" and nvcc's
/// "--options-file FILE". A file may name others, but not without end.
void expand(const std::vector<std::string> &Words, size_t First,
            const std::string &Directory, std::vector<std::string> &Expanded,
            unsigned Depth = 0) {
  for (size_t I = First; I < Words.size(); ++I) {
    std::string_view Word = Words[I];
    std::string File;
    if (Word.starts_with("@") && Word.size() > 1)
      File = Word.substr(1);
    else if ((Word == "--options-file" || Word == "-optf") &&
             I + 1 < Words.size())
      File = Words[++I];
    else if (Word.starts_with("--options-file=") || Word.starts_with("-optf="))
      File = Word.substr(Word.find('=') + 1);
    if (File.empty() || Depth > 8)
      Expanded.push_back(Words[I]);
    else
      expand(splitWords(readFile(inside(Directory, File))), 0, Directory,
             Expanded, Depth + 1);
  }
}

std::string fileName(const std::string &Path) {
  return std::filesystem::path(Path).filename();
}

/// Where the compiler's name stands.
size_t compilerOf(const std::vector<std::string> &Words) {
  size_t Index = 0;
  while (Index + 1 < Words.size()) {
    std::string Name = fileName(Words[Index]);
    if (Name == "gpu-estimate" && Words[Index + 1] == "cc")
      for (Index += 2;
           Index + 1 < Words.size() && Words[Index].starts_with("--");)
        ++Index;
    else if (isIn(Name, Launchers))
      ++Index;
    else
      break;
  }
  return Index;
}

uint64_t hashOf(std::initializer_list<std::string_view> Parts) {
  uint64_t Hash = 0xcbf29ce484222325; // FNV-1a
  for (std::string_view Part : Parts) {
    for (char C : Part)
      Hash = (Hash ^ static_cast<unsigned char>(C)) * 0x100000001b3;
    Hash *= 0x100000001b3; // a separator
  }
  return Hash;
}

/// A C or C++ file may hold a loop nest meant for a GPU.
bool mentionsDirective(const std::string &File) {
  std::string Text = readFile(File);
  for (std::string_view Word : {"gpu_estimate", "pragma omp", "pragma acc"})
    if (Text.find(Word) != std::string::npos)
      return true;
  return false;
}

CompilerCall::KindType kindOf(const std::string &Name) {
  if (Name.find("nvcc") != std::string::npos)
    return CompilerCall::Nvcc;
  if (Name.find("clang") != std::string::npos ||
      Name.find("hipcc") != std::string::npos)
    return CompilerCall::Clang;
  return CompilerCall::Other;
}

} // namespace

std::vector<std::string> splitWords(std::string_view Text) {
  std::vector<std::string> Words;
  std::string Word;
  bool Inside = false;
  char Quote = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (C == '\\' && Quote != '\'' && I + 1 < Text.size()) {
      Word += Text[++I];
      Inside = true;
    } else if (Quote) {
      if (C == Quote)
        Quote = 0;
      else
        Word += C;
    } else if (C == '"' || C == '\'') {
      Quote = C;
      Inside = true;
    } else if (std::isspace(static_cast<unsigned char>(C))) {
      if (Inside)
        Words.push_back(std::move(Word));
      Word.clear();
      Inside = false;
    } else {
      Word += C;
      Inside = true;
    }
  }
  if (Inside)
    Words.push_back(std::move(Word));
  return Words;
}

CompilerCall parseCompilerCall(const std::vector<std::string> &Words,
                               const std::string &Directory) {
  CompilerCall Call;
  Call.Compiler = compilerOf(Words);
  if (Call.Compiler >= Words.size())
    return Call;
  Call.Kind = kindOf(fileName(Words[Call.Compiler]));
  expand(Words, Call.Compiler + 1, Directory, Call.Arguments);
  const std::vector<std::string> &Args = Call.Arguments;
  // hipcc takes C++ for HIP.
  const bool IsHipcc =
      fileName(Words[Call.Compiler]).find("hipcc") != std::string::npos;
  bool Nothing = false, Step = false;
  std::string_view Language; // of -x, for the inputs that follow
  for (size_t I = 0; I < Args.size(); ++I) {
    std::string_view Arg = Args[I];
    if (Arg == "-")
      continue; // standard input can be read once only
    if (!Arg.starts_with("-")) {
      Call.Inputs.emplace_back(Arg);
      std::string_view Ending =
          Arg.substr(std::min(Arg.find_last_of("./"), Arg.size()));
      bool Gpu = Language.empty() ? isIn(Ending, GpuEndings)
                                  : Language == "cu" || Language == "cuda" ||
                                        Language == "hip";
      bool Host = Language.empty() ? isIn(Ending, HostEndings)
                                   : Language == "c" || Language == "c++";
      Gpu |= IsHipcc && Language.empty() && Host && Ending != ".c";
      if (Gpu)
        Call.GpuSources.emplace_back(Arg);
      else if (Host)
        Call.HostSources.emplace_back(Arg);
      continue;
    }
    Nothing |= isIn(Arg, NoCompile);
    // nvcc takes the last of the phases that are named.
    if (isIn(Arg, OneStep)) {
      Step = true;
      Call.LinksDevice = false;
    } else if (Arg == "-dlink" || Arg == "--dlink" || Arg == "--device-link") {
      Call.LinksDevice = true;
    }
    if (Arg.starts_with("--cuda-gpu-arch=") ||
        Arg.starts_with("--offload-arch="))
      ++Call.Architectures;
    Call.OnlyHost |= Arg == "--cuda-host-only" || Arg == "--offload-host-only";
    if (Arg.starts_with("-fplugin=") &&
        Arg.find("GpuEstimate") != std::string_view::npos)
      Call.HasOurPlugin = true;
    if (isIn(Arg, WithValue) && I + 1 < Args.size()) {
      ++I;
      if (Arg == "-x" || Arg == "--x")
        Language = Args[I] == "none" ? "" : std::string_view(Args[I]);
      else if (Arg == "-o" || Arg == "--output-file")
        Call.Output = Args[I];
    } else if (Arg.starts_with("-x")) {
      Language = Arg == "-xnone" ? "" : Arg.substr(2);
    } else if (Arg.starts_with("-o") && Arg.size() > 2 &&
               Call.Kind != CompilerCall::Nvcc) {
      Call.Output = Arg.substr(2);
    } else if (Arg.starts_with("--output-file=")) {
      Call.Output = Arg.substr(Arg.find('=') + 1);
    }
  }
  Call.Links = !Step;
  if (Nothing || Call.LinksDevice) {
    Call.GpuSources.clear();
    Call.HostSources.clear();
  }
  return Call;
}

std::vector<std::string> sourcesToAnalyze(const CompilerCall &Call,
                                          bool Offload,
                                          const std::string &Directory) {
  std::vector<std::string> All = Call.GpuSources;
  for (const std::string &Source : Call.HostSources)
    if (Offload || mentionsDirective(inside(Directory, Source)))
      All.push_back(Source);
  return All;
}

std::string recordName(const std::string &Directory, const std::string &Source,
                       const std::string &Output) {
  char Hash[17];
  snprintf(
      Hash, sizeof Hash, "%016llx",
      static_cast<unsigned long long>(hashOf({Directory, Source, Output})));
  return fileName(Source) + "-" + Hash + ".jsonl";
}

} // namespace gpuestimate
