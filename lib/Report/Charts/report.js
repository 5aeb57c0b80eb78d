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
