// The charts of traffic: small multiples over one time, drawn by uPlot, as the page asks for them. `cargo xtask editor` bundles it into
// charts.js, which the page fetches where figures are shown.
//
// The page says what there is to draw as text (src/panels/traffic/charts.rs): a row a line, cells between tabs.
//
//   word    name  text                       words that are no part of a chart
//   run     name                             one or two; the figures of the first come before those of the second
//   chart   id    title  unit  scale         scale: linear, log or share; the unit is given back to the page with each number to be written
//   line    name  column                     a line of the chart before it, and its place among the columns of a run
//   limit   name  value                      a level line of the chart before it
import uPlot from "uplot";

/** Lines of the first run are solid, those of the second dashed; those of one run differ in colour and in width. */
const WIDTHS = [0.125, 0.09375, 0.0625];
/** Custom properties of the style sheet: one a line of each run, then what is beside the lines. */
const COLOURS = [
  ["--run-a1", "--run-a2", "--run-a3"],
  ["--run-b1", "--run-b2", "--run-b3"],
];
/** Steps of the axis of time, in seconds: numbers that a clock shows. */
const STEPS_S = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200,
  86400, 172800, 604800, 1209600, 2592000,
];
/** Steps of an axis that counts things, of which there are no halves. */
const STEPS_COUNT = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();
/** Steps of an axis of bytes. */
const STEPS_BYTES = Array.from({ length: 50 }, (_, power) => 2 ** power);
/** A limit is drawn unless it would press everything else to the floor; its legend names it either way. */
const LIMIT_SHARE_MIN = 0.1;
/** Sizes of the picture, in px. */
const PICTURE = { width: 620, height: 190, gap: 24, margin: 32, font: 13, ratio: 2 };

const element = (name, className, parent) => {
  const made = document.createElement(name);
  made.className = className;
  parent?.append(made);
  return made;
};

/** What is drawn. */
function read(text) {
  const spec = { words: {}, runs: [], charts: [] };
  for (const row of text.split("\n")) {
    const [kind, ...cells] = row.split("\t");
    const chart = spec.charts.at(-1);
    if (kind === "word") spec.words[cells[0]] = cells[1];
    else if (kind === "run") spec.runs.push(cells[0]);
    else if (kind === "chart") spec.charts.push({ id: cells[0], title: cells[1], unit: cells[2], scale: cells[3], lines: [], limits: [] });
    else if (kind === "line") chart.lines.push({ name: cells[0], column: +cells[1] });
    else if (kind === "limit") chart.limits.push({ name: cells[0], value: +cells[1] });
  }
  return spec;
}

/** Colours as the style sheet has them here, in a form that a canvas understands; what `light-dark()` says depends on the place. */
function palette(place) {
  const probe = element("i", "chart-probe", place);
  const colour = (name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const found = { runs: COLOURS.map((run) => run.map(colour)), ink: colour("--ink-soft"), grid: colour("--line"), limit: colour("--ink"), paper: colour("--surface"), text: colour("--ink") };
  probe.remove();
  return found;
}

/** Dashes of a stroke of this width, in px; the second run's. */
const dashes = (run, px) => (run === 0 ? undefined : [px * 0.4, px * 0.25]);
const LIMIT_DASHES = [0.0625, 0.1875];

/** The powers of ten between two numbers; a logarithmic axis begins and ends with one. */
const powers = (u, axis, least, most) => {
  const found = [];
  for (let power = Math.round(Math.log10(least)); 10 ** power <= most * 1.001; power += 1) found.push(10 ** power);
  return found;
};

/** What uPlot is told of a chart. `px` is the size of a letter, `rem` that of the root. */
function options(chart, runs, size, look, tell, more) {
  const { colours, px, rem, face } = look;
  const font = `${px}px ${face}`;
  const series = [{}];
  for (let run = 0; run < runs; run += 1) {
    chart.lines.forEach((_, nth) => {
      series.push({
        stroke: colours.runs[run][nth],
        width: Math.max(1, WIDTHS[nth] * rem),
        dash: dashes(run, rem),
        points: { show: (u) => u.data[0].length < 3, size: 0.4 * rem },
        spanGaps: false,
      });
    });
  }
  for (const _ of chart.limits) {
    series.push({ stroke: colours.limit, width: Math.max(1, 0.0625 * rem), dash: LIMIT_DASHES.map((part) => part * rem), points: { show: false } });
  }
  const isLog = chart.scale === "log";
  const range = (u, least, most) => {
    if (isLog) return least === null ? [0.1, 100] : uPlot.rangeLog(Math.max(least, 0.001), Math.max(most, 0.01), 10, true);
    if (chart.scale === "share") return [0, 100];
    let highest = most ?? 0;
    for (const { value } of chart.limits) {
      if (highest >= value * LIMIT_SHARE_MIN) highest = Math.max(highest, value);
    }
    return [0, highest > 0 ? highest * 1.08 : 1];
  };
  const axis = { font, stroke: colours.ink, grid: { stroke: colours.grid, width: 1 }, ticks: { stroke: colours.grid, width: 1, size: 0.3 * px }, gap: 0.3 * px };
  return {
    ...size,
    series,
    padding: [0.7 * px, 2.6 * px, 0, 0],
    legend: { show: false },
    scales: { x: { time: false, range: (u) => [u.from || 0, u.until || 60] }, y: { range, distr: isLog ? 3 : 1, log: 10 } },
    axes: [
      { ...axis, size: 1.9 * px, space: 5.5 * px, incrs: STEPS_S, values: (u, at) => at.map((seconds) => tell("axis-time", seconds)) },
      {
        ...axis,
        size: 4.4 * px,
        space: 2.2 * px,
        ...(chart.unit === "bytes" && { incrs: STEPS_BYTES }),
        ...(chart.unit === "count" && { incrs: STEPS_COUNT }),
        ...(isLog && { splits: powers, filter: (u, at) => at }),
        values: (u, at) => at.map((value) => (value === null ? "" : tell(`axis-${chart.unit}`, value))),
      },
    ],
    ...more,
  };
}

/** Tells uPlot the time that its axis spans: from the first interval that is drawn to the end of the last one. */
function span(u, figures) {
  u.from = figures.times[0] ?? 0;
  u.until = u.from + figures.points * figures.intervalMs / 1000;
}

/** The figures as uPlot wants them: the times, then each line, then each limit. A limit that is not drawn has no values. */
function data(chart, figures, runs) {
  const lines = [];
  let most = 0;
  for (let run = 0; run < runs; run += 1) {
    for (const { column } of chart.lines) {
      const values = figures.columns[run][column];
      lines.push(values);
      if (chart.limits.length > 0) for (const value of values) if (value > most) most = value;
    }
  }
  const { points } = figures;
  const limits = chart.limits.map(({ value }) => new Array(points).fill(most >= value * LIMIT_SHARE_MIN ? value : null));
  return [figures.times, ...lines, ...limits];
}

/** A column; nothing where it is not a number. */
function column(all, from, points) {
  const part = all.slice(from, from + points);
  for (let at = 0; at < points; at += 1) {
    // Only what is no number differs from itself.
    if (part[at] !== part[at]) return Array.from(part, (value) => (value === value ? value : null));
  }
  return part;
}

/** The stroke of a line for a legend. */
function swatch(parent, colour, width, dash) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("class", "chart-swatch");
  svg.setAttribute("viewBox", "0 0 24 8");
  svg.setAttribute("aria-hidden", "true");
  line.setAttribute("d", "M0 4h24");
  line.setAttribute("stroke", colour);
  line.setAttribute("stroke-width", width);
  if (dash) line.setAttribute("stroke-dasharray", dash);
  svg.append(line);
  parent.append(svg);
}

let groups = 0;

/**
 * Puts charts into an element. `tell(what, number)` writes numbers (`axis-time`, `value-ms` …) and hears of `pick`, a moment in ms.
 */
export function mount(host, text, tell) {
  const spec = read(text);
  const { runs, words } = spec;
  const group = `charts-${(groups += 1)}`;
  const width = Math.max(0, ...spec.charts.flatMap((chart) => chart.lines.map((line) => line.column + 1)));
  let figures = { points: 0, intervalMs: 1000, times: [], columns: runs.map(() => Array.from({ length: width }, () => [])) };
  let look;
  // The interval that keys or the pointer have come to; none: the last one is told.
  let at = null;
  let touched = null;
  let isSetting = false;

  const head = element("div", "chart-head soft small", host);
  const time = element("p", "chart-time", head);
  const strokes = element("ul", "chart-legend", head);
  const grid = element("div", "chart-grid", host);
  const views = spec.charts.map((chart) => {
    const box = element("figure", "chart", grid);
    element("figcaption", "chart-title", box).textContent = chart.title;
    const plot = element("div", "chart-plot", box);
    plot.tabIndex = 0;
    plot.dataset.chart = chart.id;
    plot.setAttribute("role", "slider");
    plot.setAttribute("aria-label", chart.title);
    for (const [name, value] of [["min", "0"], ["max", "0"], ["now", "0"], ["text", words.none]]) plot.setAttribute(`aria-value${name}`, value);
    const legend = element("ul", "chart-legend", box);
    return { chart, plot, legend, values: [], u: null };
  });

  const shown = () => at ?? figures.points - 1;
  const values = (view, index) =>
    view.chart.lines.map(({ column: nth }) => runs.map((_, run) => {
      const value = figures.columns[run][nth][index];
      return value === undefined || value === null ? "–" : tell(`value-${view.chart.unit}`, value);
    }));
  const legends = () => {
    // Figures may come before there is room to draw them.
    if (!look) return;
    const index = shown();
    const seconds = figures.times[Math.max(index, 0)] ?? 0;
    time.textContent = index < 0 ? words.none : `${at === null ? words.last : words.at} ${tell("axis-time", seconds)}`;
    for (const view of views) {
      if (!view.u) continue;
      const found = values(view, index);
      found.forEach((row, line) => row.forEach((value, run) => { view.values[line][run].textContent = value; }));
      const said = view.chart.lines.map(({ name }, line) => `${name} ${found[line].map((value, run) => (runs.length > 1 ? `${runs[run]} ${value}` : value)).join(", ")}`);
      view.plot.setAttribute("aria-valuemin", "0");
      view.plot.setAttribute("aria-valuemax", String(Math.max(0, figures.points - 1)));
      view.plot.setAttribute("aria-valuenow", String(Math.max(0, index)));
      view.plot.setAttribute("aria-valuetext", index < 0 ? words.none : [tell("axis-time", seconds), ...said].join("; "));
    }
  };
  // Puts the cursor of all charts to the interval that keys have come to.
  const point = () => {
    isSetting = true;
    for (const { u } of views) {
      u?.setCursor(at === null ? { left: -10, top: -10 } : { left: u.valToPos(figures.times[at], "x"), top: 0 }, false, false);
    }
    isSetting = false;
    legends();
  };
  const go = (index) => {
    at = figures.points === 0 ? null : Math.min(Math.max(index, 0), figures.points - 1);
    point();
  };
  const pick = () => { if (at !== null) tell("pick", Math.round(figures.times[at] * 1000)); };

  for (const { plot } of views) {
    plot.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      if (step) go(at === null ? figures.points - 1 : at + step);
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(figures.points - 1);
      else if (event.key === "Enter") pick();
      else if (event.key === "Escape" && at !== null) { at = null; point(); }
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    plot.addEventListener("click", (event) => {
      // A finger has no way to look before it picks: the first touch shows, the second one at the same place picks.
      if (event.pointerType === "touch" && touched !== at) touched = at;
      else pick();
    });
  }

  const measure = () => {
    const style = getComputedStyle(host);
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const probe = element("i", "chart-probe", host);
    const px = parseFloat(getComputedStyle(probe).fontSize);
    probe.remove();
    return { colours: palette(host), px, rem, face: style.fontFamily };
  };
  const sizeOf = ({ plot }) => ({ width: plot.clientWidth, height: plot.clientHeight });
  const begin = (view) => {
    const { chart, plot, legend } = view;
    const more = {
      cursor: {
        y: false,
        drag: { x: false, y: false },
        // A limit is always the same and needs no point.
        points: { size: (u, nth) => (nth > chart.lines.length * runs.length ? 0 : 0.45 * look.rem) },
        sync: { key: group, scales: ["x", null] },
      },
      hooks: {
        setCursor: [(u) => {
          // All charts hear of it; the one under the pointer, or the first of those that follow, tells the others.
          if (isSetting) return;
          const index = u.cursor.left >= 0 ? u.cursor.idx ?? null : null;
          if (index !== at) { at = index; legends(); }
        }],
      },
    };
    view.u?.destroy();
    view.u = new uPlot(options(chart, runs.length, sizeOf(view), look, tell, more), [[]], plot);
    legend.replaceChildren();
    view.values = chart.lines.map(({ name }, nth) => {
      const item = element("li", "chart-line", legend);
      element("span", "chart-name", item).textContent = name;
      return runs.map((_, run) => {
        const pair = element("span", "chart-value", item);
        swatch(pair, look.colours.runs[run][nth], [3, 2, 1.25][nth], run === 0 ? "" : "6 3");
        return element("b", "", pair);
      });
    });
    for (const { name, value } of chart.limits) {
      const item = element("li", "chart-line", legend);
      element("span", "chart-name", item).textContent = name;
      const pair = element("span", "chart-value", item);
      swatch(pair, look.colours.limit, 1.25, "1.5 3");
      element("b", "", pair).textContent = tell(`value-${chart.unit}`, value);
    }
  };
  const show = (view) => {
    if (!view.u) return;
    span(view.u, figures);
    view.u.setData(data(view.chart, figures, runs.length));
  };
  // Places are known once uPlot has drawn, in a task that it has queued already.
  const pointLater = () => queueMicrotask(point);
  const fill = () => {
    views.forEach(show);
    if (at !== null && at >= figures.points) at = null;
    pointLater();
  };
  // Charts are made one a task, so that a key press need not wait for all of them.
  let round = 0;
  const make = (nth, ofRound) => {
    const view = views[nth];
    if (!view || ofRound !== round) return;
    begin(view);
    show(view);
    pointLater();
    setTimeout(make, 0, nth + 1, ofRound);
  };
  // Everything again: sizes of letters, colours and numbers may have changed.
  const restyle = () => {
    if (host.clientWidth === 0) return;
    look = measure();
    strokes.replaceChildren();
    // Of one run there is nothing to tell apart.
    for (const [run, name] of runs.length > 1 ? runs.entries() : []) {
      const item = element("li", "chart-value", strokes);
      swatch(item, look.colours.runs[run][0], 3, run === 0 ? "" : "6 3");
      element("span", "", item).textContent = name;
    }
    setTimeout(make, 0, 0, (round += 1));
  };
  let sized = "";
  const resized = new ResizeObserver(() => {
    const now = views.map((view) => Object.values(sizeOf(view)).join()).join(";");
    if (now === sized || host.clientWidth === 0) return;
    const isFirst = sized === "";
    sized = now;
    if (isFirst) restyle();
    else for (const view of views) view.u?.setSize(sizeOf(view));
  });
  resized.observe(grid);
  // The theme and the size of letters are attributes of the root, or wishes of the system.
  const attributes = new MutationObserver(() => requestAnimationFrame(restyle));
  attributes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-projector", "data-focus"] });
  const wishes = ["(prefers-color-scheme: dark)", "(forced-colors: active)", "(prefers-contrast: more)"].map((query) => matchMedia(query));
  wishes.forEach((wish) => wish.addEventListener("change", restyle));

  return {
    /** Figures: the times of the intervals in seconds, then each column of each run. */
    set(all, points, intervalMs) {
      const copy = (nth) => column(all, nth * points, points);
      figures = { points, intervalMs, times: all.slice(0, points), columns: runs.map((_, run) => Array.from({ length: width }, (_, nth) => copy(1 + run * width + nth))) };
      fill();
    },
    /** All charts with their legends as one picture in light colours. */
    picture: (title) => picture(host, spec, figures, tell, title),
    destroy() {
      round += 1;
      resized.disconnect();
      attributes.disconnect();
      wishes.forEach((wish) => wish.removeEventListener("change", restyle));
      views.forEach(({ u }) => u?.destroy());
      host.replaceChildren();
    },
  };
}

async function picture(host, spec, figures, tell, title) {
  const { width, height, gap, margin, font: px, ratio } = PICTURE;
  const stage = element("div", "chart-stage", host);
  const colours = palette(stage);
  const face = getComputedStyle(host).fontFamily;
  const columns = 2;
  const rows = Math.ceil(spec.charts.length / columns);
  const head = 3.5 * px + (spec.runs.length > 1 ? 2 * px : 0);
  const cell = height + 3.6 * px;
  const canvas = element("canvas", "", null);
  canvas.width = ratio * (2 * margin + columns * width + (columns - 1) * gap);
  canvas.height = ratio * (2 * margin + head + rows * cell + (rows - 1) * gap);
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  pen.fillStyle = colours.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "alphabetic";
  const write = (text, x, y, weight = "", size = px) => {
    pen.font = `${weight} ${size}px ${face}`;
    pen.fillStyle = colours.text;
    pen.fillText(text, x, y);
    return pen.measureText(text).width;
  };
  const stroke = (x, y, colour, thickness, dash) => {
    pen.strokeStyle = colour;
    pen.lineWidth = thickness;
    pen.setLineDash(dash ?? []);
    pen.beginPath();
    pen.moveTo(x, y);
    pen.lineTo(x + 26, y);
    pen.stroke();
    pen.setLineDash([]);
    return 32;
  };
  write(title, margin, margin + 1.4 * px, "600", 1.4 * px);
  if (spec.runs.length > 1) {
    let x = margin;
    spec.runs.forEach((name, run) => {
      x += stroke(x, margin + 3 * px, colours.runs[run][0], 2, dashes(run, 16));
      x += write(name, x, margin + 3.35 * px) + 24;
    });
  }
  const look = { colours, px: px * ratio, rem: 16 * ratio, face };
  for (const [nth, chart] of spec.charts.entries()) {
    const x = margin + (nth % columns) * (width + gap);
    const y = margin + head + Math.floor(nth / columns) * (cell + gap);
    write(chart.title, x, y + px, "600");
    let beside = x;
    const strokes = chart.lines.flatMap(({ name }, line) => spec.runs.map((_, run) => ({ name: run === 0 ? name : "", colour: colours.runs[run][line], thickness: [2.5, 1.75, 1.25][line], dash: dashes(run, 16), isLast: run === spec.runs.length - 1 })));
    for (const { name, value } of chart.limits) {
      strokes.push({ name: `${name} ${tell(`value-${chart.unit}`, value)}`, colour: colours.limit, thickness: 1.25, dash: [2, 3], isLast: true });
    }
    for (const { name, colour, thickness, dash, isLast } of strokes) {
      if (name) beside += write(name, beside, y + 2.6 * px) + 6;
      beside += stroke(beside, y + 2.25 * px, colour, thickness, dash) + (isLast ? 12 : 0);
    }
    const place = element("div", "", stage);
    // Its canvas has a pixel for each of the picture's, whatever the screen has.
    const size = { width: width * ratio / uPlot.pxRatio, height: height * ratio / uPlot.pxRatio };
    const scaled = { ...look, px: look.px / uPlot.pxRatio, rem: look.rem / uPlot.pxRatio };
    const u = new uPlot(options(chart, spec.runs.length, size, scaled, tell, { cursor: { show: false } }), [[]], place);
    span(u, figures);
    u.setData(data(chart, figures, spec.runs.length));
    // uPlot draws in a task of its own.
    await new Promise((done) => setTimeout(done));
    pen.drawImage(u.ctx.canvas, x, y + 3.2 * px, width, height);
    u.destroy();
  }
  stage.remove();
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"));
}
