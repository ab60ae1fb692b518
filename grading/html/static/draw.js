"use strict";
/* A counterexample drawn: the transcript as arrows between model, harness and tools, and files as pages. */

function drawStrip(chips, old) {
  const strip = make("span", "strip");
  chips.forEach(([kind, text], place) => {
    const known = { U: "U", A: "A", E: "E", R: "R", X: "X", M: "M", O: "O" }[kind] || "other";
    strip.append(make("span", `chip ${known}${place >= old && kind !== "M" ? " new" : ""}`, text), " ");
  });
  return strip;
}

function hidden(text) {
  const span = make("span", "words", text);
  return span;
}

function arrow(kind, bad, ...inside) {
  return make("li", `ev ${kind}${bad ? " bad" : ""}`, make("div", "way", ...inside));
}

function drawRequest(event) {
  const sent = event.sent.filter(([kind]) => kind !== "M").length;
  const old = Math.min(event.old, sent);
  const rows = [arrow("ask", event.bad, hidden(`request ${event.n}`), drawStrip(event.sent, old))];
  if (event.refused) {
    rows.push(arrow("answer refused", false, make("span", "", event.refused)));
  } else if (event.answer) {
    const said = event.text ? make("span", "", ` “${event.text}”`) : null;
    const extra = event.extra ? make("span", "words", " the script was over") : null;
    rows.push(arrow("answer", false, drawStrip([event.answer], 0), said, extra));
  }
  return rows;
}

function drawEvent(event) {
  if (event.k === "request") return drawRequest(event);
  if (event.k === "run") {
    const does = event.does ? make("span", "words", ` ${event.does}`) : null;
    return [arrow("tool", event.bad, make("span", "", `${event.tool} ${event.args}`), does)];
  }
  const look = `ev band ${event.k === "end" ? event.how : event.k}${event.bad ? " bad" : ""}`;
  if (event.k === "prompt") {
    const words = event.text ? `prompt ${event.n}: “${event.text}”` : `prompt ${event.n}`;
    return [make("li", look, words)];
  }
  if (event.k === "end") {
    const how = event.how === "stopped" ? "stopped by the suite" : `run_agent ${event.how} ${event.what}`;
    return [make("li", look, make("div", "", how), hidden("record"), drawStrip(event.record, 0))];
  }
  if (event.k === "use") {
    const back = make("pre", `back${event.error ? " error" : ""}`, make("code", "", event.error ? "error " : "", event.back));
    return [make("li", `${look} use`, make("pre", "", make("code", "", event.call)), back)];
  }
  return [make("li", look, event.text)];
}

function drawTranscript(events) {
  const seq = make("ol", "seq");
  const spoken = events.some((event) => event.k === "request" || event.k === "run");
  if (spoken) {
    const lanes = make("li", "lanes", ...["model", "harness", "tools"].map((name) => make("span", "", name)));
    seq.append(lanes);
  } else {
    seq.classList.add("plain");
  }
  for (const event of events) seq.append(...drawEvent(event));
  return seq;
}

const NOTATION = { U: "U a prompt", A: "A a reply, [c1] with a call", R: "R(c1) the result of c1", X: "R!(c1) its error result",
  E: "A(error) a failed reply", M: "dashed: a result that is missing", O: "a result that no call asked for" };

function drawLegend(events) {
  const kinds = new Set(events.flatMap((event) => [...(event.sent || []), ...(event.record || []), event.answer || []]).map((chip) => chip[0]));
  const words = Object.keys(NOTATION).filter((kind) => kinds.has(kind)).map((kind) => NOTATION[kind]);
  return words.length ? make("p", "small", words.join(" · ")) : null;
}

/* ---- the file page ---- */

function cutRow([, words, kind]) {
  const cell = make("td", "", words);
  cell.colSpan = 4;
  return make("tr", `cut ${{ fits: "fits", kept: "kept", page: "page" }[kind] || "page"}`, cell);
}

function gapRow(count) {
  const cell = make("td", "", `… ${plural(count, "line", "lines")} …`);
  cell.colSpan = 4;
  return make("tr", "gap", cell);
}

function headCell(text, look) {
  const cell = make("th", look, text);
  cell.scope = "col";
  return cell;
}

function drawSheet(sheet) {
  const body = make("tbody", "");
  const cuts = [...sheet.cuts];
  const cutsTo = (line) => {
    while (cuts.length && cuts[0][0] <= line) body.append(cutRow(cuts.shift()));
  };
  for (const [number, text, ending, bytes, sum, gap] of sheet.rows) {
    cutsTo(number - 1 - gap);
    if (gap) body.append(gapRow(gap));
    cutsTo(number - 1);
    const label = make("th", "", String(number));
    label.scope = "row";
    body.append(make("tr", "", label, make("td", "text", text, ending ? make("span", "end", ending) : null),
      make("td", "", String(bytes)), make("td", "sum", String(sum))));
  }
  cutsTo(sheet.lines - sheet.left);
  if (sheet.left) body.append(gapRow(sheet.left));
  cutsTo(Infinity);
  const title = `${sheet.title}: ${plural(sheet.lines, "line", "lines")}, ${plural(sheet.bytes, "byte", "bytes")}`;
  const head = make("thead", "", make("tr", "", headCell("line", ""), headCell("text", "text"), headCell("bytes", ""), headCell("so far", "sum")));
  return make("table", "sheet", make("caption", "", title), head, body);
}
