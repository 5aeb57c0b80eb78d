/// \file
/// Style sheets and script of the pages, and of charts that stand alone. Light
/// and dark follow the reader's setting; print is light.
#ifndef GPU_ESTIMATE_LIB_REPORT_CHARTS_STYLE_H
#define GPU_ESTIMATE_LIB_REPORT_CHARTS_STYLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuestimate {

/// Colours of text and ground, tables: what every page has.
llvm::StringRef baseStyle();
/// Colours and lines of a chart; complete where it stands alone.
std::string chartStyle();
/// Parts of the report beside tables and charts.
llvm::StringRef reportStyle();
/// Sorts tables, says the point that has the focus.
llvm::StringRef reportScript();

} // namespace gpuestimate

#endif
