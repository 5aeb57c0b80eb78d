#include "Svg.h"

#include "gpu-estimate/Support/Format.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace gpuestimate {

std::string escaped(StringRef Text) {
  std::string Result;
  for (char C : Text)
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '"':
      Result += "&quot;";
      break;
    case '\'':
      Result += "&#39;";
      break;
    case '\t':
    case '\n':
      Result += C;
      break;
    default: // XML has no other control characters
      Result += static_cast<unsigned char>(C) < ' ' ? ' ' : C;
    }
  return Result;
}

std::string coordinate(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.1f", Value);
  StringRef Whole = Text;
  return Whole.consume_back(".0") ? Whole.str() : Text;
}

void Svg::line(StringRef Class, double X1, double Y1, double X2, double Y2) {
  OS << "<line class=\"" << Class << "\" x1=\"" << coordinate(X1) << "\" y1=\""
     << coordinate(Y1) << "\" x2=\"" << coordinate(X2) << "\" y2=\""
     << coordinate(Y2) << "\"/>\n";
}

void Svg::whisker(double X1, double Y1, double X2, double Y2,
                  double HalfStroke) {
  bool IsLevel = Y1 == Y2;
  double AlongX = IsLevel ? 0 : HalfStroke, AlongY = IsLevel ? HalfStroke : 0;
  auto Stroke = [&](double FromX, double FromY, double ToX, double ToY) {
    OS << 'M' << coordinate(FromX) << ' ' << coordinate(FromY) << 'L'
       << coordinate(ToX) << ' ' << coordinate(ToY);
  };
  OS << "<path class=\"whisker\" d=\"";
  Stroke(X1, Y1, X2, Y2);
  for (auto [X, Y] : {std::pair(X1, Y1), std::pair(X2, Y2)})
    Stroke(X - AlongX, Y - AlongY, X + AlongX, Y + AlongY);
  OS << "\"/>\n";
}

void Svg::polyline(StringRef Class,
                   ArrayRef<std::pair<double, double>> Points) {
  OS << "<polyline class=\"" << Class << "\" points=\"";
  for (auto [X, Y] : Points)
    OS << coordinate(X) << ',' << coordinate(Y) << ' ';
  OS << "\"/>\n";
}

void Svg::rect(StringRef Class, double X, double Y, double Width,
               double Height) {
  OS << "<rect class=\"" << Class << "\" x=\"" << coordinate(X) << "\" y=\""
     << coordinate(Y) << "\" width=\"" << coordinate(Width) << "\" height=\""
     << coordinate(Height) << "\"/>\n";
}

void Svg::text(StringRef Class, double X, double Y, StringRef Text, Anchor Side,
               double Degrees) {
  static constexpr const char *Anchors[] = {"start", "middle", "end"};
  OS << "<text";
  if (!Class.empty())
    OS << " class=\"" << Class << '"';
  OS << " x=\"" << coordinate(X) << "\" y=\"" << coordinate(Y) << '"';
  if (Side != Anchor::Start)
    OS << " text-anchor=\"" << Anchors[static_cast<unsigned>(Side)] << '"';
  if (Degrees != 0)
    OS << " transform=\"rotate(" << coordinate(Degrees) << ' ' << coordinate(X)
       << ' ' << coordinate(Y) << ")\"";
  OS << '>' << escaped(Text) << "</text>\n";
}

void Svg::marker(StringRef Class, unsigned Shape, double X, double Y,
                 double Radius) {
  if (Shape % 4 == 0) {
    OS << "<circle class=\"" << Class << "\" cx=\"" << coordinate(X)
       << "\" cy=\"" << coordinate(Y) << "\" r=\"" << coordinate(Radius)
       << "\"/>\n";
    return;
  }
  if (Shape % 4 == 1) {
    double Half = 0.9 * Radius;
    rect(Class, X - Half, Y - Half, 2 * Half, 2 * Half);
    return;
  }
  OS << "<polygon class=\"" << Class << "\" points=\"";
  auto Corner = [&](double DX, double DY) {
    OS << coordinate(X + DX * Radius) << ',' << coordinate(Y + DY * Radius)
       << ' ';
  };
  Corner(0, -1.25);
  if (Shape % 4 == 2) {
    Corner(1.25, 0);
    Corner(0, 1.25);
    Corner(-1.25, 0);
  } else {
    Corner(1.15, 0.9);
    Corner(-1.15, 0.9);
  }
  OS << "\"/>\n";
}

void Svg::item(StringRef Label, function_ref<void()> Draw) {
  // The title names the item for a screen reader, too (SVG Accessibility API
  // Mappings).
  OS << "<g class=\"item\" tabindex=\"0\" role=\"img\"><title>"
     << escaped(Label) << "</title>\n";
  Draw();
  OS << "</g>\n";
}

double Scale::at(double Value) const {
  double Share = IsLog ? std::log(Value / Low) / std::log(High / Low)
                       : (Value - Low) / (High - Low);
  return From + Share * (To - From);
}

std::vector<double> Scale::ticks(unsigned MaxTicks) const {
  std::vector<double> Result;
  if (!IsLog) {
    double Rough = (High - Low) / MaxTicks;
    double Step = std::pow(10.0, std::floor(std::log10(Rough)));
    for (double Factor : {2.0, 2.5, 2.0})
      if (Step < Rough)
        Step *= Factor;
    for (double I = std::ceil(Low / Step - 1e-9); I * Step <= High * (1 + 1e-9);
         ++I)
      Result.push_back(I * Step);
    return Result;
  }
  double Decades = std::log10(High / Low);
  int First = static_cast<int>(std::floor(std::log10(Low)));
  int Every = std::max(1, static_cast<int>(std::ceil(Decades / MaxTicks)));
  bool HasFew = Decades * 3 <= MaxTicks;
  for (int D = First; D <= std::log10(High) + 1e-9; ++D)
    for (double Factor : {1., 2., 5.}) {
      double Value = Factor * std::pow(10.0, D);
      bool IsWanted = Factor == 1 ? D % Every == 0 : HasFew;
      if (IsWanted && Value >= Low * (1 - 1e-9) && Value <= High * (1 + 1e-9))
        Result.push_back(Value);
    }
  return Result;
}

Scale logScale(double Low, double High, double From, double To) {
  double Room = std::max(1.25, std::pow(High / Low, 0.06));
  return {Low / Room, High * Room, From, To, true};
}

std::string timeLabel(double Time) { return formatTime(Seconds(Time)); }

/// Mean width of a character of the 12-pixel font.
double textWidth(StringRef Text) {
  return 6.7 * static_cast<double>(Text.size());
}

static constexpr double LabelHeight = 14;

void Labels::reserve(double X, double Y, double Width, double Height) {
  Taken.push_back({X, Y, Width, Height});
}

bool Labels::isFree(const Box &B) const {
  if (B.X < Left || B.Y < Top || B.X + B.Width > Right ||
      B.Y + B.Height > Bottom)
    return false;
  return std::none_of(Taken.begin(), Taken.end(), [&](const Box &T) {
    return B.X < T.X + T.Width && T.X < B.X + B.Width && B.Y < T.Y + T.Height &&
           T.Y < B.Y + B.Height;
  });
}

bool Labels::place(double X, double Y, StringRef Text) {
  constexpr double Off = 9;
  double Width = textWidth(Text), Half = LabelHeight / 2;
  const Box Places[] = {
      {X + Off, Y - Half, Width, LabelHeight},
      {X - Off - Width, Y - Half, Width, LabelHeight},
      {X - Width / 2, Y - Off - LabelHeight, Width, LabelHeight},
      {X - Width / 2, Y + Off, Width, LabelHeight}};
  for (const Box &Place : Places)
    if (isFree(Place)) {
      Taken.push_back(Place);
      Out.text("", Place.X, Place.Y + LabelHeight - 3, Text);
      return true;
    }
  return false;
}

} // namespace gpuestimate
