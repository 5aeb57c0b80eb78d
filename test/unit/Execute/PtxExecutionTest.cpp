/// \file
/// The oracle of the translation of PTX: kernels of examples/, of validation/
/// and of some lit tests are executed twice, as clang generates them and as
/// they come back from the PTX of LLVM's NVPTX back end, on the same memory.
/// All bytes of all buffers must be equal afterwards. The environment variable
/// GPU_ESTIMATE_PTX_SOURCES names a folder whose .cu files are executed, too.
#include "Lowering/Registers/BackEnd.h"
#include "gpu-estimate/Execute/Executor.h"
#include "gpu-estimate/Ptx/ReadPtx.h"
#include "helpers/FrontendTesting.h"
#include "helpers/SmallLaunch.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <cstring>

using namespace gpuestimate;

namespace {

const std::string Root = GPU_ESTIMATE_SOURCE_DIR;

/// Appends the .cu files below a folder.
void append(const std::string &Folder, std::vector<std::string> &Names) {
  std::error_code Problem;
  llvm::sys::fs::recursive_directory_iterator At(Folder, Problem), End;
  for (; At != End && !Problem; At.increment(Problem))
    if (llvm::StringRef(At->path()).ends_with(".cu"))
      Names.push_back(At->path());
}

std::vector<std::string> sources() {
  std::vector<std::string> Names;
  for (const char *Folder :
       {"/examples", "/test/lit/Offload/Inputs", "/test/lit/Models",
        "/test/lit/Emulate", "/test/lit/Headers", "/validation"})
    append(Root + Folder, Names);
  if (const char *Folder = std::getenv("GPU_ESTIMATE_PTX_SOURCES"))
    append(Folder, Names);
  llvm::sort(Names);
  return Names;
}

/// Keeps products and sums apart: either way may contract others.
void forbidContraction(llvm::Module &M) {
  for (llvm::Function &F : M)
    for (llvm::Instruction &I : llvm::instructions(F))
      if (llvm::isa<llvm::FPMathOperator>(I))
        I.setHasAllowContract(false);
}

/// The PTX that LLVM makes of the unit.
llvm::Expected<std::string> ptxOf(const TranslationUnit &Unit) {
  std::unique_ptr<llvm::Module> M =
      copyKernels(*Unit.Module, [](llvm::StringRef) { return true; });
  llvm::SmallString<0> Text;
  llvm::raw_svector_ostream OS(Text);
  auto IsOfLibrary = [](llvm::StringRef Name) {
    return Name.starts_with("__nv_") || Name == "vprintf" ||
           Name == "__assertfail" || Name == "malloc" || Name == "free";
  };
  if (llvm::Error Problem = emitAssembly(*M, IsOfLibrary, OS))
    return std::move(Problem);
  return Text.str().str();
}

enum class Contents { SmallIntegers, Reals };

/// A kernel's arguments, the same ones for each execution.
class Arguments {
public:
  Arguments(const KernelSource &K, Contents C, DeviceAllocations &Memory,
            const Launch &L)
      : Memory(Memory) {
    for (const KernelArgument &A : K.Arguments) {
      Values.push_back(0);
      uint64_t &Value = Values.back();
      if (A.Kind == KernelArgument::Pointer) {
        Buffers.push_back(Memory.allocate(BufferBytes));
        fill(Buffers.back(), A.ElementBytes, C);
        std::memcpy(&Value, &Buffers.back(), sizeof(void *));
      } else if (A.Kind == KernelArgument::Real) {
        double Wide = 0.5;
        float Narrow = 0.5f;
        if (A.Bytes == 8)
          std::memcpy(&Value, &Wide, 8);
        else
          std::memcpy(&Value, &Narrow, 4);
      } else {
        Value = std::min<uint64_t>(L.Grid[0] * L.Block[0], LargestInteger);
      }
    }
  }

  Arguments(const Arguments &) = delete;
  ~Arguments() {
    for (void *Buffer : Buffers)
      Memory.release(Buffer);
  }

  std::vector<const void *> pointers() const {
    std::vector<const void *> All;
    for (const uint64_t &V : Values)
      All.push_back(&V);
    return All;
  }
  std::string bytes() const {
    std::string All;
    for (const void *B : Buffers)
      All.append(static_cast<const char *>(B), BufferBytes);
    return All;
  }

private:
  /// Of three of them, all extents of an array: it has room in a buffer.
  static constexpr uint64_t LargestInteger = 64;
  static constexpr size_t BufferBytes = 1 << 21;

  static void fill(void *Buffer, unsigned ElementBytes, Contents C) {
    if (ElementBytes == 1) { // may be `bool`, which has two values
      for (size_t N = 0; N < BufferBytes; ++N)
        static_cast<char *>(Buffer)[N] = N % 3 == 0;
      return;
    }
    auto *Words = static_cast<uint32_t *>(Buffer);
    uint32_t State = 1;
    for (size_t N = 0; N < BufferBytes / 4; ++N) {
      State = State * 1664525 + 1013904223;
      uint32_t Small = State >> 29;
      float Real = 1.0f + static_cast<float>(State >> 16) / 65536;
      double Wide = Real;
      if (C == Contents::SmallIntegers)
        Words[N] = ElementBytes == 8 && N % 2 ? 0 : Small;
      else if (ElementBytes != 8)
        std::memcpy(&Words[N], &Real, 4);
      else if (N % 2 == 0)
        std::memcpy(&Words[N], &Wide, 8);
    }
  }

  DeviceAllocations &Memory;
  std::vector<uint64_t> Values;
  std::vector<void *> Buffers;
};

/// Executes kernels of one module.
class Execution {
public:
  explicit Execution(llvm::Module &M) {
    auto Created = Executor::create({1, true, false});
    if (!Created) {
      ADD_FAILURE() << llvm::toString(Created.takeError());
      return;
    }
    Exec = std::move(*Created);
    llvm::SmallVector<char, 0> Bitcode;
    llvm::raw_svector_ostream OS(Bitcode);
    llvm::WriteBitcodeToFile(M, OS);
    auto Loaded = Exec->load(llvm::StringRef(Bitcode.data(), Bitcode.size()));
    if (Loaded)
      Number = *Loaded;
    else
      ADD_FAILURE() << llvm::toString(Loaded.takeError());
  }

  /// Kernels that print or read a clock cannot be compared.
  bool hasKnownEffects(const KernelSource &K) {
    auto Effects = Exec->effects(Number, K.Mangled);
    if (Effects)
      return Effects->AreKnown;
    llvm::consumeError(Effects.takeError());
    return false;
  }

  /// All buffers after the launch; nothing, and why, if it does not complete.
  std::optional<std::string> run(const KernelSource &K, const Launch &L,
                                 Contents C, std::string &Why) {
    ExecutionRequest Request;
    Request.Grid = L.Grid;
    Request.Block = L.Block;
    Request.DynamicSharedBytes = L.DynamicSharedBytes;
    Request.Seconds = 60; // of a busy machine
    Arguments Passed(K, C, Exec->memory(), L);
    std::vector<const void *> Pointers = Passed.pointers();
    Request.Arguments = Pointers;
    auto Result = Exec->launch(Number, K.Mangled, Request);
    if (!Result) {
      Why = llvm::toString(Result.takeError());
      return std::nullopt;
    }
    if (!Result->Completed) {
      Why = Result->Unsupported + (Result->Fault ? Result->Fault->What : "");
      return std::nullopt;
    }
    return Passed.bytes();
  }

private:
  std::unique_ptr<Executor> Exec;
  uint64_t Number = 0;
};

/// clang 19's __reduce_add_sync() and its kin pass the mask in the place of the
/// value, so that its PTX has the operands of redux.sync in the wrong order.
/// The executor reads the call as it is meant.
static std::string withReduxOperandsInOrder(llvm::StringRef Ptx) {
  std::string Result;
  while (!Ptx.empty()) {
    auto [Line, Rest] = Ptx.split('\n');
    auto [Mnemonic, Operands] = Line.trim().split(' ');
    llvm::SmallVector<llvm::StringRef> Parts;
    Operands.trim(" \t;").split(Parts, ',');
    if (Line.contains("redux.sync.") && Parts.size() == 3) {
      Result +=
          (Mnemonic + " " + Parts[0] + "," + Parts[2] + "," + Parts[1] + ";")
              .str();
    } else {
      Result += Line;
    }
    Result += '\n';
    Ptx = Rest;
  }
  return Result;
}

/// What of a module is executed on both ways.
class RoundTrip {
public:
  void add(const std::string &File) {
    ParseRequest Request;
    Request.File = File;
    Request.NoCudaSdk = true;
    Request.Headers = sharedHeaders();
    std::string Diagnostics;
    llvm::Expected<TranslationUnit> Unit = parse(Request, Diagnostics);
    if (!Unit) // a test of errors, or one with options
      return llvm::consumeError(Unit.takeError());
    forbidContraction(*Unit->Module);
    llvm::Expected<std::string> Ptx = ptxOf(*Unit);
    if (!Ptx)
      return llvm::consumeError(Ptx.takeError());
    SCOPED_TRACE(File);
    llvm::Expected<PtxUnit> Read =
        readPtx(withReduxOperandsInOrder(*Ptx), "test.ptx", "sm_80");
    if (!Read) {
      ADD_FAILURE() << llvm::toString(Read.takeError()) << "\n" << *Ptx;
      return;
    }
    Execution Direct(*Unit->Module), Translated(*Read->Module);
    for (const KernelSource &K : Unit->Kernels)
      if (Read->Module->getFunction(K.Mangled) &&
          llvm::none_of(K.Arguments,
                        [](const KernelArgument &A) {
                          return A.Kind == KernelArgument::Aggregate ||
                                 A.Kind == KernelArgument::Texture;
                        }) &&
          Direct.hasKnownEffects(K))
        compare(K, smallLaunch(*Unit, K), Direct, Translated);
  }

  unsigned Compared = 0;

private:
  void compare(const KernelSource &K, const Launch &L, Execution &Direct,
               Execution &Translated) {
    bool IsCompared = false;
    for (Contents C : {Contents::SmallIntegers, Contents::Reals}) {
      std::string Why, Ignored;
      std::optional<std::string> Before = Direct.run(K, L, C, Ignored);
      if (!Before) // numbers that are no indices, or what is not executed
        continue;
      std::optional<std::string> After = Translated.run(K, L, C, Why);
      EXPECT_TRUE(After) << K.Name << ": " << Why;
      if (After)
        EXPECT_TRUE(*Before == *After) << K.Name << " stores other values";
      IsCompared = true;
    }
    Compared += IsCompared;
  }
};

TEST(PtxExecution, StoresWhatTheCudaSourceStores) {
  RoundTrip All;
  for (const std::string &File : sources())
    All.add(File);
  RecordProperty("kernels", All.Compared);
  EXPECT_GE(All.Compared, 100u);
}

} // namespace
