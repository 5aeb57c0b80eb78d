/// \file
/// Style sheets and script of the pages, and of charts that stand alone. Light
/// and dark follow the reader's setting; print is light.
#ifndef GPU_ESTIMATE_LIB_REPORT_CHARTS_STYLE_H
#define GPU_ESTIMATE_LIB_REPORT_CHARTS_STYLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// Colours of text and background, and tables, for every page.
llvm::StringRef baseStyle();
/// Colours and lines of a chart; complete where it stands alone.
std::string chartStyle();
/// Parts of the report beside tables and charts.
llvm::StringRef reportStyle();
/// Script that sorts tables and shows the label of the focused point.
llvm::StringRef reportScript();

} // namespace gpuestimate

#endif
