/// \file
/// `gpu-estimate --explain NAME`: what a name that a report prints stands for,
/// from the page of docs/ that describes it. The pages are part of the program.
#ifndef GPU_ESTIMATE_CLI_EXPLANATION_H
#define GPU_ESTIMATE_CLI_EXPLANATION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace gpuestimate {

enum class TopicKind : uint8_t {
  Diagnostic, ///< diagnosticTable()
  Bound,      ///< bottleneckTable(): "bound by"
  Component,  ///< componentTable(): a part of the time
  Occupancy,  ///< occupancyLimitTable(): "limited by"
  Cpu,        ///< cpuLimitTable()
  Fpga,       ///< fpgaLimitTable()
  Analysis,   ///< what ends an analysis early
};

/// "bound of the time", "what limits the occupancy"
llvm::StringRef describe(TopicKind Kind);

struct Topic {
  TopicKind Kind;
  std::string Name; ///< as reports print it: "l1-bandwidth", "memory ports"
  std::string Summary;
  std::vector<std::string> Facts; ///< sentences beside the page
  std::string Page;               ///< below docs/, without .md: "limits/l1"
};

/// Everything that can be explained. Two of different kinds may have one name.
std::vector<Topic> topics();

/// The Markdown of a page; empty where there is none.
llvm::StringRef pageText(llvm::StringRef Page);

/// Every topic of this name as text for a terminal: its summary and the parts
/// The sections What, Why, Example and Fix of a page. Name may be a diagnostic
/// as a compiler prints or takes it: [-Wgpu-estimate-tail],
/// -Wno-gpu-estimate-tail, -Werror=gpu-estimate-tail, gpu-estimate-tail. The
/// error is a UsageError with the nearest names, or all of them for no name.
llvm::Expected<std::string> explain(llvm::StringRef Name);

/// The page docs/limits.md: what is no diagnostic.
std::string limitReference();

} // namespace gpuestimate

#endif
