/// \file
/// Kernels of a CUDA text, executed on the host.
#ifndef GPU_ESTIMATE_TEST_UNIT_EXECUTETESTING_H
#define GPU_ESTIMATE_TEST_UNIT_EXECUTETESTING_H

#include "FrontendTesting.h"
#include "gpu-estimate/Execute/Executor.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include <cstdlib>

namespace gpuestimate {

/// Does the environment ask for kernels in the host's vectors? Then all blocks
/// are, as none is searched for races.
inline bool testsVectors() {
  return std::getenv("GPU_ESTIMATE_TEST_VECTORS") != nullptr;
}

/// The first kernel of a text. Vectors are copied to device memory, and back
/// after each run.
class ExecutedKernel {
public:
  explicit ExecutedKernel(llvm::StringRef Text, unsigned Threads = 2,
                          std::vector<std::string> ClangArgs = {},
                          llvm::StringRef Suffix = "cu", bool AllRaces = false,
                          bool OpensGranules = false)
      : Unit(parseText(Text, std::move(ClangArgs), Suffix)) {
    ExecuteOptions Options;
    Options.Threads = Threads;
    Options.AllRaces = AllRaces;
    Options.OpensGranules = OpensGranules;
    Options.Checks = !testsVectors() || AllRaces;
    Options.Vectors = testsVectors() ? ExecuteOptions::VectorUse::Always
                                     : ExecuteOptions::VectorUse::Never;
    auto Created = Executor::create(Options);
    if (!Created) {
      ADD_FAILURE() << llvm::toString(Created.takeError());
      return;
    }
    Exec = std::move(*Created);
    llvm::SmallVector<char, 0> Bitcode;
    llvm::raw_svector_ostream OS(Bitcode);
    llvm::WriteBitcodeToFile(*Unit.Module, OS);
    auto Loaded = Exec->load(llvm::StringRef(Bitcode.data(), Bitcode.size()));
    if (!Loaded) {
      ADD_FAILURE() << llvm::toString(Loaded.takeError());
      return;
    }
    Number = *Loaded;
    Kernel = Unit.Kernels.front().Mangled;
  }

  template <typename T> ExecutedKernel &pass(T Value) {
    Storage.emplace_back(sizeof(T));
    std::memcpy(Storage.back().data(), &Value, sizeof(T));
    return *this;
  }
  template <typename T> ExecutedKernel &pass(std::vector<T> &V) {
    void *Address = Exec->memory().allocate(V.size() * sizeof(T));
    std::memcpy(Address, V.data(), V.size() * sizeof(T));
    Buffers.push_back({Address, V.data(), V.size() * sizeof(T)});
    return pass(Address);
  }

  ExecutionResult run(std::array<uint64_t, 3> Grid,
                      std::array<uint64_t, 3> Block) {
    Request.Grid = Grid;
    Request.Block = Block;
    std::vector<const void *> Pointers;
    for (const auto &S : Storage)
      Pointers.push_back(S.data());
    Request.Arguments = Pointers;
    auto R = Exec->launch(Number, Kernel, Request);
    for (const Buffer &B : Buffers)
      std::memcpy(B.Host, B.Device, B.Bytes);
    if (!R) {
      ADD_FAILURE() << llvm::toString(R.takeError());
      return {};
    }
    return std::move(*R);
  }
  /// Fails the test when the launch does not come to its end.
  ExecutionResult runAll(std::array<uint64_t, 3> Grid,
                         std::array<uint64_t, 3> Block) {
    ExecutionResult R = run(Grid, Block);
    EXPECT_TRUE(R.Completed)
        << R.Unsupported
        << (R.Fault ? R.Fault->What + " at line " +
                          std::to_string(R.Fault->Line) + " " + R.Fault->Buffer
                    : "");
    return R;
  }

  TranslationUnit Unit;
  std::unique_ptr<Executor> Exec;
  uint64_t Number = 0;
  std::string Kernel;
  ExecutionRequest Request;

private:
  struct Buffer {
    void *Device, *Host;
    size_t Bytes;
  };
  std::vector<std::vector<char>> Storage;
  std::vector<Buffer> Buffers;
};

} // namespace gpuestimate

#endif
