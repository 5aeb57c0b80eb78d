/// \file
/// The analyses that another program asks a resident process for. Parameters
/// and results are JSON, the same in every protocol; docs/serve.md lists them.
#ifndef GPU_ESTIMATE_LIB_SERVE_SERVICE_H
#define GPU_ESTIMATE_LIB_SERVE_SERVICE_H

#include "AnalysisMemory.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

/// A method, as clients are told of it.
struct ServiceMethod {
  llvm::StringLiteral Name, Help;
  bool TakesSource;     ///< one source and the options of an analysis
  bool TakesCandidates; ///< several of them
};
llvm::ArrayRef<ServiceMethod> serviceMethods();

/// JSON schema of the parameters of a method.
llvm::json::Object parameterSchema(const ServiceMethod &Method);

/// An interval that is wider than this (high / low) tells too little to choose
/// by: measure, or settle the assumptions. A judgement: between versions of a
/// kernel such a factor mostly is the gain that is looked for.
inline constexpr double DeferRatio = 2.5;

/// {"gpus": [...]}: the GPU models of the folder of the options.
llvm::Expected<llvm::json::Value> gpusJson(const Options &O);

class Service {
public:
  /// Defaults: options of every request that does not say otherwise.
  explicit Service(Options Defaults)
      : Defaults(std::move(Defaults)),
        Memory(std::make_unique<AnalysisMemory>()) {}

  /// Calls may run at the same time. Errors are what the caller did wrong, or
  /// what is wrong with its source, in one line or several.
  llvm::Expected<llvm::json::Value>
  call(llvm::StringRef Method, const llvm::json::Object &Parameters) const;

private:
  /// Analyses the source of a request, or remembers. Times: without the cost of
  /// lines and what else only reports show, in half of the time.
  enum class Depth : uint8_t { Report, Times };
  llvm::Expected<SharedAnalysis>
  analysisOf(const llvm::json::Object &Parameters,
             llvm::ArrayRef<std::string> Models = {},
             Depth Wanted = Depth::Report) const;
  llvm::Expected<llvm::json::Value>
  estimate(const llvm::json::Object &Parameters) const;
  llvm::Expected<llvm::json::Value>
  rank(const llvm::json::Object &Parameters) const;
  llvm::Expected<llvm::json::Value>
  suggest(const llvm::json::Object &Parameters) const;
  llvm::Expected<llvm::json::Value>
  headroom(const llvm::json::Object &Parameters) const;

  Options Defaults;
  std::unique_ptr<AnalysisMemory> Memory;
};

} // namespace gpuestimate

#endif
