/// \file
/// The protocols in which a client talks to the service. Each takes one message
/// of the client and returns the answer, or nothing where there is none.
#ifndef GPU_ESTIMATE_LIB_SERVE_PROTOCOLS_H
#define GPU_ESTIMATE_LIB_SERVE_PROTOCOLS_H

#include "Service.h"
#include <optional>

namespace gpuestimate {

/// A line {"id": any, "method": NAME, "params": {...}} is answered by
/// {"id": ..., "result": ...} or {"id": ..., "error": {"message": TEXT}}.
std::optional<llvm::json::Value> answerJsonLine(const Service &By,
                                                llvm::StringRef Line);

/// The Model Context Protocol of 2025-06-18 as a server of tools: JSON-RPC 2.0,
/// one message a line. The methods of the service are the tools.
std::optional<llvm::json::Value> answerModelContext(const Service &By,
                                                    llvm::StringRef Line);

/// Parses a message. Deeply nested ones are refused, since the parser recurses.
llvm::Expected<llvm::json::Value> parseMessage(llvm::StringRef Line);

/// The service's answer, guarded: a crash of an analysis is an error.
llvm::Expected<llvm::json::Value>
guardedCall(const Service &By, llvm::StringRef Method,
            const llvm::json::Object &Parameters);

} // namespace gpuestimate

#endif
