#include "gpu-estimate/Execute/SampledLaunch.h"

using namespace llvm;

namespace gpuestimate {

/// Prepares the memory of a buffer.
static Error place(Executor &Exec, uint64_t Module, const SampleBuffer &B) {
  const BufferData &Data = B.Data;
  if (!B.Address) {
    Expected<void *> Storage = Exec.variable(Module, B.Name);
    if (!Storage)
      return Storage.takeError();
    Data.fill(0, {static_cast<uint8_t *>(*Storage), Data.Size.value_or(0)});
    return Error::success();
  }
  DeviceAllocations::ContentsFunction Contents;
  if (Data.Fill != BufferData::Zeros)
    Contents = [Data](uint64_t First, MutableArrayRef<uint8_t> Into) {
      Data.fill(First, Into);
    };
  // A page remains between two buffers.
  uint64_t Bytes =
      Data.Size.value_or(SampleBuffer::WindowBytes - 2 * (64 << 10));
  if (Bytes > SampleBuffer::WindowBytes - 2 * (64 << 10) ||
      !Exec.memory().place(B.Address, Bytes, B.Name, std::move(Contents)))
    return createStringError("there is no memory for the " + Twine(Bytes) +
                             " bytes of " + B.Name);
  return Error::success();
}

Expected<ExecutionResult> executeSampledLaunch(const SampleRequest &R) {
  ExecuteOptions Options;
  Options.Threads = 1;
  Expected<std::unique_ptr<Executor>> Exec = Executor::create(Options);
  if (!Exec)
    return Exec.takeError();
  Expected<uint64_t> Module = (*Exec)->load(R.Bitcode, DeviceCode::Prepared);
  if (!Module)
    return Module.takeError();
  for (const SampleBuffer &B : R.Buffers)
    if (Error E = place(**Exec, *Module, B))
      return E;
  ExecutionRequest Request;
  Request.Grid = R.Grid;
  Request.Block = R.Block;
  Request.DynamicSharedBytes = R.DynamicSharedBytes;
  Request.Lanes = R.Lanes;
  std::vector<const void *> Arguments;
  for (const std::string &Bytes : R.Arguments)
    Arguments.push_back(Bytes.data());
  Request.Arguments = Arguments;
  Request.Seconds = R.Seconds;
  Request.Trace = Request.SampledOnly = true;
  return (*Exec)->launch(*Module, R.Kernel, Request);
}

} // namespace gpuestimate
