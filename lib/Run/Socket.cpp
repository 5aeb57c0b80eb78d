#include "Socket.h"

#include <cerrno>
#include <sys/socket.h>

using namespace llvm;

namespace gpuestimate {

bool sendAll(int Socket, StringRef Bytes) {
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

bool receive(int Socket, std::string &Buffer) {
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

} // namespace gpuestimate
