/// \file
/// The time of a launch as nested bars, as in a flame graph: launch, files,
/// lines of the source, components. The wider, the more time.
#include "Chart.h"

#include "gpu-estimate/Support/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace gpuestimate {

namespace {

/// A bar and what it consists of.
struct Frame {
  std::string Text, Said;
  double Share = 0;
  std::string Class = "frame";
  std::vector<Frame> Inside = {};
};

class LineDrawing {
public:
  LineDrawing(const Prediction &P, ArrayRef<SourceExcerpt> Source);
  Chart draw();

private:
  std::string textOf(const SourceLocation &Where) const;
  Frame component(StringRef Of, StringRef Name, double Share);
  void drawFrames(Svg &Out, ArrayRef<Frame> Frames, double From, double Y);

  static constexpr double Left = 4, Right = ChartWidth - 4, Top = 4,
                          RowHeight = 24, Least = 0.5; ///< pixels

  const Prediction &P;
  ArrayRef<SourceExcerpt> Source;
  Frame Root;
  unsigned Depth = 3;
  std::vector<std::string> Components;
};

} // namespace

std::string LineDrawing::textOf(const SourceLocation &Where) const {
  for (const SourceExcerpt &Text : Source)
    if (Text.File == Where.File && Where.Line >= Text.First &&
        Where.Line < Text.First + Text.Lines.size())
      return StringRef(Text.Lines[Where.Line - Text.First]).trim().str();
  return "";
}

/// At most that many bytes of a text, without a part of a character.
static std::string shortened(StringRef Text, size_t Most) {
  if (Text.size() <= Most)
    return Text.str();
  StringRef Start = Text.take_front(Most - 3);
  while (!Start.empty() && (Start.back() & 0xC0) == 0x80)
    Start = Start.drop_back();
  if (!Start.empty() && (Start.back() & 0x80))
    Start = Start.drop_back();
  return (Start + "...").str();
}

Frame LineDrawing::component(StringRef Of, StringRef Name, double Share) {
  if (!is_contained(Components, Name))
    Components.push_back(Name.str());
  Frame F;
  F.Said = (Of + ", " + Name + ": " + formatPercent(Share) + ", " +
            formatTime(P.Time * Share))
               .str();
  F.Share = Share;
  F.Class = componentClass(Name);
  return F;
}

LineDrawing::LineDrawing(const Prediction &P, ArrayRef<SourceExcerpt> Source)
    : P(P), Source(Source) {
  auto Say = [&](StringRef What, double Share) {
    return (What + ": " + formatPercent(Share) + ", " +
            formatTime(P.Time * Share))
        .str();
  };
  std::vector<Frame> Files;
  for (const LineCost &Line : P.Lines) {
    auto File = find_if(
        Files, [&](const Frame &F) { return F.Text == Line.Where.File; });
    if (File == Files.end())
      File = Files.insert(File, Frame{Line.Where.File, "", 0});
    Frame L;
    L.Text = (Twine(Line.Where.Line) + "  " + textOf(Line.Where)).str();
    L.Said = Say(Line.Where.brief() + " " + textOf(Line.Where), Line.Share);
    L.Share = Line.Share;
    for (const auto &[Name, Share] : Line.Parts)
      L.Inside.push_back(component(Line.Where.brief(), Name, Share));
    File->Share += L.Share;
    File->Inside.push_back(std::move(L));
  }
  Frame None;
  for (const auto &[Name, Share] : P.OffLine) {
    None.Share += Share;
    None.Inside.push_back(component("no line", Name, Share));
  }
  None.Text = "no line";
  None.Said = Say("no line", None.Share);
  Root.Share = 1;
  Root.Text = P.Name + ", " + formatTime(P.Time);
  Root.Said = Say(P.Name, 1);
  stable_sort(Files,
              [](const Frame &A, const Frame &B) { return A.Share > B.Share; });
  if (Files.size() > 1) {
    Depth = 4;
    for (Frame &F : Files)
      F.Said = Say(F.Text, F.Share);
    Root.Inside = std::move(Files);
    None.Inside = {Frame{"", None.Said, None.Share, "frame", None.Inside}};
  } else if (!Files.empty()) {
    Root.Inside = std::move(Files.front().Inside);
  }
  Root.Inside.push_back(std::move(None));
}

void LineDrawing::drawFrames(Svg &Out, ArrayRef<Frame> Frames, double From,
                             double Y) {
  constexpr double Margin = 6;
  for (const Frame &F : Frames) {
    double Width = F.Share * (Right - Left);
    // What is too narrow to be seen is in the table.
    if (Width >= Least) {
      bool IsComponent = F.Inside.empty();
      Out.item(F.Said, [&] {
        Out.rect(F.Class, From, Y, Width, IsComponent ? 12 : RowHeight - 2);
        double Room = (Width - 2 * Margin) / textWidth("m");
        constexpr size_t Shortest = 4;
        if (!IsComponent && Room >= Shortest)
          Out.text("", From + Margin, Y + 15,
                   shortened(F.Text, static_cast<size_t>(Room)));
      });
      drawFrames(Out, F.Inside, From, Y + RowHeight);
    }
    From += Width;
  }
}

Chart LineDrawing::draw() {
  Chart C;
  C.Name = "time-by-line";
  C.Title = "Lines, as a flame graph";
  C.Caption = "The wider a bar, the more of the time. Below the launch stand "
              "the lines of its source, below each line what it waits for or "
              "works on; launch, dispatch and tail are no line's.";
  C.Width = ChartWidth;
  raw_string_ostream OS(C.Elements);
  Svg Out(OS);
  drawFrames(Out, Root, Left, Top);
  double Y = Top + RowHeight * (Depth - 1) + 20;
  stable_sort(Components, [](const std::string &A, const std::string &B) {
    return componentNumber(A) < componentNumber(B);
  });
  std::vector<LegendEntry> Legend;
  for (const std::string &Component : Components)
    Legend.push_back({componentClass(Component), Component});
  C.Height = Y + drawLegend(Out, Y, Legend) + 4;
  C.Data.Heads = {"line", "source", "share", "time"};
  for (const LineCost &Line : P.Lines)
    C.Data.Rows.push_back(
        {Cell(Line.Where.brief()), Cell(textOf(Line.Where)),
         Cell(formatPercent(Line.Share), Line.Share),
         Cell(formatTime(P.Time * Line.Share), (P.Time * Line.Share).value())});
  return C;
}

std::optional<Chart> lineChart(const Prediction &P,
                               ArrayRef<SourceExcerpt> Source) {
  if (P.Lines.empty())
    return std::nullopt;
  return LineDrawing(P, Source).draw();
}

} // namespace gpuestimate
