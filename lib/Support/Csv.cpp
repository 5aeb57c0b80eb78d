#include "gpu-estimate/Support/Csv.h"

#include "gpu-estimate/Support/FileMessage.h"

using namespace llvm;

namespace gpuestimate {

namespace {

class CsvReader {
public:
  CsvReader(StringRef File, StringRef Text) : File(File), Text(Text) {}

  Expected<std::vector<CsvRow>> read() {
    std::vector<CsvRow> Rows;
    while (!atEnd()) {
      CsvRow Row;
      do {
        Expected<CsvCell> Cell = cell();
        if (!Cell)
          return Cell.takeError();
        Row.push_back(std::move(*Cell));
      } while (take(','));
      endLine();
      if (Row.size() > 1 || !StringRef(Row[0].Text).trim().empty())
        Rows.push_back(std::move(Row));
    }
    return Rows;
  }

private:
  bool atEnd() const { return Position >= Text.size(); }
  bool atLineEnd() const {
    return atEnd() || Text[Position] == '\n' ||
           Text.substr(Position).starts_with("\r\n");
  }
  void endLine() {
    take('\r');
    take('\n');
  }
  bool take(char C) {
    if (atEnd() || Text[Position] != C)
      return false;
    next();
    return true;
  }
  char next() {
    char C = Text[Position++];
    Column = C == '\n' ? 1 : Column + 1;
    Line += C == '\n';
    return C;
  }
  Error problem(unsigned Line, unsigned Column, const char *Message) {
    return createStringError(printMessage(File, {Line, Column}, Message));
  }

  Expected<CsvCell> cell() {
    CsvCell Cell{"", Line, Column};
    if (!take('"')) {
      while (!atLineEnd() && Text[Position] != ',') {
        if (Text[Position] == '"')
          return problem(Line, Column,
                         "a quote inside a cell that does not begin with one");
        Cell.Text += next();
      }
      return Cell;
    }
    for (;;) {
      if (atEnd())
        return problem(Cell.Line, Cell.Column,
                       "the quote that begins here is not closed");
      if (Text[Position] == '"') {
        next();
        if (!take('"'))
          break;
        Cell.Text += '"';
        continue;
      }
      Cell.Text += next();
    }
    if (!atLineEnd() && Text[Position] != ',')
      return problem(Line, Column, "expected a comma after the closing quote");
    return Cell;
  }

  StringRef File, Text;
  size_t Position = 0;
  unsigned Line = 1, Column = 1;
};

} // namespace

Expected<std::vector<CsvRow>> readCsv(StringRef File, StringRef Text) {
  return CsvReader(File, Text).read();
}

std::string csvCell(StringRef Text) {
  if (Text.find_first_of(",\"\r\n") == StringRef::npos)
    return Text.str();
  std::string Quoted = "\"";
  for (char C : Text)
    Quoted += C == '"' ? "\"\"" : std::string(1, C);
  return Quoted + "\"";
}

} // namespace gpuestimate
