/// \file
/// The texts that an editor has open, with positions as the Language Server
/// Protocol counts them.
#ifndef GPU_ESTIMATE_LIB_SERVE_DOCUMENTS_H
#define GPU_ESTIMATE_LIB_SERVE_DOCUMENTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace gpuestimate {

/// What a character of a position counts.
enum class PositionUnit : uint8_t { Utf8, Utf16 };

struct EditorPosition {
  unsigned Line = 0, Character = 0; ///< from 0
};

class Document {
public:
  std::string Path; ///< of the file
  std::string Text;
  int64_t Version = 0;

  /// A position behind the end of a line or of the text is that end.
  size_t offsetOf(EditorPosition At, PositionUnit Unit) const;
  EditorPosition positionOf(size_t Offset, PositionUnit Unit) const;
  /// The offset of a line and column of clang, which count from 1, in bytes.
  size_t offsetAt(unsigned Line, unsigned Column) const;
  /// The range of the identifier or number at a line and column of clang, which
  /// count from 1, in bytes; one character where none begins there.
  llvm::json::Object rangeAt(unsigned Line, unsigned Column,
                             PositionUnit Unit) const;
  /// Where a line of clang ends.
  EditorPosition endOfLine(unsigned Line, PositionUnit Unit) const;
  /// Applies an item of contentChanges; false if it is none.
  bool apply(const llvm::json::Value &Change, PositionUnit Unit);

private:
  size_t startOfLine(unsigned Line) const; ///< from 0
};

std::optional<EditorPosition> positionFrom(const llvm::json::Object *Position);
llvm::json::Object positionJson(EditorPosition At);
llvm::json::Object rangeJson(EditorPosition From, EditorPosition To);

/// The path of a file:// URI; nothing for other URIs.
std::optional<std::string> pathOfUri(llvm::StringRef Uri);
std::string uriOfPath(llvm::StringRef Path);

} // namespace gpuestimate

#endif
