// The script of all pages. Without it they have their text, pictures and tables.
"use strict";

// Heads of tables sort.
var sortable = (function () {
  // "129 us", "1.76 x", "673 GB/s", "64.5%", "no estimate"
  var form = /^([-+]?[\d.]+(?:e[-+]?\d+)?) ?([numKMGTP]?)(?=$|[A-Za-z%])/;
  var powers = { n: 1e-9, u: 1e-6, m: 1e-3, K: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15 };
  function value(row, column) {
    var text = row.cells[column].textContent, found = form.exec(text);
    return found ? Number(found[1]) * (powers[found[2]] || 1) : text;
  }
  function order(a, b) {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return function (table) {
    table.querySelectorAll("th button").forEach(function (button) {
      button.addEventListener("click", function () {
        var head = button.parentNode, body = table.tBodies[0];
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
  };
})();
document.querySelectorAll("table").forEach(sortable);

// The arrow keys go from point to point of a chart.
(function () {
  document.querySelectorAll("figure").forEach(function (figure) {
    var items = Array.from(figure.querySelectorAll(".item"));
    var said = figure.querySelector(".said");
    items.forEach(function (item, index) {
      item.setAttribute("tabindex", index === 0 ? "0" : "-1");
      ["focus", "pointerenter"].forEach(function (event) {
        item.addEventListener(event, function () {
          said.textContent = item.querySelector("title").textContent;
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

// Two results side by side. Each is what --format json prints, or a page with it.
(function () {
  "use strict";
  function element(tag, attributes, children) {
    var made = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      made.setAttribute(name, attributes[name]);
    });
    [].concat(children === undefined ? [] : children).forEach(function (child) {
      made.appendChild(child instanceof Node ? child : document.createTextNode(child));
    });
    return made;
  }
  function picture(tag, attributes, children) {
    var made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    Object.keys(attributes).forEach(function (name) { made.setAttribute(name, attributes[name]); });
    (children || []).forEach(function (child) { made.appendChild(child); });
    return made;
  }
  /// Three digits, and three behind the point below 10, as in the rest of the page.
  function three(value) {
    return String(Number(Math.abs(value) < 10 ? value.toFixed(3) : value.toPrecision(3)));
  }
  function scaled(value, units, step) {
    var unit = 0;
    while (unit + 1 < units.length && Math.abs(value) >= step) { value /= step; unit++; }
    return three(value) + " " + units[unit];
  }
  function time(ms) { return scaled(ms * 1e6, ["ns", "us", "ms", "s"], 1000); }
  function size(bytes) { return scaled(bytes, ["B", "KB", "MB", "GB", "TB"], 1000); }
  function percent(ratio) {
    return (ratio < 1 ? "-" : "+") + three(Math.abs(ratio - 1) * 100) + "%";
  }
  function sizes(all) { return all.join("x").replace(/(x1){1,2}$/, ""); }
  function launch(l) { return l ? sizes(l.grid) + " of " + sizes(l.block) : "-"; }

  /// Estimates with a time, by file, kernel, GPU and number of the launch.
  function estimates(result) {
    var found = new Map();
    [].concat(result).forEach(function (object) {
      (object.estimates || []).forEach(function (e) {
        if (typeof e.time_ms !== "number") return;
        var key, number = 1;
        do {
          key = [e.location ? e.location.file : "", e.name, e.gpu, number++].join("\n");
        } while (found.has(key));
        found.set(key, e);
      });
    });
    return found;
  }
  /// The class of a component's colour in this page.
  function colour(component) {
    var names = JSON.parse(document.getElementById("components").textContent);
    var number = names.indexOf(component);
    return "k" + (number < 0 ? names.length : number);
  }
  function parts(e) {
    return Object.keys(e.breakdown || {}).map(function (name) {
      return [name, e.breakdown[name] * e.time_ms];
    });
  }
  function lines(e) {
    return (e.lines || []).map(function (line) {
      return [line.file + ":" + line.line, line.share * e.time_ms];
    });
  }
  function changed(before, after) {
    if (!before || !after) return "";
    var ratio = after / before;
    return element("span", { "class": ratio > 1 ? "worse" : ratio < 1 ? "better" : "" },
                   Math.abs(ratio - 1) < 5e-4 ? "same" : percent(ratio));
  }
  function isNumber(head) { return /^(before|after|change|difference)$/.test(head); }
  /// Heads that sort, as the other tables of the page.
  function table(label, heads, rows) {
    var right = heads.map(function (head, i) { return isNumber(head) ? "r" + (i + 1) : ""; });
    var made = element("table", { "aria-label": label, "class": right.join(" ").trim() }, [
      element("thead", {}, element("tr", {}, heads.map(function (head) {
          return element("th", { scope: "col", "class": isNumber(head) ? "" : "name" },
                       element("button", {}, head));
      }))),
      element("tbody", {}, rows.map(function (row) {
        return element("tr", {}, row.map(function (cell) {
          return element("td", {}, cell);
        }));
      }))]);
    sortable(made);
    return element("div", { "class": "wide" }, made);
  }
  /// Rows of what both sides consist of, the largest difference first.
  function differences(before, after, longest, name) {
    var all = new Map();
    before.forEach(function (p) { all.set(p[0], [p[1], 0]); });
    after.forEach(function (p) { all.set(p[0], [(all.get(p[0]) || [0, 0])[0], p[1]]); });
    return Array.from(all).filter(function (row) {
      return Math.abs(row[1][1] - row[1][0]) > 1e-3 * longest;
    }).sort(function (a, b) {
      return Math.abs(b[1][1] - b[1][0]) - Math.abs(a[1][1] - a[1][0]);
    }).slice(0, 12).map(function (row) {
      var difference = row[1][1] - row[1][0];
      return [name(row[0]), time(row[1][0]), time(row[1][1]),
              element("span", { "class": difference > 0 ? "worse" : "better" },
                      (difference > 0 ? "+" : "-") + time(Math.abs(difference)))];
    });
  }
  function swatch(component) {
    return [picture("svg", { "class": "swatch", viewBox: "0 0 10 10", "aria-hidden": "true" },
                    [picture("rect", { "class": colour(component), width: 10, height: 10 })]),
            " " + component];
  }
  function side(title, e, longest) {
    var facts = element("dl", {});
    [["time", time(e.time_ms)],
     ["interval", e.interval ? time(e.interval.low_ms) + " to " + time(e.interval.high_ms) : "not known"],
     ["bound by", e.bottleneck], ["launch", launch(e.launch)],
     ["occupancy", three(e.occupancy.fraction * 100) + "%, limited by " + e.occupancy.limited_by],
     ["registers", String(e.registers_per_thread)],
     ["shared memory", size(e.shared_bytes_per_block) + " of a block"],
     ["L2 traffic", size(e.counts.l2_bytes)], ["DRAM traffic", size(e.counts.dram_bytes)]
    ].forEach(function (fact) {
      facts.appendChild(element("dt", {}, fact[0]));
      facts.appendChild(element("dd", {}, fact[1]));
    });
    var at = 0, said = parts(e).map(function (part) {
      return part[0] + " " + time(part[1]);
    }).join(", ");
    var bar = picture("svg", { viewBox: "0 0 400 22", role: "img", "aria-label": title + ": " + said },
      parts(e).map(function (part) {
        var width = 400 * part[1] / longest, drawn = picture("rect", {
          "class": colour(part[0]), x: at.toFixed(1), y: 0, width: width.toFixed(1), height: 20 });
        var told = picture("title", {});
        told.textContent = part[0] + " " + time(part[1]);
        drawn.appendChild(told);
        at += width;
        return drawn;
      }));
    return element("div", {}, [element("h4", {}, title), bar, facts]);
  }
  function compare(before, after, into) {
    var left = estimates(before), right = estimates(after), both = [], rows = [];
    new Set(Array.from(left.keys()).concat(Array.from(right.keys()))).forEach(function (key) {
      var a = left.get(key), b = right.get(key), any = b || a;
      if (a && b) both.push([a, b]);
      rows.push([any.name, any.gpu_name, a ? time(a.time_ms) : "new",
                 b ? time(b.time_ms) : "gone",
                 a && b ? changed(a.time_ms, b.time_ms) : ""]);
    });
    into.textContent = "";
    into.appendChild(element("h2", {}, "Both versions"));
    into.appendChild(table("Times of both versions", ["kernel", "GPU", "before", "after", "change"], rows));
    both.sort(function (p, q) {
      return Math.abs(Math.log(q[1].time_ms / q[0].time_ms)) - Math.abs(Math.log(p[1].time_ms / p[0].time_ms));
    });
    both.forEach(function (pair) {
      var a = pair[0], b = pair[1], longest = Math.max(a.time_ms, b.time_ms);
      var heads = ["before", "after", "difference"];
      into.appendChild(element("section", {}, [
        element("h3", {}, [b.name + " on " + b.gpu_name + ": ", changed(a.time_ms, b.time_ms)]),
        element("div", { "class": "sides" }, [side("Before", a, longest), side("After", b, longest)]),
        element("div", { "class": "sides" }, [
          table("Components of " + b.name, ["component"].concat(heads),
                differences(parts(a), parts(b), longest, swatch)),
          table("Lines of " + b.name, ["line"].concat(heads),
                differences(lines(a), lines(b), longest, String))])]));
    });
    if (!rows.length) into.appendChild(element("p", {}, "Neither result has an estimate with a time."));
  }
  function dataOf(id) {
    var found = document.getElementById(id);
    return found && JSON.parse(found.textContent);
  }
  function read(text) {
    if (text.charAt(0) === "{" || text.charAt(0) === "[") return JSON.parse(text);
    var inside = new DOMParser().parseFromString(text, "text/html").getElementById("after");
    if (!inside) throw new Error("no result in it");
    return JSON.parse(inside.textContent);
  }
  var place = document.getElementById("comparison"), after = dataOf("after"), before = dataOf("before");
  if (!place || !after) return;
  if (before) return compare(before, after, place);
  var chosen = element("input", { type: "file", id: "earlier", accept: ".json,.html" });
  var told = element("p", { role: "status", "class": "pale" });
  chosen.addEventListener("change", function () {
    var reader = new FileReader();
    reader.onload = function () {
      var drawn = element("div", {});
      try { compare(read(reader.result.trim()), after, drawn); } catch (error) {
        told.textContent = chosen.files[0].name + ": " + error.message;
        return;
      }
      told.textContent = "";
      place.replaceChildren(control, told, drawn);
    };
    if (chosen.files.length) reader.readAsText(chosen.files[0]);
  });
  var control = element("p", { "class": "open" }, [
    element("label", { "for": "earlier" }, "Compare with an earlier version (such a page, or --format json): "), chosen]);
  place.append(control, told);
})();

// Surfaces of a sweep.
(function () {
  'use strict';
  var NS = 'http://www.w3.org/2000/svg', W = 460, H = 360, L = 62, R = 84, T = 14, B = 44;
  function node(tag, attributes, text) {
    var n = document.createElementNS(NS, tag);
    for (var k in attributes) n.setAttribute(k, attributes[k]);
    if (text !== undefined) n.textContent = text;
    return n;
  }
  // From dark blue to yellow; equal steps look equal, also without colours.
  var ramp = [[68,1,84],[59,82,139],[33,145,140],[94,201,98],[253,231,37]];
  function colour(u) {
    if (!(u >= 0)) return 'none';
    var x = Math.min(u, 1) * (ramp.length - 1), i = Math.min(Math.floor(x), ramp.length - 2), f = x - i;
    return 'rgb(' + [0, 1, 2].map(function (c) {
      return Math.round(ramp[i][c] * (1 - f) + ramp[i + 1][c] * f);
    }).join(',') + ')';
  }
  function digits(x) { return x === 0 ? '0' : Number(x.toPrecision(3)).toString(); }
  var quantities = [
    { name: 'time', unit: 'ms', of: function (d, i) { return d.time[i]; } },
    { name: 'power', unit: 'W', of: function (d, i) { return d.power[i]; }, power: true },
    { name: 'energy', unit: 'mJ', of: function (d, i) { return d.power[i] * d.time[i]; }, power: true },
    { name: 'energy-delay product', unit: 'mJ ms', of: function (d, i) { return d.power[i] * d.time[i] * d.time[i]; }, power: true }];

  function Section(box) {
    var d = JSON.parse(box.querySelector('script[type="application/json"]').textContent);
    var controls = box.querySelector('.controls'), plots = box.querySelector('.sweep'),
        said = box.querySelector('.said');
    var hasPower = d.power !== null;
    var strides = d.axes.map(function (_, i) {
      return d.axes.slice(i + 1).reduce(function (p, a) { return p * a.labels.length; }, 1);
    });
    var wide = d.axes.map(function (a, i) { return i; }).filter(function (i) { return d.axes[i].labels.length > 1; });
    var state = { quantity: 0, x: wide.length ? wide[0] : 0, y: wide.length > 1 ? wide[1] : -1,
                  at: d.axes.map(function () { return 0; }), yaw: 0.7, pitch: 0.6 };
    function title(a) { return d.axes[a].name + (d.axes[a].unit ? ' (' + d.axes[a].unit + ')' : ''); }
    function choice(label, options, value, change) {
      var l = document.createElement('label'), s = document.createElement('select');
      l.textContent = label;
      options.forEach(function (o) {
        var e = document.createElement('option');
        e.value = o[0]; e.textContent = o[1]; e.selected = o[0] === value;
        s.appendChild(e);
      });
      s.addEventListener('change', function () { change(Number(s.value)); build(); });
      l.appendChild(s); controls.appendChild(l);
    }
    function slider(a) {
      var l = document.createElement('label'), s = document.createElement('input'), t = document.createElement('span');
      s.type = 'range'; s.min = 0; s.max = d.axes[a].labels.length - 1; s.value = state.at[a];
      function show() { t.textContent = title(a) + ' = ' + d.axes[a].labels[state.at[a]]; }
      s.addEventListener('input', function () { state.at[a] = Number(s.value); show(); draw(); });
      show(); l.appendChild(t); l.appendChild(s); controls.appendChild(l);
    }
    function build() {
      controls.textContent = '';
      choice('quantity', quantities.map(function (q, i) { return [i, q.name]; }).filter(function (o) {
        return hasPower || !quantities[o[0]].power; }), state.quantity, function (v) { state.quantity = v; });
      if (wide.length > 1) {
        choice('across', wide.map(function (a) { return [a, title(a)]; }), state.x, function (v) {
          if (v === state.y) state.y = state.x;
          state.x = v; });
        choice('upwards', wide.map(function (a) { return [a, title(a)]; }), state.y, function (v) {
          if (v === state.x) state.x = state.y;
          state.y = v; });
      }
      wide.forEach(function (a) { if (a !== state.x && a !== state.y) slider(a); });
      draw();
    }
    // At most this many cells a side; neighbours stand for the others.
    var most = 60;
    function steps(a) {
      if (a < 0) return [0];
      var n = d.axes[a].labels.length, out = [], k = Math.min(n, most);
      for (var i = 0; i < k; i++) out.push(k < 2 ? 0 : Math.round(i * (n - 1) / (k - 1)));
      return out;
    }
    function number(a, i) { return d.axes[a].numbers.length ? d.axes[a].numbers[i] : i; }
    function point(i, j) {
      var p = 0;
      d.axes.forEach(function (_, a) { p += strides[a] * (a === state.x ? i : a === state.y ? j : state.at[a]); });
      return p;
    }
    function tell(p) {
      var rest = p, parts = d.axes.map(function (a, i) {
        var v = Math.floor(rest / strides[i]); rest -= v * strides[i];
        return a.name + ' ' + a.labels[v] + (a.unit ? ' ' + a.unit : '');
      });
      quantities.forEach(function (q) {
        if ((hasPower || !q.power) && d.time[p] !== null) parts.push(q.name + ' ' + digits(q.of(d, p)) + ' ' + q.unit);
      });
      said.textContent = parts.join(', ') + (d.time[p] === null ? ', cannot run' : ', bound by ' + d.bottlenecks[d.bound[p]]);
    }
    function grid() {
      var xs = steps(state.x), ys = steps(state.y), q = quantities[state.quantity];
      var z = ys.map(function (j) { return xs.map(function (i) {
        var v = q.of(d, point(i, j)); return v === null || isNaN(v) || d.time[point(i, j)] === null ? NaN : v; }); });
      var all = [].concat.apply([], z).filter(function (v) { return !isNaN(v); });
      return { xs: xs, ys: ys, z: z, min: Math.min.apply(null, all), max: Math.max.apply(null, all), q: q };
    }
    function part(g, v) { return g.max > g.min ? (v - g.min) / (g.max - g.min) : 0.5; }
    function frame(svg, g, xOf, yOf) {
      svg.appendChild(node('text', { x: (L + W - R) / 2, y: H - 6, 'text-anchor': 'middle' }, title(state.x)));
      [0, 0.5, 1].forEach(function (u) {
        var i = g.xs[Math.round(u * (g.xs.length - 1))];
        svg.appendChild(node('text', { x: xOf(i), y: H - B + 16, 'text-anchor': 'middle' }, d.axes[state.x].labels[i]));
        if (state.y >= 0) {
          var j = g.ys[Math.round(u * (g.ys.length - 1))];
          svg.appendChild(node('text', { x: L - 6, y: yOf(j) + 4, 'text-anchor': 'end' }, d.axes[state.y].labels[j]));
        }
      });
      if (state.y >= 0)
        svg.appendChild(node('text', { transform: 'translate(12 ' + (T + H - B) / 2 + ') rotate(-90)', 'text-anchor': 'middle' }, title(state.y)));
    }
    function legend(svg, g) {
      for (var k = 0; k < 24; k++)
        svg.appendChild(node('rect', { x: W - R + 14, y: H - B - (k + 1) * (H - B - T) / 24, width: 12, height: (H - B - T) / 24 + 0.5, fill: colour((k + 0.5) / 24) }));
      [0, 0.5, 1].forEach(function (u) {
        svg.appendChild(node('text', { x: W - R + 30, y: H - B - u * (H - B - T - 8) }, digits(g.min + u * (g.max - g.min)) + ' ' + g.q.unit));
      });
    }
    function contour(g) {
      var svg = node('svg', { viewBox: '0 0 ' + W + ' ' + H, role: 'img', 'aria-label': 'contours of ' + g.q.name });
      var cw = (W - L - R) / g.xs.length, ch = (H - T - B) / g.ys.length;
      function cx(k) { return L + (k + 0.5) * cw; }
      function cy(k) { return H - B - (k + 0.5) * ch; }
      g.ys.forEach(function (j, b) { g.xs.forEach(function (i, a) {
        var r = node('rect', { x: L + a * cw, y: H - B - (b + 1) * ch, width: cw + 0.4, height: ch + 0.4, fill: colour(part(g, g.z[b][a])) });
        r.addEventListener('pointerenter', function () { tell(point(i, j)); });
        svg.appendChild(r);
      }); });
      // Marching squares between the middles of the cells.
      for (var level = 1; level < 9; level++) {
        var v = g.min + (g.max - g.min) * level / 9, path = '';
        for (var b = 0; b + 1 < g.ys.length; b++) for (var a = 0; a + 1 < g.xs.length; a++) {
          var corners = [[a, b], [a + 1, b], [a + 1, b + 1], [a, b + 1]], cut = [];
          if (corners.some(function (k) { return isNaN(g.z[k[1]][k[0]]); })) continue;
          for (var c = 0; c < 4; c++) {
            var p = corners[c], q = corners[(c + 1) % 4], zp = g.z[p[1]][p[0]], zq = g.z[q[1]][q[0]];
            if ((zp < v) !== (zq < v)) {
              var f = (v - zp) / (zq - zp);
              cut.push([cx(p[0]) + f * (cx(q[0]) - cx(p[0])), cy(p[1]) + f * (cy(q[1]) - cy(p[1]))]);
            }
          }
          for (var e = 0; e + 1 < cut.length; e += 2)
            path += 'M' + cut[e][0].toFixed(1) + ' ' + cut[e][1].toFixed(1) + 'L' + cut[e + 1][0].toFixed(1) + ' ' + cut[e + 1][1].toFixed(1);
        }
        if (path) svg.appendChild(node('path', { d: path, fill: 'none', stroke: '#fff', 'stroke-width': 1, 'pointer-events': 'none' }));
      }
      frame(svg, g, function (i) { return cx(g.xs.indexOf(i)); }, function (j) { return cy(g.ys.indexOf(j)); });
      legend(svg, g);
      return svg;
    }
    function line(g) {
      var svg = node('svg', { viewBox: '0 0 ' + W + ' ' + H, role: 'img', 'aria-label': g.q.name + ' by ' + title(state.x) });
      var lo = number(state.x, g.xs[0]), hi = number(state.x, g.xs[g.xs.length - 1]);
      function x(i) { return L + (W - L - R) * (hi > lo ? (number(state.x, i) - lo) / (hi - lo) : 0.5); }
      function y(v) { return H - B - (H - B - T) * v / g.max; }
      var path = '';
      g.xs.forEach(function (i, k) {
        var v = g.z[0][k];
        if (isNaN(v)) return;
        path += (path ? 'L' : 'M') + x(i).toFixed(1) + ' ' + y(v).toFixed(1);
        var c = node('circle', { cx: x(i), cy: y(v), r: 4, fill: colour(part(g, v)), tabindex: 0 });
        c.addEventListener('pointerenter', function () { tell(point(i, 0)); });
        c.addEventListener('focus', function () { tell(point(i, 0)); });
        svg.appendChild(c);
      });
      svg.insertBefore(node('path', { d: path, fill: 'none', stroke: 'var(--pale)' }), svg.firstChild);
      [0, 0.5, 1].forEach(function (u) {
        svg.appendChild(node('text', { x: L - 6, y: y(g.max * u) + 4, 'text-anchor': 'end' }, digits(g.max * u) + ' ' + g.q.unit));
      });
      frame(svg, g, x, function () { return 0; });
      return svg;
    }
    function surface(g) {
      var svg = node('svg', { viewBox: '0 0 ' + W + ' ' + H, role: 'img', tabindex: 0, 'class': 'turn', 'aria-label': 'surface of ' + g.q.name + '; arrow keys turn it' });
      function place(a, b, v) {
        var x = g.xs.length > 1 ? a / (g.xs.length - 1) - 0.5 : 0, y = g.ys.length > 1 ? b / (g.ys.length - 1) - 0.5 : 0;
        var rx = x * Math.cos(state.yaw) - y * Math.sin(state.yaw), ry = x * Math.sin(state.yaw) + y * Math.cos(state.yaw);
        var h = part(g, v) - 0.5;
        return { x: W / 2 + rx * 250, y: H / 2 - ry * 250 * Math.sin(state.pitch) - h * 190 * Math.cos(state.pitch), far: ry };
      }
      function paint() {
        svg.textContent = '';
        var faces = [];
        for (var b = 0; b + 1 < g.ys.length; b++) for (var a = 0; a + 1 < g.xs.length; a++) {
          var z = [g.z[b][a], g.z[b][a + 1], g.z[b + 1][a + 1], g.z[b + 1][a]];
          if (z.some(isNaN)) continue;
          var c = [place(a, b, z[0]), place(a + 1, b, z[1]), place(a + 1, b + 1, z[2]), place(a, b + 1, z[3])];
          faces.push({ a: a, b: b, far: c[0].far + c[2].far, mean: (z[0] + z[1] + z[2] + z[3]) / 4,
                       at: c.map(function (p) { return p.x.toFixed(1) + ',' + p.y.toFixed(1); }).join(' ') });
        }
        faces.sort(function (p, q) { return q.far - p.far; });
        faces.forEach(function (f) {
          var n = node('polygon', { points: f.at, fill: colour(part(g, f.mean)), stroke: '#0003', 'stroke-width': 0.5 });
          n.addEventListener('pointerenter', function () { tell(point(g.xs[f.a], g.ys[f.b])); });
          svg.appendChild(n);
        });
        [[0, 0, state.x, 0], [1, 0, state.x, 1], [0, 0, state.y, 0], [0, 1, state.y, 1]].forEach(function (e, k) {
          var p = place(e[0] * (g.xs.length - 1), e[1] * (g.ys.length - 1), g.min), ends = k < 2 ? g.xs : g.ys;
          var label = d.axes[e[2]].labels[ends[e[3] ? ends.length - 1 : 0]];
          svg.appendChild(node('text', { x: p.x, y: p.y + (k < 2 ? 14 : 27), 'text-anchor': 'middle' }, (e[3] ? title(e[2]) + ' ' : '') + label));
        });
        legend(svg, g);
      }
      var from = null;
      svg.addEventListener('pointerdown', function (e) { from = [e.clientX, e.clientY]; svg.setPointerCapture(e.pointerId); });
      svg.addEventListener('pointerup', function () { from = null; });
      svg.addEventListener('pointermove', function (e) {
        if (!from) return;
        state.yaw += (e.clientX - from[0]) / 150;
        state.pitch = Math.max(0.1, Math.min(1.4, state.pitch + (e.clientY - from[1]) / 200));
        from = [e.clientX, e.clientY]; paint();
      });
      svg.addEventListener('keydown', function (e) {
        var turn = { ArrowLeft: [-0.15, 0], ArrowRight: [0.15, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[e.key];
        if (!turn) return;
        e.preventDefault();
        state.yaw += turn[0]; state.pitch = Math.max(0.1, Math.min(1.4, state.pitch + turn[1])); paint();
      });
      paint();
      return svg;
    }
    function front() {
      var svg = node('svg', { viewBox: '0 0 ' + W + ' ' + H, role: 'img', 'aria-label': 'time against energy' });
      var n = d.time.length, keep = [], e = quantities[2], i;
      for (i = 0; i < n; i += Math.max(1, Math.floor(n / 1500))) keep.push(i);
      keep = keep.concat(d.front).filter(function (p) { return d.time[p] !== null && d.power[p] !== null; });
      var ts = keep.map(function (p) { return d.time[p]; }), es = keep.map(function (p) { return e.of(d, p); });
      var t0 = Math.min.apply(null, ts), t1 = Math.max.apply(null, ts), e0 = Math.min.apply(null, es), e1 = Math.max.apply(null, es);
      function x(v) { return L + (W - L - R) * (t1 > t0 ? (v - t0) / (t1 - t0) : 0.5); }
      function y(v) { return H - B - (H - B - T) * (e1 > e0 ? (v - e0) / (e1 - e0) : 0.5); }
      keep.forEach(function (p) {
        var best = d.front.indexOf(p) >= 0;
        var c = node('circle', { cx: x(d.time[p]).toFixed(1), cy: y(e.of(d, p)).toFixed(1), r: p === d.knee ? 6 : best ? 4 : 2, fill: best ? '#d9480f' : 'var(--pale)', 'fill-opacity': best ? 1 : 0.35 });
        if (best) { c.setAttribute('tabindex', 0); c.addEventListener('focus', function () { tell(p); }); }
        c.addEventListener('pointerenter', function () { tell(p); });
        svg.appendChild(c);
      });
      [0, 1].forEach(function (u) {
        svg.appendChild(node('text', { x: x(t0 + u * (t1 - t0)), y: H - B + 16, 'text-anchor': 'middle' }, digits(t0 + u * (t1 - t0)) + ' ms'));
        svg.appendChild(node('text', { x: L - 6, y: y(e0 + u * (e1 - e0)) + 4, 'text-anchor': 'end' }, digits(e0 + u * (e1 - e0)) + ' mJ'));
      });
      svg.appendChild(node('text', { x: (L + W - R) / 2, y: H - 6, 'text-anchor': 'middle' }, 'time; the Pareto front in colour, its knee larger'));
      return svg;
    }
    function draw() {
      plots.textContent = '';
      var g = grid();
      if (!isFinite(g.min)) { said.textContent = 'No point here can run.'; return; }
      if (state.y >= 0) { plots.appendChild(contour(g)); plots.appendChild(surface(g)); }
      else plots.appendChild(line(g));
      if (hasPower && d.front.length > 1) plots.appendChild(front());
    }
    build();
  }
  document.querySelectorAll('section.surface').forEach(Section);
}());
