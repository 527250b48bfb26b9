const page = JSON.parse(document.getElementById("payload").textContent);
const NOBODY = -2;
const views = new Map(); // chart name → Vega view
const state = { partition: "0", rows: null, cluster: NOBODY };
const tip = document.getElementById("tip");

// -- the drawn rows ---------------------------------------------------------------------

function points(columns) {
  const { x, y, c } = columns;
  return page.columns.id.map((_, r) => ({
    r, x: page.columns[x][r], y: page.columns[y][r], c: page.columns[c][r],
  }));
}

function about(r, columns) {
  const name = page.columns[columns.c][r];
  const lines = [`row ${page.columns.id[r]}`, name < 0 ? "outlier" : `cluster ${name}`];
  const figure = (value) => (value === null ? "–" : String(value).replace("-", "−"));
  if (columns.m) lines.push(`margin ${figure(page.columns[columns.m][r])}`);
  if (columns.s) lines.push(`membership ${figure(page.columns[columns.s][r])}`);
  if (page.columns.truth) lines.push(`known label ${page.columns.truth[r] ?? "–"}`);
  for (const { name, column } of page.features) {
    lines.push(`${name} ${figure(page.columns[column][r])}`);
  }
  return lines;
}

// Text only: what a row or a column is called is never read as HTML.
function showTip(event, lines) {
  tip.replaceChildren(...lines.map((line) => {
    const div = document.createElement("div");
    div.textContent = line.length > 120 ? line.slice(0, 119) + "…" : line;
    return div;
  }));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = Math.min(event.clientX + 14, innerWidth - box.width - 8);
  const below = event.clientY + 14;
  const top = below + box.height > innerHeight ? event.clientY - box.height - 10 : below;
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${Math.max(8, top)}px`;
}

// -- charts -----------------------------------------------------------------------------

async function drawChart(place) {
  const name = place.dataset.chart;
  const { spec, columns, description } = page.charts[name];
  views.set(name, null); // under way
  try {
    const full = columns ? { ...spec, datasets: { ...spec.datasets, points: points(columns) } } : spec;
    const { view } = await vegaEmbed(place, { ...full, description }, {
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      ast: true, // expressions are interpreted: the page allows no eval
      config: { ...page.config, axis: { ...page.config.axis, ...limits(place.clientWidth) } },
      tooltip: (_, event, item, value) => {
        const lines = item?.datum?.tip ?? (columns && item?.datum?.r !== undefined && about(item.datum.r, columns));
        if (value && lines) showTip(event, lines);
        else tip.hidden = true;
      },
    });
    views.set(name, view);
    // Later: a view that is at work takes no other orders.
    if (columns) view.addSignalListener("brush", (_, box) => requestAnimationFrame(() => brushed(name, box, columns)));
    else if (has(view, "cluster")) {
      view.addEventListener("click", (_, item) => {
        if (item?.datum?.c !== undefined) pickCluster(item.datum.c);
      });
    }
    highlight(view);
  } catch (error) {
    console.error(error);
    const note = document.createElement("p");
    note.className = "failed";
    note.textContent = "This chart could not be drawn; its numbers are in the table.";
    place.replaceChildren(note);
  }
}

// Long names take their share of the width, and no more.
const limits = (width) => ({ labelLimit: Math.max(70, 0.27 * width), titleLimit: 0.8 * width });

function drawVisible() {
  const places = [...document.querySelectorAll(".chart")];
  const waiting = places.filter((p) => !views.has(p.dataset.chart) && !p.closest("[hidden]"));
  return Promise.all(waiting.map(drawChart));
}

const has = (view, signal) => signal in view.getState({ signals: (name) => name === signal, data: () => false }).signals;

// -- highlighting -----------------------------------------------------------------------

function highlight(view) {
  if (has(view, "picked")) {
    const rows = state.rows && Object.fromEntries([...state.rows].map((r) => [r, true]));
    view.signal("picked", rows ?? false);
  }
  if (has(view, "cluster")) view.signal("cluster", state.cluster);
  view.runAsync();
}

function show() {
  for (const view of views.values()) if (view) highlight(view);
  const current = document.querySelector(`.partition[data-partition="${state.partition}"]`);
  for (const button of current.querySelectorAll("[data-cluster]")) {
    button.setAttribute("aria-pressed", String(Number(button.dataset.cluster) === state.cluster));
  }
  const total = page.columns.id.length.toLocaleString("en");
  current.querySelector(".status span").textContent = state.rows
    ? `${state.rows.size.toLocaleString("en")} of ${total} drawn rows are highlighted${breakdown()}.`
    : "";
  current.querySelector(".clear").hidden = !state.rows;
}

function breakdown() {
  if (state.cluster !== NOBODY) return "";
  const counts = new Map();
  for (const r of state.rows) {
    const c = page.columns[`c${state.partition}`][r];
    counts.set(c, (counts.get(c) ?? 0) + 1);
  }
  const parts = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 5);
  const text = parts.map(([c, n]) => `${n} ${c < 0 ? "outliers" : `in cluster ${c}`}`).join(", ");
  return text && `: ${text}${counts.size > 5 ? ", …" : ""}`;
}

function rowsOf(cluster) {
  const labels = page.columns[`c${state.partition}`];
  return new Set(labels.flatMap((c, r) => (c === cluster ? [r] : [])));
}

function pickCluster(cluster) {
  const off = cluster === NOBODY || cluster === state.cluster;
  state.cluster = off ? NOBODY : cluster;
  state.rows = off ? null : rowsOf(cluster);
  eraseBoxes();
  show();
}

let brushing = null; // the view with the box; the others follow

function brushed(name, box, columns) {
  const wide = (ends) => ends && (ends[0] < ends[1] || ends[0] > ends[1]); // an erased box has NaNs
  if (!wide(box.x) || !wide(box.y)) {
    if (brushing === name) {
      brushing = null;
      state.rows = null;
      show();
    }
    return;
  }
  if (brushing !== name) eraseBoxes(name);
  brushing = name;
  const inside = (value, [a, b]) => value >= Math.min(a, b) && value <= Math.max(a, b);
  const xs = page.columns[columns.x], ys = page.columns[columns.y];
  state.cluster = NOBODY;
  state.rows = new Set(xs.flatMap((x, r) => (inside(x, box.x) && inside(ys[r], box.y) ? [r] : [])));
  show();
}

function eraseBoxes(except) {
  brushing = null;
  for (const [name, view] of views) {
    if (view && name !== except && page.charts[name].columns) {
      view.data("brush_store", []);
      view.signal("brush_x", []).signal("brush_y", []).runAsync();
    }
  }
}

// -- partitions --------------------------------------------------------------------------

function choose(partition) {
  state.partition = partition;
  if (state.cluster !== NOBODY) state.rows = rowsOf(state.cluster);
  for (const part of document.querySelectorAll(".partition")) {
    part.hidden = part.dataset.partition !== partition;
  }
  show();
  dispatchEvent(new Event("resize")); // charts that were hidden when the window changed
  return drawVisible();
}

for (const input of document.querySelectorAll("#switch input")) {
  input.disabled = false;
  input.addEventListener("change", () => choose(input.value));
}
for (const button of document.querySelectorAll("[data-cluster]")) {
  button.addEventListener("click", () => pickCluster(Number(button.dataset.cluster)));
}
for (const button of document.querySelectorAll(".clear")) {
  button.addEventListener("click", () => pickCluster(NOBODY));
}
addEventListener("keydown", (event) => {
  if (event.key === "Escape" && state.rows) pickCluster(NOBODY);
});
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });

document.body.classList.add("live");
// A reloaded page may remember another choice than the first.
const checked = document.querySelector("#switch input:checked")?.value ?? "0";
choose(checked).then(() => document.body.classList.add("drawn"));
