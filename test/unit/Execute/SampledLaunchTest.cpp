/// \file
/// Launches as requests: placed buffers with contents.
#include "gpu-estimate/Execute/SampledLaunch.h"
#include "gpu-estimate/Lowering/Pipeline/Pipeline.h"
#include "helpers/FrontendTesting.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace gpuestimate;

namespace {

/// A request for the first kernel of a text.
class Requested {
public:
  explicit Requested(llvm::StringRef Text) : Unit(parseText(Text, {})) {
    prepareForAnalysis(*Unit.Module);
    llvm::raw_string_ostream OS(Request.Bitcode);
    llvm::WriteBitcodeToFile(*Unit.Module, OS);
    OS.flush();
    Request.Kernel = Unit.Kernels.front().Mangled;
  }
  template <typename T> void pass(T Value) {
    Request.Arguments.emplace_back(reinterpret_cast<const char *>(&Value),
                                   sizeof(T));
  }
  void pass(BufferData Data) {
    SampleBuffer &B = Request.Buffers.emplace_back();
    B.Address = SampleBuffer::FirstWindow +
                Request.Buffers.size() * SampleBuffer::WindowBytes;
    B.Name = "buffer";
    B.Data = std::move(Data);
    pass(B.Address);
  }
  ExecutionResult run() {
    auto R = executeSampledLaunch(Request);
    if (!R) {
      ADD_FAILURE() << llvm::toString(R.takeError());
      return {};
    }
    return std::move(*R);
  }

  TranslationUnit Unit;
  SampleRequest Request;
};

BufferData integers(BufferData::FillKind Fill) {
  BufferData Data;
  Data.Fill = Fill;
  Data.Type = {ElementType::Integer, 4};
  return Data;
}

// Elements far apart in a buffer of unknown size are those of the rule.
TEST(SampledLaunch, FillsBuffersWhereTheyAreAccessed) {
  Requested R("__global__ void k(const int *iota, const int *zeros,"
              "                  const int *file, int *out) {\n"
              "  long i = 1000000007L * (threadIdx.x + 1);\n"
              "  bool right = iota[i] == (int)i && zeros[i] == 0 &&"
              "               file[threadIdx.x] == 7 * threadIdx.x;\n"
              "  if (!right)\n"
              "    out[123456789012345] = 1;\n"
              "}");
  BufferData File = integers(BufferData::File);
  auto Array = std::make_shared<NpyArray>();
  for (uint32_t I = 0; I < 8; ++I) {
    uint32_t V = 7 * I;
    Array->Bytes.insert(Array->Bytes.end(), reinterpret_cast<uint8_t *>(&V),
                        reinterpret_cast<uint8_t *>(&V) + 4);
  }
  File.Size = Array->Bytes.size();
  File.Array = Array;
  R.pass(integers(BufferData::Iota));
  R.pass(integers(BufferData::Zeros));
  R.pass(File);
  R.pass(integers(BufferData::Zeros));
  R.Request.Block = {8, 1, 1};
  ExecutionResult Result = R.run();
  EXPECT_TRUE(Result.Completed)
      << (Result.Fault ? Result.Fault->What : Result.Unsupported);
  ASSERT_TRUE(Result.Trace);
  EXPECT_EQ(Result.Trace->Warps.size(), 1u);
}

TEST(SampledLaunch, SeesTheEndOfABuffer) {
  for (uint64_t Size : {100, 5000, 4096}) {
    Requested R("__global__ void k(const char *in, long n, int *out) {"
                "  *out = in[n];"
                "}");
    BufferData Data = integers(BufferData::Random);
    Data.Size = Size;
    R.pass(Data);
    R.pass(long(Size));
    R.pass(integers(BufferData::Zeros));
    ExecutionResult Result = R.run();
    ASSERT_TRUE(Result.Fault) << Size;
    EXPECT_EQ(Result.Fault->Buffer, "0 bytes behind the end of " +
                                        std::to_string(Size) +
                                        " bytes of 'buffer'");
  }
}

TEST(SampledLaunch, SetsVariables) {
  Requested R("__device__ int n[4];"
              "__global__ void k(int *out) {"
              "  for (int i = 0; i < n[3]; ++i) out[i * 5] += out[i * 3];"
              "}");
  SampleBuffer &B = R.Request.Buffers.emplace_back();
  B.Name = "n";
  B.Data = integers(BufferData::Iota);
  B.Data.Size = 16;
  R.pass(integers(BufferData::Zeros));
  ExecutionResult Result = R.run();
  ASSERT_TRUE(Result.Completed && Result.Trace);
  double Stores = 0;
  unsigned Number = 0;
  for (const llvm::Instruction &I :
       llvm::instructions(*R.Unit.Module->getFunction(R.Request.Kernel))) {
    for (const RunTrace::Access &A : Result.Trace->Accesses)
      if (A.Instruction == Number && llvm::isa<llvm::StoreInst>(I))
        Stores += A.Requests;
    ++Number;
  }
  EXPECT_EQ(Stores, 3);
}

} // namespace
