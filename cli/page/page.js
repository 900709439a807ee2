// The report: reads the data that the page contains, writes its facts, and draws its charts.

const report = JSON.parse(document.getElementById('report').textContent);
const other = JSON.parse(document.getElementById('against').textContent);
const main = document.getElementById('main');
Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
Chart.defaults.font.size = 12;
Chart.defaults.devicePixelRatio = Math.max(2, devicePixelRatio || 1);

function section(title, note) {
  element('h2', title, main);
  if (note) element('p', note, main, 'note');
  return element('div', null, main, 'charts');
}

function facts(parent, pairs) {
  const list = element('dl', null, parent);
  for (const [name, value] of pairs) {
    if (value === undefined || value === '') continue;
    element('dt', name, list);
    const place = element('dd', null, list);
    element(name === 'Command' ? 'code' : 'span', String(value), place);
  }
}

function table(parent, head, rows) {
  const t = element('table', null, parent);
  const top = element('tr', null, element('thead', null, t));
  head.forEach(text => element('th', text, top));
  const body = element('tbody', null, t);
  for (const row of rows) {
    const line = element('tr', null, body);
    row.forEach(text => element('td', String(text), line));
  }
}

// ---- statistics -----------------------------------------------------------------

// A quantile of sorted values, interpolated linearly.
function quantile(values, p) {
  const at = p * (values.length - 1), low = Math.floor(at), high = Math.ceil(at);
  return values[low] + (values[high] - values[low]) * (at - low);
}

function box(values) {
  const v = values.slice().sort((a, b) => a - b);
  return { min: v[0], q1: quantile(v, 0.25), median: quantile(v, 0.5), q3: quantile(v, 0.75), max: v[v.length - 1], n: v.length };
}

function sum(list, of) { return list.reduce((total, e) => total + of(e), 0); }

// ---- validity, facts ---------------------------------------------------------------

function showValidity() {
  const all = [{ name: 'search by level', searched: 1, valid: report.search.valid ? 1 : 0, reason: report.search.reason }].concat(report.engines);
  const wrong = all.filter(e => e.valid < e.searched);
  const p = element('p', null, main, 'verdict ' + (wrong.length ? 'bad' : 'good'));
  p.id = 'validity';
  const trees = sum(all, e => e.searched);
  p.textContent = wrong.length
    ? 'NOT VALID: ' + wrong.map(e => e.name + ', ' + (e.searched - e.valid) + ' of ' + e.searched + ' trees: ' + e.reason).join('; ')
    : 'Valid: all ' + trees + ' breadth-first trees obey the rules of Graph500, on ' + report.engines.map(e => e.name).join(', ') + '.';
}

function showFacts() {
  const m = report.machine, g = report.graph, s = report.search;
  document.title = 'semla report: ' + g.name;
  document.getElementById('title').textContent = g.name;
  document.getElementById('subtitle').textContent =
    count(g.vertices) + ' vertices, ' + count(g.entries) + (g.symmetric ? ' entries, undirected (each edge twice)' : ' entries, directed');
  const parts = element('div', null, main, 'facts');
  facts(parts, [
    ['Command', report.command], ['Date', report.created.replace('T', ' ').replace('Z', ' UTC')],
    ['Machine', m.host], ['System', m.system],
    ['Processor', (m.processor || 'unknown') + ', ' + m.processors + ' usable, ' + m.threads + ' threads'],
    ['Memory', bytes(m.memory) + '; ' + bytes(report.bandwidth.bytes_per_second) + '/s when a vector is summed'],
    ['GPU', m.gpus.map(x => x.name + ', ' + bytes(x.memory)).join('; ') || 'none'],
    ['Versions', report.versions.map(v => v.name + ' ' + v.version).join(', ')],
    ['Grid', report.grid ? report.grid.rows + ' x ' + report.grid.columns + ' ranks, GPU transport: ' + report.grid.transport : ''],
  ]);
  facts(parts, [
    ['Source', s.source + ', degree ' + count(s.source_degree)],
    ['Search', s.engine + ', direction ' + s.direction + ': ' + seconds(s.seconds) + ' (its levels: ' + seconds(sum(s.levels, l => l.push_seconds + l.pull_seconds)) + '), ' + short(s.edges / s.seconds) + ' TEPS'],
    ['Reached', count(s.reached) + ' vertices in ' + count(s.depth) + ' levels'],
    ['Components', count(sum(report.components, c => c[1]))],
    ['Isolated', count(g.isolated) + ' vertices without an edge'],
    ['Self-loops', count(g.self_loops)],
    ['Greatest degree', count(report.degrees.out[report.degrees.out.length - 1][0])],
    ['Read or generated', seconds(g.read_seconds)], ['Prepared', seconds(report.prepare_seconds)],
  ]);
}

// ---- levels ----------------------------------------------------------------------------

function labels(levels) {
  return levels.map(l => l.first === l.last ? String(l.first) : l.first + '-' + l.last);
}

// Two stacked datasets of bars, coloured push and pull: a level has one of them, a bar of several levels may have both.
function pushPull(levels, push, pull) {
  return [['push', push], ['pull', pull]].map(([name, of]) =>
    ({ label: name, data: levels.map(of), stack: 'a', backgroundColor: colour(name), pointStyle: 'rect' }));
}
const positive = value => value > 0 ? value : null;

// The limits of a logarithmic axis of bars: the greatest is visible as a whole, and the least one is more than a
// line. Of `extra` bars only those that are not 100 times less.
function limits(values, extra) {
  const shown = values.filter(v => v > 0), last = Math.min(...shown);
  const least = Math.min(last, ...(extra || []).filter(v => v > last / 100));
  return { min: least === 1 ? 0.5 : 10 ** Math.floor(Math.log10(least / 2)), max: 1.8 * Math.max(...shown) };
}

function showLevels() {
  const levels = report.search.levels, several = levels.some(l => l.last > l.first);
  if (!levels.length) return;
  const part = section('One search, level by level', several ? 'The search has more levels than there is room for: each bar adds up consecutive levels.' : '');
  const level = more => axis(several ? 'levels' : 'level', null, more);

  addChart(part, 'frontier', 'Frontier', 'Vertices from which a level begins. The colour is the direction that was chosen.', '', () => ({
    type: 'bar',
    data: { labels: labels(levels), datasets: pushPull(levels, l => l.push_levels ? l.frontier : null, l => l.push_levels ? null : l.frontier) },
    options: { scales: { x: level({ stacked: true }), y: logAxis('vertices', short, limits(levels.map(l => l.frontier))) }, plugins: { legend: legend() } },
  }));

  const expected = (name, of, style) => ({ type: 'line', label: 'expected of a ' + name, data: levels.map(of), showLine: false, pointStyle: style,
    pointRadius: levels.length > 30 ? 3 : 5, borderWidth: levels.length > 30 ? 1 : 1.5, borderColor: colour('mark'), backgroundColor: colour(name) });
  addChart(part, 'edges', 'Edges examined', 'Bars: what the level examined' + (levels.every(l => l.edges_exact) ? '' : ' at most') +
    '. Marks: what each direction was expected to examine, before the level.', '', () => ({
    type: 'bar',
    data: { labels: labels(levels), datasets: [
      expected('push', l => positive(l.expected_push_edges), 'triangle'),
      expected('pull', l => positive(l.expected_pull_edges), 'rectRot'),
      ...pushPull(levels, l => positive(l.push_edges), l => positive(l.pull_edges)),
    ] },
    options: { datasets: { bar: { grouped: false } }, plugins: { legend: legend({ usePointStyle: true }) },
      scales: { x: level(), y: logAxis('edges', short, limits(levels.flatMap(l => [l.push_edges, l.pull_edges, l.expected_push_edges, l.expected_pull_edges]))) } },
  }));

  const times = levels.flatMap(l => [l.push_seconds, l.pull_seconds]);
  addChart(part, 'time', 'Time of a level', 'Beside it, in grey, the time in which the memory delivers the bytes that the level must read: 4 for each edge examined, ' +
    '8 for each row, and in a pull two bitmaps. The levels are a part of the call, which also prepares its memory and writes the results.', 'wide', () => ({
    type: 'bar',
    data: { labels: labels(levels), datasets: [
      ...pushPull(levels, l => positive(l.push_seconds), l => positive(l.pull_seconds)),
      { label: 'bytes alone', data: levels.map(l => positive(l.bytes_seconds)), stack: 'b', backgroundColor: colour('bytes') },
    ] },
    options: { scales: { x: level({ stacked: true }), y: logAxis('time', seconds, limits(times, levels.map(l => l.bytes_seconds))) }, plugins: { legend: legend() } },
  }));
}

// ---- engines ---------------------------------------------------------------------------

// The rows of the box plot: engines of this report, and of the other one.
function engineRows() {
  const rows = report.engines.map(e => ({ name: e.name, values: e.roots.map(r => r.teps) }));
  if (other) rows.push(...other.engines.map(e => ({ name: e.name + ' (other)', values: e.roots.map(r => r.teps), other: true })));
  return rows.filter(r => r.values.length > 0);
}

function showEngines() {
  const rows = engineRows(), boxes = rows.map(r => box(r.values)), names = rows.map(r => r.name);
  const part = section('Searches from several roots');
  const range = { min: 0.75 * Math.min(...boxes.map(b => b.min)), max: 1.3 * Math.max(...boxes.map(b => b.max)) };
  const wide = (range.max / range.min) ** 0.0015; // of the median's bar: a share of the logarithmic axis
  // Floating bars: a thin one from least to greatest, the box between the quartiles, a narrow one at the median.
  const bars = (label, of, order, thickness, background) => ({ label, data: boxes.map(of), order, barThickness: thickness, grouped: false, backgroundColor: background });
  addChart(part, 'teps', 'Speed of the engines', 'Traversed edges per second over ' + Math.max(...boxes.map(b => b.n)) +
    ' roots: least, quartiles, median, greatest; each dot is one root. The time is that of the whole call of sl_bfs for parents and levels, ' +
    'INT64, which stay in the memory of the engine, on a prepared matrix; searches follow each other, after a warm-up.', rows.length > 3 ? 'wide' : 'wide low', () => ({
    type: 'bar',
    data: { labels: names, datasets: [
      { type: 'scatter', label: 'a root', order: 0, pointRadius: 2.5, backgroundColor: faded('mark', 0.5), borderColor: 'transparent',
        data: rows.flatMap((r, k) => r.values.map(v => ({ x: v, y: names[k] }))) },
      bars('median', b => [b.median / wide, b.median * wide], 1, 34, colour('mark')),
      bars('quartiles', b => [b.q1, b.q3], 2, 34, rows.map(r => faded(r.other ? 'bytes' : 'pull', 0.6))),
      bars('least to greatest', b => [b.min, b.max], 3, 3, colour('soft')),
    ] },
    options: { indexAxis: 'y', scales: { x: logAxis('traversed edges per second (TEPS)', short, range), y: plain({ offset: true }) } },
  }));
  const holder = element('figure', null, part, 'wide');
  element('h3', 'The same as numbers', holder);
  table(holder, ['engine', 'roots', 'least', 'first quartile', 'median', 'third quartile', 'greatest', 'harmonic mean (TEPS)'],
    rows.map((r, k) => [r.name, boxes[k].n, ...['min', 'q1', 'median', 'q3', 'max'].map(q => short(boxes[k][q])),
      short(r.values.length / sum(r.values, v => 1 / v))]));
}

// ---- structure --------------------------------------------------------------------------

function scatterPairs(part, id, title, caption, sets, xTitle, yTitle) {
  const most = k => 1.3 * Math.max(...sets.flatMap(s => s.pairs.map(p => p[k])), 10);
  addChart(part, id, title, caption, '', () => ({
    type: 'scatter',
    data: { datasets: sets.map((s, k) => ({ label: s.label, data: s.pairs.filter(p => p[0] > 0).map(p => ({ x: p[0], y: p[1] })), pointRadius: 2.5,
      backgroundColor: faded(k ? 'push' : 'pull', 0.75), borderColor: 'transparent' })) },
    options: { scales: { x: logAxis(xTitle, short, { min: 0.8, max: most(0) }), y: logAxis(yTitle, short, { min: 0.8, max: most(1) }) },
      plugins: { legend: sets.length > 1 ? legend() : { display: false } } },
  }));
}

// A spy plot: a square for each part of the matrix with entries, darker with more entries (by logarithm).
function spy(part, id, title, caption, counts, squares) {
  const least = Math.log(counts.reduce((a, b) => b > 0 ? Math.min(a, b) : a, Infinity));
  const range = Math.log(counts.reduce((a, b) => Math.max(a, b), 1)) - least;
  const data = [], shade = [];
  counts.forEach((n, k) => {
    if (n === 0) return;
    data.push({ x: k % squares + 0.5, y: Math.floor(k / squares) + 0.5 });
    shade.push(range > 0 ? 0.15 + 0.85 * (Math.log(n) - least) / range : 1);
  });
  const n = report.graph.vertices;
  const scale = (text, more) => {
    const a = axis(text, v => short(Math.round(v * n / squares)), Object.assign({ type: 'linear', min: 0, max: squares, grid: { display: false } }, more));
    a.ticks.stepSize = squares / 4;
    return a;
  };
  addChart(part, id, title, caption, 'square', () => ({
    type: 'scatter',
    data: { datasets: [{ data, pointStyle: 'rect', borderWidth: 0, hitRadius: 0, pointBackgroundColor: shade.map(s => faded('pull', s)),
      // Half a square in pixels: the style 'rect' draws a square of 1.41 times the radius.
      pointRadius: context => { const a = context.chart.chartArea; return a ? Math.max(0.7, (a.right - a.left) / squares / Math.SQRT2) : 1; } }] },
    options: { scales: { x: scale('column', { position: 'top' }), y: scale('row', { reverse: true }) }, plugins: { tooltip: { enabled: false } }, events: [] },
  }));
}

function showStructure() {
  const g = report.graph, d = report.degrees;
  const part = section('Structure of the graph');
  scatterPairs(part, 'degrees', 'Degrees', 'Each dot is a degree and the number of vertices that have it.' +
    (g.isolated ? ' Not shown: vertices of degree 0.' : ''),
    d.in ? [{ label: 'out-degree', pairs: d.out }, { label: 'in-degree', pairs: d.in }] : [{ label: 'degree', pairs: d.out }], 'degree', 'vertices');
  scatterPairs(part, 'components', 'Components', 'Each dot is a size of connected components and the number of components that have it.',
    [{ label: 'components', pairs: report.components }], 'vertices of a component', 'components');
  const squares = report.spy.squares, cells = squares < g.vertices ? squares + ' x ' + squares + ' squares, darker with more entries.' : 'A square for each entry.';
  spy(part, 'spy_given', 'Entries of the matrix, vertices as given', cells, report.spy.given, squares);
  spy(part, 'spy_degree', 'The same, vertices in descending order of degree', 'The order in which engines keep graphs with hubs.', report.spy.by_degree, squares);
}

// ---- grid -----------------------------------------------------------------------------------

function showGrid() {
  const grid = report.grid;
  if (!grid) return;
  const part = section('The grid', 'Of the ' + report.engines[0].searched + ' searches from all roots together.');
  const names = grid.ranks.map(r => 'rank ' + r.rank), wheel = ['pull', 'push', 'good', 'bytes', 'bad', 'soft'];
  const phases = [...new Set(grid.ranks.flatMap(r => r.received.filter(e => e.bytes).map(e => e.phase)))];
  addChart(part, 'traffic', 'Bytes received by each rank', 'By phase of the exchange.', '', () => ({
    type: 'bar',
    data: { labels: names, datasets: phases.map((p, k) => ({ label: p, backgroundColor: colour(wheel[k % wheel.length]),
      data: grid.ranks.map(r => sum(r.received.filter(e => e.phase === p), e => e.bytes)) })) },
    options: { scales: { x: plain({ stacked: true }), y: axis('bytes received', bytes, { stacked: true, beginAtZero: true }) }, plugins: { legend: legend() } },
  }));
  addChart(part, 'exchange', 'Exchange and kernels', 'How long each rank waited in exchanges, and the rest of the time.', '', () => ({
    type: 'bar',
    data: { labels: names, datasets: [
      { label: 'kernels', data: grid.ranks.map(r => r.kernel_seconds), backgroundColor: colour('pull') },
      { label: 'exchange', data: grid.ranks.map(r => r.exchange_seconds), backgroundColor: colour('push') }] },
    options: { scales: { x: plain({ stacked: true }), y: axis('time', seconds, { stacked: true, beginAtZero: true }) }, plugins: { legend: legend() } },
  }));
}

// ---- operations ------------------------------------------------------------------------------

function showTimeline() {
  const all = report.timeline.operations;
  if (!all.length) return;
  const engines = [...new Set(all.map(o => o.engine))], fallbacks = all.filter(o => o.fell_back).length;
  const part = section('Operations', count(all.length) + ' operations ran. ' + (fallbacks
    ? count(fallbacks) + ' of them fell back to a later engine of the context, because the first one does not have them or was expected to be slower.'
    : 'None fell back to a later engine.') + (report.timeline.dropped ? ' ' + count(report.timeline.dropped) + ' later ones are not shown.' : ''));
  const end = Math.max(...all.map(o => o.started + o.seconds));
  const row = (label, fell_back, name) => ({ label, grouped: false, minBarLength: 2, barThickness: 26, backgroundColor: colour(name),
    data: all.filter(o => o.fell_back === fell_back).map(o => ({ x: [o.started, o.started + o.seconds], y: o.engine, o })) });
  addChart(part, 'timeline', 'Timeline', 'From the building of the matrix to the search by level. Gaps are work of the command itself.', 'wide low', () => ({
    type: 'bar',
    data: { labels: engines, datasets: [row('did not fall back', false, 'pull'), row('fell back', true, 'push')] },
    options: { indexAxis: 'y', scales: { x: axis('time since the start', seconds, { type: 'linear', min: 0, max: end }), y: plain() },
      plugins: { legend: legend(), tooltip: { callbacks: { title: items => items[0].raw.o.phase + ': ' + items[0].raw.o.operation,
        label: item => { const o = item.raw.o; return [seconds(o.seconds), o.operator !== '-' ? o.operator : '', o.reason || ''].filter(Boolean); } } } } },
  }));

  const totals = new Map();
  for (const o of all) {
    const key = o.operation + ' (' + o.engine + ')', t = totals.get(key) || { key, seconds: 0, n: 0, fell_back: o.fell_back };
    t.seconds += o.seconds;
    t.n++;
    totals.set(key, t);
  }
  const most = [...totals.values()].sort((a, b) => b.seconds - a.seconds).slice(0, 12);
  addChart(part, 'operations', 'Time by operation', 'Sums of all calls, whose number is in brackets. Colours as above.', 'wide', () => ({
    type: 'bar',
    data: { labels: most.map(t => t.key + ' [' + t.n + ']'), datasets: [{ label: 'time', data: most.map(t => t.seconds), minBarLength: 2,
      backgroundColor: most.map(t => colour(t.fell_back ? 'push' : 'pull')) }] },
    options: { indexAxis: 'y', scales: { x: axis('time', seconds, { beginAtZero: true }), y: plain() } },
  }));
}

// ---- comparison -------------------------------------------------------------------------------

function showComparison() {
  if (!other) return;
  const part = section('Compared with another report', other.graph.name + ', ' + other.created.replace('T', ' ').replace('Z', ' UTC') + ', ' + other.machine.host + ': ' + other.command);
  const same = report.graph.vertices === other.graph.vertices && report.graph.entries === other.graph.entries;
  if (!same) element('p', 'The graphs differ: ' + count(other.graph.vertices) + ' vertices and ' + count(other.graph.entries) + ' entries there.', part, 'verdict bad');
  const median = e => box(e.roots.map(r => r.teps)).median;
  const rows = report.engines.filter(e => other.engines.some(x => x.name === e.name)).map(e => {
    const before = median(other.engines.find(x => x.name === e.name)), now = median(e);
    return [e.name, short(before), short(now), (now / before).toFixed(2)];
  });
  const holder = element('figure', null, part, 'wide');
  element('h3', 'Median speed', holder);
  table(holder, ['engine', 'other report, TEPS', 'this report, TEPS', 'this / other'], rows);
  const a = report.search.levels, b = other.search.levels, total = l => l.push_seconds + l.pull_seconds;
  addChart(part, 'compared_levels', 'Time of each level, in both reports', 'The search from vertex ' + report.search.source + ' here, from ' + other.search.source + ' there.', 'wide', () => ({
    type: 'bar',
    data: { labels: labels(a.length >= b.length ? a : b), datasets: [
      { label: 'this report', data: a.map(total), backgroundColor: colour('pull') }, { label: 'other report', data: b.map(total), backgroundColor: colour('bytes') }] },
    options: { scales: { x: axis('level'), y: logAxis('time', seconds, limits(a.concat(b).map(total))) }, plugins: { legend: legend() } },
  }));
}

showValidity();
showFacts();
showComparison();
showLevels();
showEngines();
showStructure();
showGrid();
showTimeline();
element('p', 'Written by semla ' + report.versions[0].version + '. Charts: Chart.js ' + Chart.version + ' (MIT licence). The data are in this page as JSON, in the element "report".', main, 'note');
document.documentElement.dataset.charts = charts.length;
document.documentElement.dataset.empty = charts.filter(e => marks(e.chart) === 0).map(e => e.chart.canvas.id).join(' ');
