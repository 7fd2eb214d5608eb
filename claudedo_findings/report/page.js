"use strict";
// Sorts and filters the table of findings. Without it the page shows all of them in the order of the index.
(() => {
  const table = document.getElementById("findings");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const search = document.getElementById("search");
  const which = document.getElementById("which");
  const shown = document.getElementById("shown");
  const heads = [...table.tHead.rows[0].cells];

  const sort = (column, type, down) => {
    const value = (row) => row.cells[column].dataset.value;
    const compare = (one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a === "" || b === "") return (a === "") - (b === ""); // what is not known comes last, whichever way
      const order = type === "number" ? a - b : a.localeCompare(b);
      return down ? -order : order;
    };
    body.append(...[...rows].sort(compare));
    heads.forEach((head, at) => head.setAttribute("aria-sort", at !== column ? "none" : down ? "descending" : "ascending"));
  };

  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const row of rows) {
      const text = row.cells[0].textContent.toLowerCase();
      const inList = !which.value || row.dataset.lists.split(" ").includes(which.value);
      row.hidden = !inList || !words.every((word) => text.includes(word));
      count += !row.hidden;
    }
    shown.textContent = `${count} of ${rows.length} findings`;
  };

  heads.forEach((head, column) => {
    const button = head.querySelector("button");
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const type = button.dataset.type;
      // Numbers are asked for from the top, names from the start.
      sort(column, type, before === "none" ? type === "number" : before === "ascending");
    });
  });
  search.addEventListener("input", filter);
  which.addEventListener("change", filter);
  search.form.addEventListener("submit", (event) => event.preventDefault());
  search.form.hidden = false;
  filter();
})();
