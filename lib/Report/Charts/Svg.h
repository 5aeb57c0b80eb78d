/// \file
/// Elements and axes of charts. Colours are classes of the style sheet
/// (Style.h), so that charts follow light and dark.
#ifndef GPU_ESTIMATE_LIB_REPORT_CHARTS_SVG_H
#define GPU_ESTIMATE_LIB_REPORT_CHARTS_SVG_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuestimate {

/// Text with &, <, >, quotes and control characters as entities or blanks.
std::string escaped(llvm::StringRef Text);

/// Prints a coordinate with one digit after the point.
std::string coordinate(double Value);

enum class Anchor : uint8_t { Start, Middle, End };

/// Writes SVG elements, in pixels of the view box.
class Svg {
public:
  explicit Svg(llvm::raw_ostream &OS) : OS(OS) {}

  void line(llvm::StringRef Class, double X1, double Y1, double X2, double Y2);
  void polyline(llvm::StringRef Class,
                llvm::ArrayRef<std::pair<double, double>> Points);
  void rect(llvm::StringRef Class, double X, double Y, double Width,
            double Height);
  /// Degrees turn the text around its anchor.
  void text(llvm::StringRef Class, double X, double Y, llvm::StringRef Text,
            Anchor Side = Anchor::Start, double Degrees = 0);
  /// Shape: 0 circle, 1 square, 2 diamond, 3 triangle; larger numbers repeat.
  void marker(llvm::StringRef Class, unsigned Shape, double X, double Y,
              double Radius = 5);
  /// A line that ends in strokes across it, each as long as 2 * HalfStroke.
  void whisker(double X1, double Y1, double X2, double Y2,
               double HalfStroke = 4);
  /// Groups the elements that Draw draws to one item that the keyboard can
  /// focus and that a screen reader reads as Label.
  void item(llvm::StringRef Label, llvm::function_ref<void()> Draw);

private:
  llvm::raw_ostream &OS;
};

/// Maps values to pixels.
struct Scale {
  double Low = 0, High = 1; ///< values at the ends
  double From = 0, To = 1;  ///< their pixels
  bool IsLog = false;

  double at(double Value) const;
  bool contains(double Value) const { return Value >= Low && Value <= High; }
  /// Values of the grid lines, about MaxTicks at most: decades, or 1, 2 and 5
  /// of each if there are few; round numbers from 0 on a linear scale.
  std::vector<double> ticks(unsigned MaxTicks) const;
};

/// A logarithmic scale that contains Low and High with a margin.
Scale logScale(double Low, double High, double From, double To);

/// Places labels so that none covers another one.
class Labels {
public:
  Labels(Svg &Out, double Left, double Top, double Right, double Bottom)
      : Out(Out), Left(Left), Top(Top), Right(Right), Bottom(Bottom) {}
  /// Reserves an area in which no label may lie.
  void reserve(double X, double Y, double Width, double Height);
  /// Places a label beside the point: right, left, above or below, where there
  /// is room first. Returns false if there is none.
  bool place(double X, double Y, llvm::StringRef Text);

private:
  struct Box {
    double X, Y, Width, Height;
  };
  bool isFree(const Box &B) const;
  Svg &Out;
  double Left, Top, Right, Bottom;
  std::vector<Box> Taken;
};

/// The time of an axis: "2 us" for 2e-6 seconds.
std::string timeLabel(double Seconds);

/// Estimates the width of a text in pixels.
double textWidth(llvm::StringRef Text);

} // namespace gpuestimate

#endif
