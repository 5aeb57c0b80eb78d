/// \file
/// The settings of an editor: what it configures replaces what it configured
/// before, and completes the command line of the server.
#ifndef GPU_ESTIMATE_LIB_SERVE_EDITORSETTINGS_H
#define GPU_ESTIMATE_LIB_SERVE_EDITORSETTINGS_H

#include "gpu-estimate/Session/Settings/Options.h"
#include "llvm/Support/JSON.h"

namespace gpuestimate {

class EditorSettings {
public:
  explicit EditorSettings(Options Defaults)
      : Defaults(Defaults), Current(std::move(Defaults)) {}

  /// Takes settings by the names of parameters (RequestOptions.h). Errors are
  /// UsageErrors; the settings then stay as they were.
  llvm::Error configure(const llvm::json::Object &Given);
  /// GPUs that the user has chosen by a command: they replace those of the
  /// settings until the next choice.
  llvm::Error chooseGpus(const llvm::json::Array &Ids);

  const Options &options() const { return Current; }
  /// Equal texts, equal options.
  const std::string &text() const { return Text; }

private:
  llvm::Error apply(const llvm::json::Object &NewGiven,
                    const llvm::json::Array &NewGpus);

  Options Defaults, Current;
  llvm::json::Object Given;
  llvm::json::Array Gpus;
  std::string Text;
};

} // namespace gpuestimate

#endif
