/// \file
/// Both ends of a request, and the process that executes it.
#include "gpu-estimate/Run/SampleRequest.h"

#include "Fields.h"
#include "Socket.h"
#include "gpu-estimate/Run/Channel.h"
#include "gpu-estimate/Run/ProgramProcess.h"
#include "gpu-estimate/Support/Installation.h"
#include <algorithm>
#include <csignal>
#include <fcntl.h>

using namespace llvm;

namespace gpuestimate {

template <> ArrayRef<StringLiteral> enumNames<BufferData::FillKind>() {
  static constexpr StringLiteral Names[] = {"zeros", "iota", "random", "file"};
  return Names;
}

template <> ArrayRef<StringLiteral> enumNames<ElementType::KindType>() {
  static constexpr StringLiteral Names[] = {"integer", "real", "bytes"};
  return Names;
}

namespace {

/// The line before the bytes.
struct SampleHeader {
  SampleRequest Request;
  uint64_t BitcodeBytes = 0;
  std::vector<uint64_t> FileBytes; ///< [buffer]
};

} // namespace

template <class Io> static void fields(Io &F, ElementType &T) {
  F("kind", T.Kind);
  F("bytes", T.Size);
}

template <class Io> static void fields(Io &F, SampleBuffer &B) {
  F("address", B.Address);
  F.bytes("name", B.Name);
  F("contents", B.Data.Fill);
  F("element", B.Data.Type);
  F("bytes", B.Data.Size);
  F("limit", B.Data.Limit);
}

template <class Io> static void fields(Io &F, SampleHeader &H) {
  SampleRequest &R = H.Request;
  F.bytes("kernel", R.Kernel);
  F("grid", R.Grid);
  F("block", R.Block);
  F("dynamic_shared_bytes", R.DynamicSharedBytes);
  F("lanes", R.Lanes);
  F.bytes("arguments", R.Arguments);
  F("buffers", R.Buffers);
  F("seconds", R.Seconds);
  F("memory_bytes", R.MemoryBytes);
  F("bitcode_bytes", H.BitcodeBytes);
  F("file_bytes", H.FileBytes);
}

static StringRef fileBytes(const BufferData &Data) {
  return Data.Array ? toStringRef(Data.Array->Bytes) : StringRef();
}

bool writeSampleRequest(int Socket, const SampleRequest &Request) {
  SampleHeader Header;
  Header.Request = Request;
  Header.Request.Bitcode.clear();
  Header.BitcodeBytes = Request.Bitcode.size();
  for (const SampleBuffer &B : Request.Buffers)
    Header.FileBytes.push_back(fileBytes(B.Data).size());
  if (!sendAll(Socket, objectText(Header) + '\n') ||
      !sendAll(Socket, Request.Bitcode))
    return false;
  return all_of(Request.Buffers, [&](const SampleBuffer &B) {
    return sendAll(Socket, fileBytes(B.Data));
  });
}

Expected<SampleRequest> readSampleRequest(int Socket) {
  std::string In;
  size_t End;
  while ((End = In.find('\n')) == std::string::npos)
    if (!receive(Socket, In))
      return createStringError("the request ended within its first line");
  Expected<SampleHeader> Header =
      parseFields<SampleHeader>(StringRef(In).take_front(End));
  if (!Header)
    return Header.takeError();
  SampleRequest Request = std::move(Header->Request);
  In.erase(0, End + 1);
  // Takes the next bytes of the stream.
  auto Take = [&](uint64_t Bytes, auto &Into) {
    while (In.size() < Bytes)
      if (!receive(Socket, In))
        return false;
    Into.assign(In.begin(), In.begin() + Bytes);
    In.erase(0, Bytes);
    return true;
  };
  bool All = Take(Header->BitcodeBytes, Request.Bitcode) &&
             Header->FileBytes.size() == Request.Buffers.size();
  for (size_t I = 0; All && I < Request.Buffers.size(); ++I) {
    BufferData &Data = Request.Buffers[I].Data;
    if (Data.Fill != BufferData::File)
      continue;
    auto Array = std::make_shared<NpyArray>();
    Array->Type = Data.Type;
    All = Take(Header->FileBytes[I], Array->Bytes);
    Data.Array = std::move(Array);
  }
  if (!All)
    return createStringError("the request ended within its bytes");
  return std::move(Request);
}

/// What the records of the child tell.
static Error readAnswer(int Socket, SampleResult &Result) {
  return serveRun(Socket, [&](RunRecord &&R) -> Expected<RunReply> {
    if (auto *L = std::get_if<RunLaunch>(&R.What)) {
      Result.Trace = std::move(L->Trace);
    } else if (auto *F = std::get_if<RunFault>(&R.What)) {
      Result.Stop = F->What + (F->Buffer.empty() ? "" : ": " + F->Buffer);
      Result.File = F->File;
      Result.Line = F->Line;
    } else if (auto *N = std::get_if<RunNotice>(&R.What)) {
      Result.Stop = N->Text;
    }
    return RunReply();
  });
}

static std::string whyEnded(int Status, const SampleRequest &Request) {
  if (Status == SampleMemoryStatus)
    return "it takes more than " + std::to_string(Request.MemoryBytes >> 20) +
           " MiB of memory";
  if (Status == 128 + SIGALRM || Status == 128 + SIGXCPU)
    return "its code takes too long to compile";
  if (Status == 127)
    return "its process cannot be started";
  return "its process ended with status " + std::to_string(Status);
}

SampleResult executeSample(const SampleRequest &Request) {
  SampleResult Result;
  auto Failed = [&](Error E) {
    Result.Stop = toString(std::move(E));
    return Result;
  };
  ProgramCommand Command;
  Expected<std::string> Program = findInstalledProgram("gpu-estimate-execute");
  if (!Program)
    return Failed(Program.takeError());
  Command.File = std::move(*Program);
  // What a kernel prints is no part of the report.
  int Null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (Null >= 0)
    Command.Output = Command.ErrorOutput = Null;
  Command.FixedAddresses = true;
  Expected<ProgramProcess> Process = ProgramProcess::start(Command);
  if (Null >= 0)
    close(Null);
  if (!Process)
    return Failed(Process.takeError());
  writeSampleRequest(Process->socket(), Request); // its end is seen below
  Error Problem = readAnswer(Process->socket(), Result);
  if (Problem)
    Process->end(); // compiled code has overwritten what it was about to say
  int Status = Process->wait();
  if (Problem)
    return Failed(std::move(Problem));
  if (Status != 0 && Result.Stop.empty())
    Result.Stop = whyEnded(Status, Request);
  return Result;
}

} // namespace gpuestimate
