/// \file
/// Style sheets and script of the pages, and of charts that stand alone. Light
/// and dark follow the reader's setting; print is light.
#ifndef GPU_ESTIMATE_LIB_REPORT_CHARTS_STYLE_H
#define GPU_ESTIMATE_LIB_REPORT_CHARTS_STYLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// Colours of text and background, and tables, for every page.
std::string baseStyle();
/// Lines and fills of charts; with baseStyle()'s colours where a chart stands
/// alone.
std::string chartStyle(bool Alone);
/// Parts of the report beside tables and charts.
llvm::StringRef reportStyle();
/// The script of all pages: it sorts tables, shows the label of the focused
/// point, draws the surfaces of a sweep, and compares two results.
llvm::StringRef reportScript();

} // namespace gpuestimate

#endif
