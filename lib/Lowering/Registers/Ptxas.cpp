#include "gpu-estimate/Lowering/Registers/Ptxas.h"

#include "BackEnd.h"
#include "Lowering/Pipeline/Analyses.h"
#include "Registers.h"
#include "gpu-estimate/Support/TemporaryFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

namespace gpuestimate {

namespace {

/// The number in front of What: "32" of "Used 32 registers".
unsigned numberBefore(llvm::StringRef Line, llvm::StringRef What) {
  size_t At = Line.find(What);
  if (At == llvm::StringRef::npos)
    return 0;
  llvm::StringRef Before = Line.take_front(At).rtrim();
  llvm::StringRef Digits = Before.take_back(
      Before.size() - Before.find_last_not_of("0123456789") - 1);
  unsigned Number = 0;
  return Digits.getAsInteger(10, Number) ? 0 : Number;
}

/// The part of Line between quotation marks.
llvm::StringRef quoted(llvm::StringRef Line) {
  return Line.split('\'').second.split('\'').first;
}

/// The bodies of the library functions that M calls, from the toolkit that
/// the assembler belongs to: <toolkit>/bin/ptxas, <toolkit>/nvvm/libdevice.
llvm::Error linkLibrary(llvm::Module &M, llvm::StringRef Ptxas) {
  bool Calls = llvm::any_of(M, [](const llvm::Function &F) {
    return F.isDeclaration() && F.getName().starts_with("__nv_") &&
           !F.use_empty();
  });
  if (!Calls)
    return llvm::Error::success();
  llvm::SmallString<128> Path;
  if (llvm::sys::fs::real_path(Ptxas, Path))
    Path = Ptxas;
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::remove_filename(Path);
  llvm::sys::path::append(Path, "nvvm", "libdevice", "libdevice.10.bc");
  auto File = llvm::MemoryBuffer::getFile(Path);
  if (!File)
    return llvm::createStringError(
        "library functions are called and %s cannot be read", Path.c_str());
  auto Library = llvm::parseBitcodeFile(**File, M.getContext());
  if (!Library)
    return Library.takeError();
  (*Library)->setTargetTriple(M.getTargetTriple());
  (*Library)->setDataLayout(M.getDataLayout());
  if (llvm::Linker::linkModules(M, std::move(*Library),
                                llvm::Linker::LinkOnlyNeeded))
    return llvm::createStringError("%s does not link", Path.c_str());
  return llvm::Error::success();
}

/// Shuffles of programs that are older than Volta, with all lanes taking part:
/// the back end of a newer GPU does not know them and ends the process.
void replaceOldShuffles(llvm::Module &M) {
  using namespace llvm::Intrinsic;
  static const std::pair<ID, ID> Replacements[] = {
      {nvvm_shfl_idx_i32, nvvm_shfl_sync_idx_i32},
      {nvvm_shfl_idx_f32, nvvm_shfl_sync_idx_f32},
      {nvvm_shfl_up_i32, nvvm_shfl_sync_up_i32},
      {nvvm_shfl_up_f32, nvvm_shfl_sync_up_f32},
      {nvvm_shfl_down_i32, nvvm_shfl_sync_down_i32},
      {nvvm_shfl_down_f32, nvvm_shfl_sync_down_f32},
      {nvvm_shfl_bfly_i32, nvvm_shfl_sync_bfly_i32},
      {nvvm_shfl_bfly_f32, nvvm_shfl_sync_bfly_f32}};
  for (auto [Old, New] : Replacements) {
    llvm::Function *F = M.getFunction(getName(Old));
    if (!F)
      continue;
    for (llvm::User *U : llvm::make_early_inc_range(F->users())) {
      auto *Call = llvm::cast<llvm::CallInst>(U);
      llvm::IRBuilder<> B(Call);
      llvm::SmallVector<llvm::Value *, 4> Args = {B.getInt32(-1)};
      Args.append(Call->arg_begin(), Call->arg_end());
      Call->replaceAllUsesWith(B.CreateIntrinsic(New, {}, Args));
      Call->eraseFromParent();
    }
  }
}

llvm::Error emitPtx(const llvm::Module &Source, const PtxasRequest &Request,
                    llvm::function_ref<bool(llvm::StringRef)> IsWanted,
                    llvm::StringRef To) {
  std::error_code Problem;
  llvm::raw_fd_ostream OS(To, Problem);
  if (Problem)
    return llvm::errorCodeToError(Problem);
  if (!llvm::Triple(Source.getTargetTriple()).isNVPTX())
    return llvm::createStringError("the module is not for NVPTX");
  std::unique_ptr<llvm::Module> M = copyKernels(Source, IsWanted);
  replaceOldShuffles(*M);
  if (llvm::Error Failure = linkLibrary(*M, Request.Path))
    return Failure;
  return emitAssembly(*M, isProvidedByDriver, OS);
}

} // namespace

std::vector<CompiledKernel> parsePtxasOutput(llvm::StringRef Text) {
  std::vector<CompiledKernel> Kernels;
  auto Find = [&](llvm::StringRef Name) -> CompiledKernel * {
    for (CompiledKernel &K : Kernels)
      if (K.Mangled == Name)
        return &K;
    return nullptr;
  };
  CompiledKernel *Current = nullptr, *Described = nullptr;
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n');
  for (llvm::StringRef Line : Lines) {
    if (Line.contains("Compiling entry function")) {
      llvm::StringRef Name = quoted(Line);
      if (!Find(Name))
        Kernels.emplace_back().Mangled = Name.str();
      Current = Described = Find(Name);
    } else if (Line.contains("Function properties for")) {
      // Called functions have a frame of their own.
      Described = Find(Line.rsplit(' ').second.trim());
    } else if (Line.contains("bytes stack frame")) {
      if (!Described)
        continue;
      Described->StackBytes = numberBefore(Line, "bytes stack frame");
      Described->SpillStoreBytes = numberBefore(Line, "bytes spill stores");
      Described->SpillLoadBytes = numberBefore(Line, "bytes spill loads");
    } else if (Line.contains("Used ") && Line.contains(" registers") &&
               Current) {
      Current->Registers = numberBefore(Line, "registers");
      Current->Code.Barriers = numberBefore(Line, "barriers");
      Current->StaticSharedBytes = numberBefore(Line, "bytes smem");
      Current = nullptr;
    }
  }
  return Kernels;
}

void readCubin(llvm::MemoryBufferRef Cubin,
               llvm::MutableArrayRef<CompiledKernel> Kernels) {
  auto File = llvm::object::ObjectFile::createELFObjectFile(Cubin);
  if (!File)
    return llvm::consumeError(File.takeError());
  for (const llvm::object::SectionRef &Section : (*File)->sections()) {
    llvm::Expected<llvm::StringRef> Name = Section.getName();
    if (!Name) {
      llvm::consumeError(Name.takeError());
      continue;
    }
    if (!Name->consume_front(".text."))
      continue;
    for (CompiledKernel &K : Kernels)
      if (K.Mangled == *Name)
        K.Code.CodeBytes = Section.getSize();
  }
}

/// Assembles the file Ptx; Level: "-O3".
static llvm::Expected<std::vector<CompiledKernel>>
assemble(llvm::StringRef Ptx, const PtxasRequest &Request,
         const std::string &Level) {
  TemporaryFile Cubin("cubin"), Output("txt");
  for (const TemporaryFile *File : {&Cubin, &Output})
    if (File->Problem)
      return llvm::errorCodeToError(File->Problem);
  std::string Arch = "-arch=" + Request.Arch;
  std::string Limit = "-maxrregcount=" + std::to_string(Request.MaxRegisters);
  llvm::SmallVector<llvm::StringRef> Arguments = {
      Request.Path, "-v", Arch, Level, "-o", Cubin.Path, Ptx};
  if (Request.MaxRegisters)
    Arguments.push_back(Limit);
  std::optional<llvm::StringRef> Redirects[] = {
      llvm::StringRef(), Output.Path.str(), Output.Path.str()};
  std::string Problem;
  int Status =
      llvm::sys::ExecuteAndWait(Request.Path, Arguments, std::nullopt,
                                Redirects, Request.TimeoutSeconds, 0, &Problem);
  auto Said = llvm::MemoryBuffer::getFile(Output.Path);
  llvm::StringRef Text = Said ? (*Said)->getBuffer() : llvm::StringRef();
  if (Status != 0)
    return llvm::createStringError(
        "%s failed: %s", Request.Path.c_str(),
        (Problem.empty() ? Text.split('\n').first.str() : Problem).c_str());
  std::vector<CompiledKernel> Kernels = parsePtxasOutput(Text);
  if (auto Elf = llvm::MemoryBuffer::getFile(Cubin.Path))
    readCubin((*Elf)->getMemBufferRef(), Kernels);
  return Kernels;
}

llvm::Expected<std::vector<CompiledKernel>>
runPtxas(const llvm::Module &M, const PtxasRequest &Request,
         llvm::function_ref<bool(llvm::StringRef)> IsWanted) {
  TemporaryFile Ptx("ptx");
  if (Ptx.Problem)
    return llvm::errorCodeToError(Ptx.Problem);
  if (llvm::Error Problem = emitPtx(M, Request, IsWanted, Ptx.Path))
    return Problem;
  return assemble(Ptx.Path, Request, "-O" + std::to_string(levelOf(M)));
}

llvm::Expected<std::vector<CompiledKernel>>
runPtxasOnText(llvm::StringRef Text, const PtxasRequest &Request) {
  TemporaryFile Ptx("ptx");
  if (Ptx.Problem)
    return llvm::errorCodeToError(Ptx.Problem);
  {
    std::error_code Problem;
    llvm::raw_fd_ostream OS(Ptx.Path, Problem);
    if (Problem)
      return llvm::errorCodeToError(Problem);
    OS << Text;
  }
  // Instructions of sm_90a are on no other architecture.
  PtxasRequest Of = Request;
  llvm::SmallVector<llvm::StringRef> Target;
  if (llvm::Regex("^[ \t]*\\.target[ \t]+(sm_[0-9]+)([af])?",
                  llvm::Regex::Newline)
          .match(Text, &Target) &&
      Target[1] == Request.Arch)
    Of.Arch += Target[2];
  return assemble(Ptx.Path, Of, "-O3");
}

} // namespace gpuestimate
