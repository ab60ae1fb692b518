"use strict";
/* The panel of one student, made when it is opened: #s3 is the fourth student, #s3/CUT-04 one finding of his. */
const panel = document.getElementById("panel");
const panelBody = document.getElementById("panel-body");
let opener = null;
let shownStudent = -1;

function section(title, ...inside) {
  return [make("h4", "", title), ...inside];
}

function codeBlock(text) {
  const block = make("pre", "code", make("code", "", text));
  block.tabIndex = 0;
  return block;
}

function commandBlock(text) {
  const block = codeBlock(text);
  const button = make("button", "", "Copy");
  button.type = "button";
  button.addEventListener("click", () => {
    getSelection().selectAllChildren(block);
    const done = () => { button.textContent = "Copied"; };
    button.textContent = "Selected";
    navigator.clipboard?.writeText(text).then(done, () => {});
  });
  return make("div", "again", block, button);
}

function findingOf(student, column) {
  const { id, sentence } = data.columns[column];
  const { letter, message, known } = toldOf(student, column);
  const badge = make("span", `badge ${letter}`, `${SIGNS[letter]} ${WORDS[letter]}`);
  const worth = make("span", "worth", `${worthOf(student, column).slice(2)}${seenBy(student.seen[column])}`);
  const card = make("article", `finding ${letter === "e" ? "error" : ""}`, make("h3", "", badge, pageOf(id), worth));
  card.id = `finding-${id}`;
  card.tabIndex = -1;
  if (letter === "e") card.append(make("p", "claim", "The suite or the adapter broke, not the harness."));
  if (!known) {
    card.append(make("p", "claim", sentence), make("p", "seen", message));
    if (letter === "f") card.append(make("p", "small", `No counterexample is shown here; ${student.folder} has all that there is.`));
    return card;
  }
  const step = known.step && !message.includes(known.step) ? ` (at ${known.step})` : "";
  card.append(make("p", "claim", known.sentence || sentence, known.by && known.by !== id ? ` (seen by ${known.by})` : ""),
    make("p", "seen", message + step));
  if (known.hint) card.append(make("p", "hint", make("b", "", "Hint "), known.hint));
  if (known.events && known.events.length) {
    card.append(...section("What happened", drawTranscript(known.events), drawLegend(known.events)).filter(Boolean));
  }
  if (known.sheets && known.sheets.length) card.append(...section("The page, and where it is cut", ...known.sheets.map(drawSheet)));
  card.append(...section("The script", codeBlock(known.python)));
  if (known.before) card.append(make("p", "small", `Played after ${plural(known.before, "other script", "other scripts")} in the same process.`));
  if (!known.events) card.append(make("p", "small", "The drawing is left out of this page for its size."));
  if (known.trace.length) {
    card.append(make("details", "", make("summary", "", "The trace as text"), codeBlock(known.trace.join("\n"))));
  }
  if (student.replay.length) card.append(...section(`Play it again, in the folder of ${data.who.folder}`, commandBlock(`${student.replay[0]}/counterexample-${id}.json${student.replay[1]}`)));
  return card;
}

/* The id of a property, as a link where the site has a page for it. */
function pageOf(id) {
  if (!data.who.pages) return id;
  const link = make("a", "", id);
  link.href = `${data.who.pages}/${id}.html`;
  return link;
}

function seenBy(letter) {
  return { a: ", shown after the due date", x: ", hidden from the student" }[letter] || "";
}

/* The properties of one verdict: a line for each reason, with the ids that have it. */
function restOf(student, letter, title) {
  const reasons = new Map();
  [...student.v].forEach((found, column) => {
    if (found !== letter) return;
    const reason = toldOf(student, column).message;
    reasons.set(reason, [...(reasons.get(reason) || []), data.columns[column].id]);
  });
  if (!reasons.size) return null;
  const count = [...reasons.values()].reduce((sum, ids) => sum + ids.length, 0);
  const lines = [...reasons].map(([reason, ids]) => make("li", "", reason ? make("div", "small", reason) : null,
    make("div", "ids", ids.map((id) => make("span", letter, id)))));
  return make("section", "rest", make("h3", "", `${count} ${title}`), make("ul", "", lines));
}

function fill(student) {
  document.getElementById("panel-title").replaceChildren(make("bdi", "", student.name || "(no name)"));
  const parts = [make("p", "score", make("b", "", student.score), ` of ${student.max} ${data.who.score}`)];
  if (student.file) parts.push(make("p", "small", "submission ", make("code", "", student.file), ", results in ", make("code", "", student.folder)));
  if (student.page) {
    const link = make("a", "", `The page of this ${data.who.one}`);
    link.href = student.page;
    parts.push(make("p", "small", link));
  }
  if (student.status !== "graded") {
    const who = student.status === "error" ? data.who.ours : "The submission cannot be used: ";
    parts.push(make("div", "warn bad", make("p", "", make("b", "", who), student.problem)));
  }
  const columns = [...student.v].map((letter, column) => [letter, column]);
  for (const letter of ["f", "e"]) {
    for (const [, column] of columns.filter(([found]) => found === letter)) parts.push(findingOf(student, column));
  }
  parts.push(restOf(student, "r", "not reached"), restOf(student, "h", "hold"), restOf(student, "n", "not applicable"));
  const lacks = student.lacks.map((place) => make("li", "", data.texts[place]));
  if (student.rung) parts.push(make("section", "rest", make("h3", "", "Isolation"), make("p", "small", `Run on the rung ${student.rung}.`,
    lacks.length ? " It does not contain:" : ""), lacks.length ? make("ul", "small", lacks) : null));
  panelBody.replaceChildren(...parts.filter(Boolean));
}

function neighbour(way) {
  const order = [...document.querySelectorAll("#matrix tbody tr:not([hidden])")].map((row) => Number(row.dataset.i));
  return order[order.indexOf(shownStudent) + way];
}

/* Follow the address: open, move or shut the panel. */
function follow() {
  const found = /^#s(\d+)(?:\/([A-Z]+-\d+))?$/.exec(location.hash);
  const student = found && data.students[Number(found[1])];
  if (!student) {
    if (panel.open) panel.close();
    return;
  }
  if (!panel.open) {
    opener = document.activeElement;
    panel.showModal();
  }
  if (shownStudent !== Number(found[1])) {
    shownStudent = Number(found[1]);
    fill(student);
    panel.scrollTop = 0;
  }
  document.getElementById("before").disabled = neighbour(-1) === undefined;
  document.getElementById("after").disabled = neighbour(1) === undefined;
  for (const card of panelBody.querySelectorAll(".aim")) card.classList.remove("aim");
  const aim = found[2] ? document.getElementById(`finding-${found[2]}`) : null;
  if (aim) aim.classList.add("aim");
  (aim || document.getElementById("panel-title")).focus({ preventScroll: true });
  if (aim) aim.scrollIntoView({ block: "start" });
}

function shut() {
  shownStudent = -1;
  if (location.hash.startsWith("#s")) history.replaceState(null, "", location.pathname + location.search);
  const back = opener && opener.isConnected ? opener : null;
  opener = null;
  if (back) back.focus();
}

panel.addEventListener("close", shut);
panel.addEventListener("click", (event) => {
  if (event.target === panel) panel.close();
});
document.getElementById("shut").addEventListener("click", () => panel.close());
document.getElementById("before").addEventListener("click", () => { location.replace(`#s${neighbour(-1)}`); });
document.getElementById("after").addEventListener("click", () => { location.replace(`#s${neighbour(1)}`); });
addEventListener("hashchange", follow);
