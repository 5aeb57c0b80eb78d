/// \file
/// Requests over a socket.
#include "gpu-estimate/Run/SampleRequest.h"
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

using namespace gpuestimate;

namespace {

TEST(SampleRequest, ArrivesAsItWasWritten) {
  SampleRequest R;
  R.Bitcode = std::string("BC\0\n{", 5) + std::string(300000, 'x');
  R.Kernel = "_Z1kPi";
  R.Grid = {3, 2, 1};
  R.Block = {64, 1, 2};
  R.DynamicSharedBytes = 99;
  R.Lanes = 64;
  R.Arguments = {std::string("\0\1\2\xff", 4), ""};
  R.Seconds = 2.5;
  R.MemoryBytes = uint64_t(1) << 40;
  R.Buffers.resize(2);
  R.Buffers[0].Address = SampleBuffer::FirstWindow;
  R.Buffers[0].Name = "p.data";
  R.Buffers[0].Data.Fill = BufferData::File;
  R.Buffers[0].Data.Size = 200000;
  auto Array = std::make_shared<NpyArray>();
  Array->Bytes.assign(200000, '\n');
  R.Buffers[0].Data.Array = Array;
  R.Buffers[1].Name = "table";
  R.Buffers[1].Data.Fill = BufferData::Random;
  R.Buffers[1].Data.Type = {ElementType::Real, 8};
  R.Buffers[1].Data.Limit = 12;

  int Ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, Ends), 0);
  std::thread Writer([&] { EXPECT_TRUE(writeSampleRequest(Ends[0], R)); });
  llvm::Expected<SampleRequest> Read = readSampleRequest(Ends[1]);
  Writer.join();
  ASSERT_TRUE(bool(Read)) << llvm::toString(Read.takeError());
  EXPECT_EQ(Read->Bitcode, R.Bitcode);
  EXPECT_EQ(Read->Kernel, R.Kernel);
  EXPECT_EQ(Read->Grid, R.Grid);
  EXPECT_EQ(Read->Block, R.Block);
  EXPECT_EQ(Read->DynamicSharedBytes, R.DynamicSharedBytes);
  EXPECT_EQ(Read->Lanes, R.Lanes);
  EXPECT_EQ(Read->Arguments, R.Arguments);
  EXPECT_EQ(Read->Seconds, R.Seconds);
  EXPECT_EQ(Read->MemoryBytes, R.MemoryBytes);
  ASSERT_EQ(Read->Buffers.size(), 2u);
  for (unsigned I : {0, 1}) {
    const SampleBuffer &A = R.Buffers[I], &B = Read->Buffers[I];
    EXPECT_EQ(B.Address, A.Address);
    EXPECT_EQ(B.Name, A.Name);
    EXPECT_EQ(B.Data.Fill, A.Data.Fill);
    EXPECT_EQ(B.Data.Type, A.Data.Type);
    EXPECT_EQ(B.Data.Size, A.Data.Size);
    EXPECT_EQ(B.Data.Limit, A.Data.Limit);
  }
  ASSERT_TRUE(Read->Buffers[0].Data.Array);
  EXPECT_EQ(Read->Buffers[0].Data.Array->Bytes, Array->Bytes);

  // Half a request.
  ASSERT_EQ(write(Ends[0], "{\"kernel\": \"\"", 14), 14);
  close(Ends[0]);
  Read = readSampleRequest(Ends[1]);
  EXPECT_EQ(llvm::toString(Read.takeError()),
            "the request ended within its first line");
  close(Ends[1]);
}

} // namespace
