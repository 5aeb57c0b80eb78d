/// \file
/// Both ends of the socket.
#include "gpu-estimate/Run/Channel.h"

#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

using namespace llvm;

namespace gpuestimate {

/// Bytes that the writer collects before it sends them.
static constexpr size_t SendBytes = 1 << 16;

/// Returns false when the other end is gone.
static bool sendAll(int Socket, StringRef Bytes) {
  while (!Bytes.empty()) {
    // Without MSG_NOSIGNAL a reader that is gone would end the program.
    ssize_t Sent = send(Socket, Bytes.data(), Bytes.size(), MSG_NOSIGNAL);
    if (Sent < 0 && errno == EINTR)
      continue;
    if (Sent <= 0)
      return false;
    Bytes = Bytes.drop_front(Sent);
  }
  return true;
}

/// Appends what arrives to Buffer; returns false at the end of the stream.
static bool receive(int Socket, std::string &Buffer) {
  char Bytes[SendBytes];
  ssize_t Count;
  do
    Count = recv(Socket, Bytes, sizeof(Bytes), 0);
  while (Count < 0 && errno == EINTR);
  if (Count <= 0)
    return false;
  Buffer.append(Bytes, Count);
  return true;
}

void RunWriter::flush() {
  if (!Gone && !sendAll(Socket, Out))
    Gone = true;
  Out.clear();
}

RunReply RunWriter::write(const RunRecord &R) {
  RunReply Own;
  Own.NowNs = R.HostNs;
  if (Gone)
    return Own;
  Out += toJson(R);
  Out += '\n';
  if (!asks(R)) {
    if (Out.size() >= SendBytes)
      flush();
    return Own;
  }
  flush();
  size_t End;
  while ((End = In.find('\n')) == std::string::npos)
    if (Gone || !receive(Socket, In)) {
      Gone = true;
      return Own;
    }
  Expected<RunReply> Reply = parseRunReply(StringRef(In).take_front(End));
  In.erase(0, End + 1);
  if (Reply)
    return *Reply;
  consumeError(Reply.takeError());
  Gone = true;
  return Own;
}

Error serveRun(int Socket,
               function_ref<Expected<RunReply>(RunRecord &&)> Handle) {
  std::string In;
  uint64_t Number = 0;
  // Bytes of In that hold no newline, so that a long line is searched once.
  for (size_t Searched = 0;;) {
    size_t Begin = 0, End;
    while ((End = In.find('\n', std::max(Begin, Searched))) !=
           std::string::npos) {
      ++Number;
      Expected<RunRecord> R = parseRunRecord(StringRef(In).slice(Begin, End));
      if (!R)
        return createStringError("record " + Twine(Number) + ": " +
                                 toString(R.takeError()));
      Begin = End + 1;
      bool Asks = asks(*R);
      bool IsLast = std::holds_alternative<RunExit>(R->What);
      Expected<RunReply> Reply = Handle(std::move(*R));
      if (!Reply)
        return Reply.takeError();
      if (Asks && !sendAll(Socket, toJson(*Reply) + "\n"))
        return Error::success(); // the program has ended
      if (IsLast)
        return Error::success();
    }
    In.erase(0, Begin);
    Searched = In.size();
    if (!receive(Socket, In))
      break;
  }
  // A program that is killed can end inside a line.
  if (!In.empty())
    return createStringError("record " + Twine(Number + 1) +
                             ": the program ended within it");
  return Error::success();
}

} // namespace gpuestimate
