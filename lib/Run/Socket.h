/// \file
/// Bytes over a socket.
#ifndef GPU_ESTIMATE_LIB_RUN_SOCKET_H
#define GPU_ESTIMATE_LIB_RUN_SOCKET_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// Bytes that a writer collects before it sends them.
inline constexpr size_t SendBytes = 1 << 16;

/// Returns false when the other end is gone.
bool sendAll(int Socket, llvm::StringRef Bytes);

/// Appends what arrives to Buffer; returns false at the end of the stream.
bool receive(int Socket, std::string &Buffer);

} // namespace gpuestimate

#endif
