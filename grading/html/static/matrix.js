"use strict";
/* The matrix: sorting by any heading, filters, and moving from cell to cell with the keyboard. */
const matrix = document.getElementById("matrix");
const FIRST = 3; /* cells before the first property: name, points, how many fail */

function setUp() {
  const body = matrix.tBodies[0];
  const rows = [...body.rows];
  const headings = [...matrix.tHead.querySelectorAll("button")];
  const columns = headings.filter((button) => /^\d+$/.test(button.dataset.sort));
  const peek = document.getElementById("peek");
  const studentOf = (row) => data.students[Number(row.dataset.i)];

  /* ---- sorting ---- */
  const RANK = { f: 0, e: 1, r: 2, h: 3, n: 4, "-": 5 };
  const KEYS = {
    name: (row) => Number(row.dataset.i),
    points: (row) => Number(studentOf(row).score),
    fails: (row) => (studentOf(row).v.match(/f/g) || []).length,
  };
  function sort(button) {
    const heading = button.closest("th");
    const name = button.dataset.sort;
    const before = heading.getAttribute("aria-sort");
    const down = before === "none" ? name === "fails" : before === "ascending";
    for (const other of headings) other.closest("th").setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const key = KEYS[name] || ((row) => RANK[studentOf(row).v[Number(name)]] ?? 9);
    const keyed = rows.map((row) => [key(row), Number(row.dataset.i), row]);
    keyed.sort((a, b) => (down ? b[0] - a[0] : a[0] - b[0]) || a[1] - b[1]);
    body.append(...keyed.map((entry) => entry[2]));
  }
  for (const button of headings) button.addEventListener("click", () => sort(button));

  /* ---- filters ---- */
  const form = document.getElementById("filters");
  const [byName, byVerdict, byProperty, byChapter] = ["name", "verdict", "property", "chapter"].map((name) => document.getElementById(`by-${name}`));
  const names = rows.map((row) => studentOf(row).name.toLowerCase());
  function filter() {
    const part = byName.value.trim().toLowerCase();
    const column = byProperty.selectedIndex - 1;
    const letter = byVerdict.value || (column >= 0 ? "f" : "");
    let shown = 0;
    rows.forEach((row, place) => {
      const verdicts = studentOf(row).v;
      const fits = !letter || (column < 0 ? verdicts.includes(letter) : verdicts[column] === letter);
      row.hidden = !(fits && names[place].includes(part));
      shown += row.hidden ? 0 : 1;
    });
    if (column >= 0 && !byVerdict.value) byVerdict.value = "f";
    document.getElementById("shown").textContent = `${shown} of ${plural(rows.length, data.who.one, data.who.many)}`;
  }
  function filterColumns() {
    const wanted = byChapter.value;
    const kept = data.columns.map((column, place) => (wanted === "*" ? data.students.some((s) => s.v[place] === "f" || s.v[place] === "e") : !wanted || column.chapter === wanted));
    columns.forEach((button, place) => { button.closest("th").hidden = !kept[place]; });
    for (const heading of matrix.tHead.querySelectorAll(".chapter")) {
      const count = data.columns.filter((column, place) => column.chapter === heading.dataset.chapter && kept[place]).length;
      heading.hidden = !count;
      heading.colSpan = count || 1;
    }
    for (const row of [...rows, ...matrix.tFoot.rows]) {
      if (row.cells.length === FIRST + kept.length) kept.forEach((keep, place) => { row.cells[FIRST + place].hidden = !keep; });
      else row.cells[FIRST].colSpan = Math.max(1, kept.filter(Boolean).length);
    }
  }
  form.addEventListener("input", filter);
  byChapter.addEventListener("input", filterColumns);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { filter(); filterColumns(); }));
  for (const button of document.querySelectorAll("[data-fails]")) {
    button.addEventListener("click", () => {
      byProperty.value = button.dataset.fails;
      byVerdict.value = "f";
      filter();
      document.getElementById("matrix-part").scrollIntoView();
      byProperty.focus({ preventScroll: true });
    });
  }

  /* ---- cells ---- */
  let current = null;
  function columnOf(cell) {
    return cell.colSpan === 1 && cell.cellIndex >= FIRST ? cell.cellIndex - FIRST : -1;
  }
  function tell(cell) {
    const student = studentOf(cell.parentElement);
    const column = columnOf(cell);
    const who = make("b", "", make("bdi", "", student.name || "(no name)"));
    if (column < 0 || !data.columns[column]) {
      peek.replaceChildren(who, ` ${student.score} of ${student.max} ${data.who.score}`, student.problem ? `; ${student.status}: ${student.problem}` : "");
      return;
    }
    const { letter, message } = toldOf(student, column);
    const sign = make("span", `cell ${letter}`, SIGNS[letter]);
    sign.ariaHidden = "true";
    const law = make("span", "small", ` ${data.columns[column].sentence}`);
    peek.replaceChildren(sign, " ", who, ` · ${data.columns[column].id} ${WORDS[letter]}${worthOf(student, column)}`, law,
      message ? make("div", "", message.length > 240 ? `${message.slice(0, 240)} …` : message) : "");
  }
  function tellHeading(event) {
    const column = data.columns[Number(event.target.dataset?.sort ?? -1)];
    if (!column) return;
    const fails = rows.filter((row) => studentOf(row).v[data.columns.indexOf(column)] === "f").length;
    peek.replaceChildren(make("b", "", column.id), ` ${column.sentence}`, make("div", "small", `tier ${column.tier}; fails for ${plural(fails, data.who.one, data.who.many)}`));
  }
  matrix.tHead.addEventListener("mouseover", tellHeading);
  matrix.tHead.addEventListener("focusin", tellHeading);
  function goTo(cell) {
    if (!cell) return;
    if (current) (current.querySelector("a") || current).tabIndex = -1;
    current = cell;
    const target = cell.querySelector("a") || cell;
    target.tabIndex = 0;
    target.focus();
    tell(cell);
  }
  const shownCells = (row) => [...row.cells].filter((cell) => !cell.hidden);
  function step(cell, key, far) {
    const row = cell.parentElement;
    const cells = shownCells(row);
    const at = cells.indexOf(cell);
    if (key === "ArrowLeft") return cells[at - 1];
    if (key === "ArrowRight") return cells[at + 1];
    if (key === "Home") return (far ? shownCells(visible(0)) : cells)[0];
    if (key === "End") return (far ? shownCells(visible(-1)) : cells).at(-1);
    const order = [...body.rows].filter((other) => !other.hidden);
    const way = { ArrowUp: -1, ArrowDown: 1, PageUp: -10, PageDown: 10 }[key];
    const next = order[Math.min(order.length - 1, Math.max(0, order.indexOf(row) + way))];
    const there = shownCells(next);
    return there[Math.min(at, there.length - 1)];
  }
  function visible(place) {
    return [...body.rows].filter((row) => !row.hidden).at(place);
  }
  function open(cell) {
    const column = columnOf(cell);
    const id = column >= 0 && data.columns[column] ? `/${data.columns[column].id}` : "";
    location.hash = `#s${cell.parentElement.dataset.i}${id}`;
  }
  body.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td, th");
    if (!cell || event.altKey || event.metaKey) return;
    if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown"].includes(event.key)) {
      event.preventDefault();
      goTo(step(cell, event.key, event.ctrlKey));
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(cell);
    }
  });
  body.addEventListener("click", (event) => {
    const cell = event.target.closest("td, th");
    if (!cell || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    goTo(cell);
    open(cell);
  });
  body.addEventListener("mouseover", (event) => {
    const cell = event.target.closest("td, th");
    if (cell) tell(cell);
  });
  body.addEventListener("focusin", (event) => {
    const cell = event.target.closest("td, th");
    if (cell && cell !== current) goTo(cell);
  });
  for (const row of rows) {
    row.querySelector("a").tabIndex = -1;
    for (const cell of row.cells) if (cell.tagName === "TD") cell.tabIndex = -1;
  }
  current = rows[0].cells[0];
  current.querySelector("a").tabIndex = 0;
}

if (matrix) setUp();
follow();
