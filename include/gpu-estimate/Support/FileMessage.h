/// \file
/// Messages about places in text files, as compilers print them:
/// "file:line:column: text".
#ifndef GPU_ESTIMATE_SUPPORT_FILEMESSAGE_H
#define GPU_ESTIMATE_SUPPORT_FILEMESSAGE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// Line and column count from 1. Line 0 stands for the whole file, column 0
/// for the whole line.
struct TextPlace {
  unsigned Line = 0, Column = 0;
};

struct FileMessage {
  TextPlace Place;
  std::string Text;
};

/// "file:line:column: text", without the parts of the place that are 0.
std::string printMessage(llvm::StringRef File, TextPlace Place,
                         llvm::StringRef Text);

/// One message per line, by line number; messages of one line keep their
/// order. Messages about the whole file come last, because they are often
/// consequences of the others.
std::string printMessages(llvm::StringRef File,
                          llvm::ArrayRef<FileMessage> Messages);

} // namespace gpuestimate

#endif
