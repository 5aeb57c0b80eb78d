/// \file
/// Both ends of the socket.
#include "gpu-estimate/Run/Channel.h"

#include "Socket.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace gpuestimate {

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
