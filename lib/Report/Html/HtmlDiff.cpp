/// \file
/// The page of `diff`: what has changed, and both versions side by side, which
/// the script of the page draws from their JSON.
#include "HtmlParts.h"

#include "gpu-estimate/Report/Html/Html.h"

using namespace llvm;

namespace gpuestimate {

void printDiffHtml(raw_ostream &OS, std::pair<std::string, std::string> Names,
                   StringRef Before, StringRef After, StringRef Changes,
                   StringRef ToolVersion) {
  beginPage(OS, "Two versions of the kernels", ToolVersion);
  OS << "<main>\n<p>Before: <code>" << escaped(Names.first)
     << "</code>; after: <code>" << escaped(Names.second) << "</code>.</p>\n";
  printVersions(OS, Before, After);
  OS << "<section>\n<h2>As text</h2>\n<pre tabindex=\"0\" role=\"region\" "
        "aria-label=\"What has changed\">"
     << escaped(Changes) << "</pre>\n</section>\n</main>\n";
  endPage(OS, Analysis());
}

} // namespace gpuestimate
