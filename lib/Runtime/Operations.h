/// \file
/// What a program puts into a stream, or into a graph: kernels, copies, memory
/// set to a value, host functions, events.
#ifndef GPU_ESTIMATE_LIB_RUNTIME_OPERATIONS_H
#define GPU_ESTIMATE_LIB_RUNTIME_OPERATIONS_H

#include "Api.h"
#include "Modules.h"
#include "gpu-estimate/Run/Records.h"
#include <array>
#include <memory>
#include <variant>

namespace gpuestimate {

class ApiCall;
struct Event;

struct KernelOperation {
  Kernel *Function = nullptr;
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  bool Cooperative = false;
  std::vector<std::string> Arguments; ///< bytes of each parameter
};

/// Part of memory as rows of slices.
struct Region {
  char *Start = nullptr;
  uint64_t Pitch = 0, SlicePitch = 0; ///< bytes between rows, and slices
};

/// A copy of Depth x Height rows of Width bytes.
struct CopyOperation {
  Region To, From;
  uint64_t Width = 0, Height = 1, Depth = 1;
  cudaMemcpyKind Kind = cudaMemcpyDefault;
  bool Async = false;

  uint64_t bytes() const { return Width * Height * Depth; }
};

/// Elements of 1, 2 or 4 bytes that get one value.
struct MemsetOperation {
  Region To;
  uint64_t Width = 0, Height = 1, Depth = 1; ///< Width in bytes
  unsigned Value = 0, ElementBytes = 1;
  bool Async = true;
};

struct HostOperation {
  cudaHostFn_t Function = nullptr;
  void *Data = nullptr;
  // The older form, which gets the stream.
  cudaStreamCallback_t Callback = nullptr;
  cudaStream_t Stream = nullptr;
};

struct EventRecordOperation {
  Event *Target = nullptr;
};
struct EventWaitOperation {
  Event *Source = nullptr;
};
struct FreeOperation {
  void *Address = nullptr;
};

struct Graph;
struct ChildGraphOperation {
  std::shared_ptr<Graph> Child;
};

/// Graphs that execute as a value in device memory says.
struct ConditionalOperation {
  const unsigned *Value = nullptr;
  cudaGraphConditionalNodeType Type = cudaGraphCondTypeIf;
  std::vector<std::shared_ptr<Graph>> Bodies;
};

using StreamOperation =
    std::variant<std::monostate, KernelOperation, CopyOperation,
                 MemsetOperation, HostOperation, EventRecordOperation,
                 EventWaitOperation, FreeOperation, ChildGraphOperation,
                 ConditionalOperation>;

/// Does it, and writes its record with the stream's number.
cudaError_t perform(ApiCall &Call, const StreamOperation &Operation,
                    RunHandle Stream);

} // namespace gpuestimate

#endif
