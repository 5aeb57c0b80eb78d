#include "Documents.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace gpuestimate {

/// Bytes of the character that begins with C, and what it counts in UTF-16.
static unsigned bytesOf(unsigned char C) {
  return C < 0x80 ? 1 : C < 0xE0 ? 2 : C < 0xF0 ? 3 : 4;
}
static unsigned unitsOf(unsigned char C, PositionUnit Unit) {
  return Unit == PositionUnit::Utf8 ? bytesOf(C) : C < 0xF0 ? 1 : 2;
}

size_t Document::startOfLine(unsigned Line) const {
  size_t At = 0;
  for (; Line > 0; --Line) {
    size_t End = Text.find('\n', At);
    if (End == std::string::npos)
      return Text.size();
    At = End + 1;
  }
  return At;
}

size_t Document::offsetOf(EditorPosition At, PositionUnit Unit) const {
  size_t Offset = startOfLine(At.Line);
  for (unsigned Units = 0;
       Offset < Text.size() && Text[Offset] != '\n' && Units < At.Character;) {
    auto C = static_cast<unsigned char>(Text[Offset]);
    Units += unitsOf(C, Unit);
    Offset = std::min(Text.size(), Offset + bytesOf(C));
  }
  return Offset;
}

EditorPosition Document::positionOf(size_t Offset, PositionUnit Unit) const {
  StringRef Before = StringRef(Text).take_front(Offset);
  EditorPosition At;
  At.Line = unsigned(Before.count('\n'));
  size_t Start = Before.rfind('\n') + 1; // npos + 1 is 0
  for (size_t I = Start; I < Before.size();) {
    auto C = static_cast<unsigned char>(Before[I]);
    At.Character += unitsOf(C, Unit);
    I += bytesOf(C);
  }
  return At;
}

size_t Document::offsetAt(unsigned Line, unsigned Column) const {
  size_t Start = startOfLine(Line > 0 ? Line - 1 : 0);
  size_t LineEnd = std::min(Text.find('\n', Start), Text.size());
  return std::min(LineEnd, Start + (Column > 0 ? Column - 1 : 0));
}

json::Object Document::rangeAt(unsigned Line, unsigned Column,
                               PositionUnit Unit) const {
  size_t Start = offsetAt(Line, Column);
  size_t LineEnd = std::min(Text.find('\n', Start), Text.size());
  size_t End = Start;
  while (End < LineEnd && (isAlnum(Text[End]) || Text[End] == '_'))
    ++End;
  if (End == Start && End < LineEnd)
    ++End;
  return rangeJson(positionOf(Start, Unit), positionOf(End, Unit));
}

EditorPosition Document::endOfLine(unsigned Line, PositionUnit Unit) const {
  size_t Start = startOfLine(Line > 0 ? Line - 1 : 0);
  size_t End = std::min(Text.find('\n', Start), Text.size());
  if (End > Start && Text[End - 1] == '\r')
    --End;
  return positionOf(End, Unit);
}

bool Document::apply(const json::Value &Change, PositionUnit Unit) {
  const json::Object *Edit = Change.getAsObject();
  auto New = Edit ? Edit->getString("text") : std::nullopt;
  if (!New)
    return false;
  const json::Object *Range = Edit->getObject("range");
  if (!Range) {
    Text = New->str();
    return true;
  }
  auto From = positionFrom(Range->getObject("start")),
       To = positionFrom(Range->getObject("end"));
  if (!From || !To)
    return false;
  size_t Start = offsetOf(*From, Unit), End = offsetOf(*To, Unit);
  if (End < Start)
    return false;
  Text.replace(Start, End - Start, New->data(), New->size());
  return true;
}

std::optional<EditorPosition> positionFrom(const json::Object *Position) {
  if (!Position)
    return std::nullopt;
  auto Line = Position->getInteger("line"),
       Character = Position->getInteger("character");
  if (!Line || !Character || !isUInt<31>(*Line) || !isUInt<31>(*Character))
    return std::nullopt;
  return EditorPosition{unsigned(*Line), unsigned(*Character)};
}

json::Object positionJson(EditorPosition At) {
  return json::Object{{"line", int64_t(At.Line)},
                      {"character", int64_t(At.Character)}};
}

json::Object rangeJson(EditorPosition From, EditorPosition To) {
  return json::Object{{"start", positionJson(From)}, {"end", positionJson(To)}};
}

std::optional<std::string> pathOfUri(StringRef Uri) {
  if (!Uri.consume_front("file://"))
    return std::nullopt;
  std::string Path;
  for (size_t I = 0; I < Uri.size(); ++I) {
    uint8_t Byte;
    if (Uri[I] == '%' && I + 2 < Uri.size() &&
        tryGetHexFromNibbles(Uri[I + 1], Uri[I + 2], Byte)) {
      Path.push_back(char(Byte));
      I += 2;
    } else {
      Path.push_back(Uri[I]);
    }
  }
  return Path;
}

std::string uriOfPath(StringRef Path) {
  std::string Uri = "file://";
  for (char C : Path)
    if (isAlnum(C) || StringRef("/-_.~").contains(C))
      Uri.push_back(C);
    else
      Uri += "%" + toHex(StringRef(&C, 1));
  return Uri;
}

} // namespace gpuestimate
