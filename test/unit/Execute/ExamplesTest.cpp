/// \file
/// The oracle of Extract's counts: every kernel of examples/ is executed on
/// small launches, full ones and ragged ones, and what the warps executed must
/// be what the kernel model says, exactly: executions of each block by warps
/// and threads (and so the instructions of every class, and barriers), loop
/// iterations, requests and sectors of each access.
#include "Resolve/LaunchArguments.h"
#include "gpu-estimate/Evaluate/Access/BindParameters.h"
#include "gpu-estimate/Evaluate/Sampling/Sampling.h"
#include "gpu-estimate/Execute/SampledLaunch.h"
#include "gpu-estimate/Lowering/LowerKernel.h"
#include "gpu-estimate/Lowering/Values/IrOrigins.h"
#include "gpu-estimate/Model/Machine/Library.h"
#include "gpu-estimate/Resolve/TracedLaunch.h"
#include "helpers/FrontendTesting.h"
#include "helpers/SmallLaunch.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

using namespace gpuestimate;

namespace {

const std::string Root = GPU_ESTIMATE_SOURCE_DIR;

std::vector<std::string> examples() {
  std::vector<std::string> Names;
  std::error_code Problem;
  for (llvm::sys::fs::directory_iterator At(Root + "/examples", Problem), End;
       At != End && !Problem; At.increment(Problem))
    if (llvm::StringRef(At->path()).ends_with(".cu"))
      Names.push_back(At->path());
  llvm::sort(Names);
  return Names;
}

const GpuModel &gpu() {
  static const GpuModel Model = [] {
    auto Found = findGpuModel("nvidia-a100-40gb-pcie", Root + "/hwmodels");
    if (!Found) {
      ADD_FAILURE() << llvm::toString(Found.takeError());
      return GpuModel();
    }
    return *Found;
  }();
  return Model;
}

/// One kernel with its places in the IR.
struct Subject {
  llvm::Function *F;
  const KernelSource *Source;
  KernelModel Model;
  IrOrigins Places;
};

class Comparison {
public:
  Comparison(const Subject &S, const Launch &L, const Bindings &Values)
      : S(S), L(L), Bound(bindParameters(S.Model, L, Values)),
        Sample(sampleLaunch(S.Model, gpu(), L, Bound.All, Effort)) {}

  void run() {
    BufferNames Names(*S.F, S.Model, *S.Source);
    auto Request = launchRequest(Names, L, Bound.All, {});
    ASSERT_TRUE(bool(Request)) << llvm::toString(Request.takeError());
    llvm::raw_string_ostream OS(Request->Bitcode);
    llvm::WriteBitcodeToFile(*S.F->getParent(), OS);
    OS.flush();
    auto Ran = executeSampledLaunch(*Request);
    ASSERT_TRUE(bool(Ran)) << llvm::toString(Ran.takeError());
    ASSERT_TRUE(Ran->Completed)
        << Ran->Unsupported << (Ran->Fault ? Ran->Fault->What : "");
    auto Traced = readTrace(*Ran->Trace, *S.F);
    ASSERT_TRUE(bool(Traced)) << llvm::toString(Traced.takeError());
    ASSERT_EQ(Traced->Stop, "");
    E = std::move(*Traced);
    for (unsigned B = 0; B < E.Blocks.size(); ++B)
      IrBlock[E.Blocks[B]] = B;
    blocks();
    loops();
    accesses();
  }

private:
  /// So much that all iterations of all warps are looked at.
  static constexpr double Effort = 256;

  std::string at(const SourceLocation &Location) {
    return " of " + S.Model.Name + " at " + Location.brief();
  }
  const LoopOrigin *testFirst(const llvm::BasicBlock *BB) {
    for (const LoopOrigin &P : S.Places.Loops)
      if (P.Header == BB && P.TestFirst)
        return &P;
    return nullptr;
  }
  /// Entries of the loop with this header.
  double entries(const llvm::BasicBlock *Header) {
    for (unsigned L = 0; L < E.Loops.size(); ++L)
      if (E.Loops[L] == Header)
        return E.Entries[L];
    return 0;
  }

  void blocks() {
    std::array<double, NumOpClasses> Extracted{}, Executed{};
    for (unsigned B = 0; B < S.Model.Blocks.size(); ++B) {
      unsigned Ir = IrBlock[S.Places.Blocks[B]];
      const BasicBlock &Content = S.Model.Blocks[B];
      for (unsigned Op = Content.FirstOp; Op < Content.EndOp; ++Op) {
        unsigned Class = static_cast<unsigned>(S.Model.Operations[Op].Class);
        Extracted[Class] += Sample.BlockWarps[B] * S.Model.Operations[Op].Count;
        Executed[Class] += E.Runs[Ir] * S.Model.Operations[Op].Count;
      }
      SourceLocation Where = Content.FirstOp < Content.EndOp
                                 ? S.Model.Operations[Content.FirstOp].Location
                                 : Content.Condition;
      double Runs = E.Runs[Ir];
      // A test at the start of a loop runs once more than the body.
      if (testFirst(S.Places.Blocks[B]))
        continue;
      EXPECT_EQ(Sample.BlockWarps[B], Runs)
          << "warps in block " << B << at(Where);
      EXPECT_EQ(Sample.BlockThreads[B], E.Lanes[Ir])
          << "threads in block " << B << at(Where);
    }
    for (const LoopOrigin &P : S.Places.Loops)
      if (P.TestFirst)
        return;
    for (const OpClassInfo &Row : opClassTable())
      EXPECT_EQ(Extracted[static_cast<unsigned>(Row.Class)],
                Executed[static_cast<unsigned>(Row.Class)])
          << Row.Name.str() << at(S.Model.Location);
  }

  void loops() {
    for (unsigned N = 0; N < S.Model.Loops.size(); ++N) {
      const LoopOrigin &P = S.Places.Loops[N];
      double Iterations = E.Runs[IrBlock[P.Header]];
      if (P.TestFirst)
        Iterations -= entries(P.Header);
      EXPECT_EQ(Sample.LoopWarpIterations[N], Iterations)
          << "iterations" << at(S.Model.Loops[N].Location);
    }
  }

  void accesses() {
    std::map<const llvm::Instruction *, unsigned> Pieces;
    for (const AccessOrigin &P : S.Places.Accesses)
      ++Pieces[P.At];
    for (unsigned A = 0; A < S.Model.Accesses.size(); ++A) {
      const MemoryAccess &M = S.Model.Accesses[A];
      auto Found = E.Accesses.find(S.Places.Accesses[A].At);
      if (Found == E.Accesses.end())
        continue; // a copy of a block of bytes
      EXPECT_EQ(Sample.Accesses[A].Requests, Found->second.Requests)
          << "requests" << at(M.Location);
      EXPECT_EQ(Sample.Accesses[A].Threads, Found->second.Lanes)
          << "threads of requests" << at(M.Location);
      // Only whole requests to memory whose start is aligned in both.
      if (M.Space != MemorySpace::Global || Pieces[S.Places.Accesses[A].At] > 1)
        continue;
      EXPECT_EQ(Sample.Accesses[A].Sectors, Found->second.Sectors)
          << "sectors of " << M.Base << at(M.Location);
    }
  }

  const Subject &S;
  const Launch &L;
  BoundParameters Bound;
  LaunchSample Sample;
  TracedLaunch E;
  std::map<const llvm::BasicBlock *, unsigned> IrBlock;
};

/// Of these the source does not determine all: loop ends, branches or addresses
/// come from data.
const std::vector<std::string> AssumingKernels = {
    "expandLevel",     "finishStage",   "globalStep",       "histogramGlobal",
    "histogramShared", "mandelbrot",    "solvePivoting<4>", "solvePivoting<8>",
    "sortChunks",      "spmvCsrScalar", "spmvCsrVector",    "spmvEll"};
/// These need tensor maps, or sizes that are multiples of their tiles
/// (test/lit/Run/tensor-cores.test runs them).
const std::vector<std::string> PricedKernels = {"flashAttention", "wgmmaGemm",
                                                "wgmmaSplitK"};
TEST(ExecuteExamples, CountsAreThoseOfTheKernelModels) {
  unsigned Compared = 0;
  llvm::StringSet<> Assuming, Priced;
  for (const std::string &File : examples()) {
    ParseRequest Request;
    Request.File = File;
    Request.NoCudaSdk = true;
    Request.Headers = sharedHeaders();
    std::string Diagnostics;
    auto Unit = parse(Request, Diagnostics);
    ASSERT_TRUE(bool(Unit)) << llvm::toString(Unit.takeError()) << Diagnostics;
    prepareForAnalysis(*Unit->Module);
    for (const KernelSource &K : Unit->Kernels) {
      Subject S;
      S.F = Unit->Module->getFunction(K.Mangled);
      S.Source = &K;
      auto Model = lowerKernel(*S.F, K, &S.Places);
      ASSERT_TRUE(bool(Model)) << llvm::toString(Model.takeError());
      S.Model = std::move(*Model);
      if (llvm::any_of(S.Model.Unknowns,
                       [](const Unknown &U) { return !U.Name.empty(); })) {
        Assuming.insert(K.Name);
        continue;
      }
      if (llvm::is_contained(PricedKernels, K.Name)) {
        Priced.insert(K.Name);
        continue;
      }
      Launch L = smallLaunch(*Unit, K);
      uint64_t Width = L.Grid[0] * L.Block[0];
      for (uint64_t Size : {Width, Width - 5, Width / 2 + 1}) {
        SCOPED_TRACE(llvm::sys::path::filename(File).str() + " " + K.Name +
                     ", arguments " + std::to_string(Size));
        Bindings Values;
        for (const KernelArgument &A : K.Arguments)
          if (A.Kind == KernelArgument::Integer)
            Values[A.Name] = static_cast<double>(Size);
        Comparison(S, L, Values).run();
      }
      ++Compared;
    }
  }
  EXPECT_EQ(Compared, 38u);
  auto Sorted = [](const llvm::StringSet<> &Set) {
    std::vector<std::string> Names;
    for (const auto &Name : Set)
      Names.push_back(Name.first().str());
    llvm::sort(Names);
    return Names;
  };
  EXPECT_EQ(Sorted(Assuming), AssumingKernels);
  EXPECT_EQ(Sorted(Priced), PricedKernels);
}

} // namespace
