/// \file
/// A launch of which some warps are executed, to count what they do: what
/// `--emulate` asks of libexec/gpu-estimate-execute, in a process of its own
/// because compiled kernels may write anywhere.
///
/// The request goes over the socket as one line of JSON, followed by the bytes
/// of the module and of the buffers' files. The answer is records (Channel.h):
/// a RunLaunch with its trace, a RunFault or a RunNotice that tells why the
/// execution stopped, and a RunExit.
#ifndef GPU_ESTIMATE_RUN_SAMPLEREQUEST_H
#define GPU_ESTIMATE_RUN_SAMPLEREQUEST_H

#include "gpu-estimate/Run/BufferData.h"
#include "gpu-estimate/Run/Records.h"

namespace gpuestimate {

struct SampleBuffer {
  /// A multiple of WindowBytes; 0: the storage of a variable.
  uint64_t Address = 0;
  std::string Name; ///< in messages; of a variable: mangled
  BufferData Data;

  /// Each buffer has an address window of its own, so that an overrun never
  /// reaches another one. The first window begins at 32 TiB, where Linux on
  /// x86-64 maps nothing by itself.
  static constexpr uint64_t WindowBytes = uint64_t(1) << 36,
                            FirstWindow = uint64_t(1) << 45;
};

struct SampleRequest {
  std::string Bitcode; ///< of the module, after prepareForAnalysis()
  std::string Kernel;  ///< mangled
  std::array<uint64_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicSharedBytes = 0;
  uint64_t Lanes = 32; ///< of a warp, at most 64
  /// The bytes of each parameter; pointers hold addresses of Buffers.
  std::vector<std::string> Arguments;
  std::vector<SampleBuffer> Buffers;
  double Seconds = 5;                       ///< of execution
  uint64_t MemoryBytes = uint64_t(4) << 30; ///< of the process
};

/// False if the other end is gone.
bool writeSampleRequest(int Socket, const SampleRequest &Request);
/// The error tells what is wrong with the text.
llvm::Expected<SampleRequest> readSampleRequest(int Socket);

/// What came of it.
struct SampleResult {
  std::shared_ptr<RunTrace> Trace; ///< of the warps that ended, or null
  std::string Stop; ///< why the execution stopped, "" if it did not
  std::string File; ///< where, "" if unknown
  unsigned Line = 0;
};

/// Exit status of a child that has reached SampleRequest::MemoryBytes.
inline constexpr int SampleMemoryStatus = 77;

/// Executes the request in a child process. Never fails: SampleResult::Stop
/// tells what went wrong, also with the process.
SampleResult executeSample(const SampleRequest &Request);

} // namespace gpuestimate

#endif
