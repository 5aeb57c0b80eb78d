#include "LinkUnits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"

namespace gpuestimate {

namespace {
/// Keeps the text of an error that the linker reports.
struct LinkProblem : llvm::DiagnosticHandler {
  explicit LinkProblem(std::string &Text) : Text(Text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &Info) override {
    if (Info.getSeverity() == llvm::DS_Error) {
      llvm::raw_string_ostream OS(Text);
      llvm::DiagnosticPrinterRawOStream Printer(OS);
      Info.print(Printer);
    }
    return true;
  }
  std::string &Text;
};
} // namespace

llvm::Error linkDeviceCode(TranslationUnit &Into, TranslationUnit &&From) {
  if (Into.Host || From.Host)
    return llvm::createStringError("C and C++ have no device code to link");
  // Modules of two contexts share nothing: the code takes the way over bitcode.
  std::string Bitcode;
  llvm::raw_string_ostream OS(Bitcode);
  llvm::WriteBitcodeToFile(*From.Module, OS);
  llvm::Expected<std::unique_ptr<llvm::Module>> Code = llvm::parseBitcodeFile(
      llvm::MemoryBufferRef(Bitcode, From.MainFile), *Into.Context);
  if (!Code)
    return Code.takeError();
  std::string Problem;
  std::unique_ptr<llvm::DiagnosticHandler> Before =
      Into.Context->getDiagnosticHandler();
  Into.Context->setDiagnosticHandler(std::make_unique<LinkProblem>(Problem));
  bool Failed = llvm::Linker::linkModules(*Into.Module, std::move(*Code),
                                          llvm::Linker::Flags::LinkOnlyNeeded);
  Into.Context->setDiagnosticHandler(std::move(Before));
  if (Failed)
    return llvm::createStringError(
        Problem.empty() ? "the linker gives no reason" : Problem);
  llvm::append_range(Into.Anchors, From.Anchors);
  llvm::append_range(Into.Files, From.Files);
  Into.DependsOnArch |= From.DependsOnArch;
  return llvm::Error::success();
}

} // namespace gpuestimate
