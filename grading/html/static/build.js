"use strict";
/* Elements out of texts. Nothing here, or anywhere in this page, reads a text as markup. */
const data = JSON.parse(document.getElementById("data").textContent);
const WORDS = { h: "holds", f: "fails", r: "not reached", n: "not applicable", e: "error", "-": "no verdict" };
const SIGNS = { h: "•", f: "×", r: "–", n: "/", e: "!", "-": "" };

/* An element of this class with these children: texts, elements, or null for nothing. */
function make(tag, look, ...children) {
  const element = document.createElement(tag);
  if (look) element.className = look;
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== "") element.append(child);
  }
  return element;
}

function plural(count, one, more) {
  return `${count} ${count === 1 ? one : more}`;
}

/* What a property was worth to a student, behind a comma; nothing where nobody counts. */
function worthOf(student, column) {
  return student.most[column] ? `, ${student.points[column]} of ${student.most[column]} ${data.who.score}` : "";
}

/* What is known of one student's verdict on one property: message and counterexample, if any. */
function toldOf(student, column) {
  const [text, place] = student.told[column] || [-1, 0];
  return { letter: student.v[column], message: text < 0 ? "" : data.texts[text], known: data.shown[place] };
}
