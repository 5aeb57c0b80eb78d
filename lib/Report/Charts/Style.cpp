#include "Style.h"

#include "gpu-estimate/Advice/CpiStack.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

static constexpr StringLiteral Colours = "\n"
#include "Charts/colours.css.inc"
    ;

std::string baseStyle() {
  return Colours.str() +
#include "Charts/base.css.inc"
      ;
}

namespace {

/// Colours of the components, light and dark: arithmetic blue, near memories
/// green, far ones yellow to red, waiting pink, launch overhead grey. Each has
/// a contrast of 3 or more to its background.
struct Shade {
  const char *Component, *Light, *Dark;
};
constexpr Shade Shades[] = {
    {"issue", "#3b5bdb", "#91a7ff"},
    {"pipes", "#1971c2", "#4dabf7"},
    {"load-store", "#0c8599", "#66d9e8"},
    {"registers", "#7048e8", "#b197fc"},
    {"dependency", "#ae3ec9", "#e599f7"},
    {"shared", "#087f5b", "#38d9a9"},
    {"l1", "#2b8a3e", "#69db7c"},
    {"uncoalesced", "#6b8e00", "#c0eb75"},
    {"outstanding", "#96860b", "#e9e26b"},
    {"l2", "#b07800", "#ffd43b"},
    {"l3", "#c2560a", "#ffb066"},
    {"dram", "#d9480f", "#ff922b"},
    {"dram-queue", "#a52a0a", "#ff6b4a"},
    {"ecc", "#8c2f39", "#ffc9a3"},
    {"link", "#7a1f1f", "#ff9e9e"},
    {"atomics", "#d6336c", "#faa2c1"},
    {"barrier", "#a61e4d", "#f06595"},
    {"wait", "#862e9c", "#eebefa"},
    {"dispatch", "#868e96", "#adb5bd"},
    {"tail", "#6c757d", "#8a929a"},
    {"cold", "#1098ad", "#99e9f2"},
    {"migration", "#5c3d1e", "#d9a066"},
    {"launch", "#495057", "#dee2e6"},
};

void variables(raw_ostream &OS, bool Dark) {
  for (auto [I, C] : enumerate(componentTable()))
    for (const Shade &S : Shades)
      if (C.Name == S.Component)
        OS << " --k" << I << ": " << (Dark ? S.Dark : S.Light) << ';';
}

} // namespace

std::string chartStyle(bool Alone) {
  std::string Text = Alone ? Colours.str() : "";
  raw_string_ostream OS(Text);
  OS << ":root {";
  variables(OS, false);
  OS << " }\n@media screen and (prefers-color-scheme: dark) { :root {";
  variables(OS, true);
  OS << " } }\n";
  size_t Count = componentTable().size();
  for (size_t I = 0; I < Count; ++I)
    OS << ".k" << I << " { fill: var(--k" << I << "); }\n";
  // Unknown components.
  OS << ".k" << Count << " { fill: var(--pale); }\n"
     <<
#include "Charts/chart.css.inc"
      ;
  return OS.str();
}

StringRef reportStyle() {
  return "\n"
#include "Charts/report.css.inc"
      ;
}

StringRef reportScript() {
  return "\n"
#include "Charts/report.js.inc"
      ;
}

} // namespace gpuestimate
