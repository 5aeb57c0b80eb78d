#include "Style.h"

#include "gpu-estimate/Advice/CpiStack.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace gpuestimate {

StringRef baseStyle() {
  return R"css(
:root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; --faint: #d9dce1;
  --pale: #5c636a; --link: #1a5fb4; --mark: #eef3fb; --heat: #ffd8a8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --paper: #16181c;
  --faint: #3a3f47; --pale: #a8b0bb; --link: #8ab4f8; --mark: #222a36; --heat: #7a4a12; } }
@media print { :root { color-scheme: light; --ink: #000; --paper: #fff; --faint: #ccc;
  --pale: #444; --link: #000; --mark: #eee; --heat: #ddd; } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 80rem;
  padding: 0 1rem; color: var(--ink); background: var(--paper); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; font-size: 13px; }
td, th { padding: 2px 10px 2px 0; text-align: right; white-space: nowrap; }
td.name, th.name { text-align: left; }
th { border-bottom: 1px solid var(--faint); font-weight: 600; }
.wide { overflow-x: auto; }
svg { width: 100%; height: auto; }
)css";
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

std::string chartStyle() {
  std::string Text;
  raw_string_ostream OS(Text);
  OS << ":root { color-scheme: light dark; --ink: #1c1e21; --paper: #fff; "
        "--faint: #d9dce1; --pale: #5c636a;";
  variables(OS, false);
  OS << " }\n@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; "
        "--paper: #16181c; --faint: #3a3f47; --pale: #a8b0bb;";
  variables(OS, true);
  OS << " } }\n@media print { :root { --ink: #000; --paper: #fff; --faint: "
        "#ccc; --pale: #444;";
  variables(OS, false);
  OS << " } }\n";
  size_t Count = componentTable().size();
  for (size_t I = 0; I < Count; ++I)
    OS << ".k" << I << " { fill: var(--k" << I << "); }\n";
  // Unknown components.
  OS << ".k" << Count << " { fill: var(--pale); }\n"
     << R"css(svg text { font: 12px system-ui, sans-serif; fill: var(--ink); }
svg text.faint { fill: var(--pale); } svg text.used { font-weight: 700; }
.paper { fill: var(--paper); }
.grid { stroke: var(--faint); } .axis { stroke: var(--pale); }
.roof { stroke: var(--ink); stroke-width: 1.5; }
.measured-roof { stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 6 4; }
.lead { stroke: var(--pale); stroke-dasharray: 2 4; }
.whisker { stroke: var(--ink); stroke-opacity: 0.6; }
.split { stroke: var(--ink); stroke-dasharray: 7 4; stroke-width: 1.5; }
.curve { fill: none; stroke: var(--pale); stroke-width: 1.5; }
.item rect, .item circle, .item polygon { stroke: var(--paper); stroke-width: 1; }
.item:hover > *, .item:focus > * { stroke: var(--ink); stroke-width: 2.5; }
.item:focus { outline: none; }
)css";
  return OS.str();
}

StringRef reportStyle() {
  return R"css(
a { color: var(--link); } h3 { font-size: 1.05rem; margin: 1.8rem 0 .5rem; }
h2, h3, p, li, figcaption { overflow-wrap: anywhere; }
.lead-line { font-size: 1.1rem; } .pale { color: var(--pale); }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 1rem 0; }
dt { color: var(--pale); } dd { margin: 0; overflow-wrap: anywhere; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 32rem), 1fr));
  gap: 2rem; }
figure { margin: 0; min-width: 0; } figure h4 { margin: 0 0 .3rem; font-size: 1rem; }
figcaption { font-size: 13px; color: var(--pale); max-width: 60ch; }
.picture { overflow-x: auto; } .picture svg { min-width: 33rem; max-width: 48rem; }
.said { min-height: 1.4em; font-size: 13px; margin: .2rem 0; }
summary { cursor: pointer; font-size: 13px; color: var(--link); }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; text-decoration: underline dotted; }
th[aria-sort=ascending] button::after { content: " \2191"; }
th[aria-sort=descending] button::after { content: " \2193"; }
tr.used { font-weight: 700; background: var(--mark); }
.bar { display: inline-block; height: .8em; vertical-align: -1px; min-width: 1px; }
.source { font: 13px/1.4 ui-monospace, monospace; } .source td { padding: 0 12px 0 0;
  vertical-align: top; } .source .code { text-align: left; white-space: pre; tab-size: 4; }
caption { text-align: left; } .source .number { color: var(--pale); user-select: none; }
.source .cost { background: linear-gradient(to left, var(--heat) var(--share), transparent 0);
  min-width: 4.5em; }
.source .note td { text-align: left; white-space: normal; font: 13px/1.4 system-ui, sans-serif;
  padding: .1rem 0 .3rem 1rem; } .note div { border-left: 3px solid var(--link);
  padding-left: .6rem; max-width: 90ch; }
.source .parts { text-align: left; color: var(--pale); font: 12px/1.5 system-ui, sans-serif; }
pre { overflow-x: auto; font-size: 13px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; }
  figure, tr, dl { break-inside: avoid; } h2, h3, h4 { break-after: avoid; }
  section { break-before: page; } section:first-of-type { break-before: auto; }
  .wide, .picture { overflow: visible; } .picture svg { min-width: 0; max-height: 21cm; }
  .charts { grid-template-columns: 1fr 1fr; gap: 1rem; }
  nav, .said, details { display: none; } table, .source { font-size: 7.5pt; }
  .source .code { white-space: pre-wrap; } td { white-space: normal; } }
)css";
}

StringRef reportScript() {
  return R"js(
(function () {
  "use strict";
  function value(row, column) {
    var cell = row.cells[column], number = cell.getAttribute("data-value");
    return number === null ? cell.textContent : Number(number);
  }
  function order(a, b) {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  document.querySelectorAll("th button").forEach(function (button) {
    button.addEventListener("click", function () {
      var head = button.parentNode, body = head.closest("table").tBodies[0];
      var up = head.getAttribute("aria-sort") !== "ascending";
      Array.from(head.parentNode.cells).forEach(function (other) {
        other.removeAttribute("aria-sort");
      });
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      Array.from(body.rows).sort(function (a, b) {
        var result = order(value(a, head.cellIndex), value(b, head.cellIndex));
        return up ? result : -result;
      }).forEach(function (row) { body.appendChild(row); });
    });
  });
  document.querySelectorAll("figure").forEach(function (figure) {
    var items = Array.from(figure.querySelectorAll(".item"));
    var said = figure.querySelector(".said");
    items.forEach(function (item, index) {
      item.setAttribute("tabindex", index === 0 ? "0" : "-1");
      ["focus", "pointerenter"].forEach(function (event) {
        item.addEventListener(event, function () {
          said.textContent = item.getAttribute("aria-label");
        });
      });
      item.addEventListener("keydown", function (event) {
        var step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        var next = step && items[index + step];
        if (!next) return;
        event.preventDefault();
        item.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      });
    });
  });
})();
)js";
}

} // namespace gpuestimate
