/// \file
/// Changes of a source's text by which clang 19 accepts what nvcc accepts.
///
/// Clang refuses some constructs of nvcc's dialect. Where one of its errors is
/// about such a construct, an edit of the same line settles it, and the source
/// is parsed again with the edited text. A file that clang accepts as it is
/// stays as it is. Line numbers never change; columns behind an edit may.
#ifndef GPU_ESTIMATE_LIB_FRONTEND_PARSE_DIALECTREPAIR_H
#define GPU_ESTIMATE_LIB_FRONTEND_PARSE_DIALECTREPAIR_H

#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>

namespace gpuestimate {

/// Replaces the bytes [Begin, End) of a file.
struct TextEdit {
  size_t Begin = 0, End = 0;
  std::string Text;
};

/// `__shared__ alignas(128) float s[8]`, Place at `alignas`: the alignment goes
/// in front of the declaration, where the C++ standard has it.
std::optional<TextEdit> moveAlignment(llvm::StringRef Text, size_t Place);

/// `__shared__ T name[4];` with a constructor, Place at a name: nvcc runs no
/// constructor. The object becomes a member of a union that has an empty one
/// (cuda-headers/gpu_estimate/dialect.h), and the name a reference to it.
std::optional<TextEdit> dropSharedConstructor(llvm::StringRef Text,
                                              size_t Place);

/// `extern __shared__ Tiles<64> s;`, Place at `__shared__`: nvcc takes dynamic
/// shared memory for an object of any type, clang for an array without bounds
/// only. The name becomes a reference to the object at its begin.
std::optional<TextEdit> referToDynamicShared(llvm::StringRef Text,
                                             size_t Place);

/// `float w[n] = {1};` in host code, Place between the name and the bounds: g++
/// accepts the initialiser. The array is set to zero by a statement behind the
/// declaration, then the elements that are listed are assigned.
std::optional<TextEdit> assignVlaElements(llvm::StringRef Text, size_t Place);

/// `"mov.u64 %0, %globaltimer;"`, Place in the string at or before a `%` that
/// is not part of an operand: nvcc passes it on, clang wants `%%`.
std::optional<TextEdit> escapePercent(llvm::StringRef Text, size_t Place);

/// `asm("..." ::"r"(v) "l"(p))`, Place at `"l"`: nvcc needs no comma between
/// operands.
std::optional<TextEdit> separateAsmOperands(llvm::StringRef Text, size_t Place);

/// `kernel << <grid, block >> > (x)`, Place at the third `<`: nvcc takes the
/// chevrons apart, as some formatters write them; clang wants them joined.
std::optional<TextEdit> joinChevrons(llvm::StringRef Text, size_t Place);

/// `kernel<<<grid, {32, 8}>>>(x)`, Place at the brace: nvcc converts the list
/// to the type of the parameter, `dim3`.
std::optional<TextEdit> nameDimensions(llvm::StringRef Text, size_t Place);

/// `#define UNROLL #pragma unroll`, Place at the second `#`: nvcc obeys a
/// pragma that comes out of a macro; clang wants `_Pragma("unroll")`.
std::optional<TextEdit> quotePragma(llvm::StringRef Text, size_t Place);

/// `child<<<grid, block>>>(x)` in device code, Place at the kernel's name, or,
/// for a template, behind it: the launch becomes a call of an opaque function
/// that has the kernel in its name.
std::optional<TextEdit> callDeviceLaunch(llvm::StringRef Text, size_t Place);

/// Prints diagnostics, and collects the edits that settle errors among them.
class RepairingPrinter : public clang::TextDiagnosticPrinter {
public:
  using TextDiagnosticPrinter::TextDiagnosticPrinter;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  /// The files that have edits, with the text after them, by absolute or
  /// working-directory-relative path.
  llvm::StringMap<std::string> repairedFiles() const;

private:
  struct EditedFile {
    std::string Before;
    std::map<size_t, TextEdit> Edits; ///< by Begin
  };
  llvm::StringMap<EditedFile> Files;
};

} // namespace gpuestimate

#endif
