// Charts of a report: what they have in common. Chart.js draws them on canvases; colours come from the style
// sheet, so that they follow the reader's choice of light or dark, and paper is always light.
'use strict';

const charts = []; // {canvas, chart, make}: make() returns the configuration in the colours of now

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim();
}

function faded(name, alpha) {
  const hex = colour(name);
  return hex + Math.round(255 * alpha).toString(16).padStart(2, '0');
}

// ---- numbers -----------------------------------------------------------------

function count(value) {
  return Math.round(value).toLocaleString('en-US');
}

function scaled(value, units, step) {
  let k = 0;
  while (Math.abs(value) >= step && k + 1 < units.length) { value /= step; k++; }
  return (value >= 100 || value === Math.round(value) ? value.toFixed(0) : value.toPrecision(3)) + units[k];
}

function short(value) { return value !== 0 && Math.abs(value) < 1 ? value.toPrecision(2) : scaled(value, ['', 'k', 'M', 'G', 'T'], 1000); }
function bytes(value) { return scaled(value, [' B', ' kB', ' MB', ' GB', ' TB'], 1000); }

function seconds(value) {
  if (value === 0) return '0 s';
  if (value < 1e-3) return trimmed(1e6 * value) + ' us';
  if (value < 1) return trimmed(1e3 * value) + ' ms';
  return trimmed(value) + ' s';
}
function trimmed(value) { return value >= 100 ? value.toFixed(0) : String(+value.toPrecision(3)); }

// ---- axes -----------------------------------------------------------------------

function axis(title, format, more) {
  return Object.assign({
    format,
    title: { display: true, text: title },
    ticks: { callback(value) { return format ? format(value) : this.getLabelForValue(value); }, maxRotation: 0 },
    grid: {},
  }, more);
}

// An axis of names, without a title and lines.
function plain(more) {
  return axis('', null, Object.assign({ title: { display: false }, grid: { display: false } }, more));
}

// A logarithmic axis with labels at powers of ten, or at 1, 2 and 5 times these where the range is small.
function logAxis(title, format, more) {
  const a = axis(title, format, Object.assign({ type: 'logarithmic' }, more));
  a.ticks = {
    maxRotation: 0, autoSkip: true, autoSkipPadding: 10,
    callback(value) {
      const power = Math.round(Math.log10(value) * 1e6) / 1e6, lead = value / 10 ** Math.floor(power + 1e-9);
      const decades = Math.log10(this.max / this.min);
      const digit = Math.abs(lead - Math.round(lead)) < 1e-6;
      const shown = Number.isInteger(power) ? (decades < 9 || power % 3 === 0) : digit && decades < 2 && (decades < 0.7 || lead < 2.5 || Math.round(lead) === 5);
      return shown ? format(value) : null;
    },
  };
  return a;
}

// ---- making charts -----------------------------------------------------------------

function element(name, text, parent, className) {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  if (className) e.className = className;
  if (parent) parent.append(e);
  return e;
}

// The number of elements that a chart draws: bars and points that have a place.
function marks(chart) {
  let n = 0;
  chart.data.datasets.forEach((set, k) => {
    for (const e of chart.getDatasetMeta(k).data) {
      const p = e.getProps(['x', 'y', 'skip'], true);
      if (!p.skip && Number.isFinite(p.x) && Number.isFinite(p.y)) n++;
    }
  });
  return n;
}

// Adds a figure. make() returns a configuration of Chart.js; it is called again when the colours change.
function addChart(parent, id, title, caption, className, make) {
  const figure = element('figure', null, parent, className.includes('wide') ? 'wide' : '');
  element('h3', title, figure);
  element('figcaption', caption, figure);
  const canvas = element('canvas', null, element('div', null, figure, 'canvas ' + className));
  canvas.id = id;
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', title + '. ' + caption);
  const entry = { canvas, make };
  charts.push(entry);
  draw(entry);
  canvas.dataset.marks = marks(entry.chart);
}

// The text of a tooltip: the dataset and the numbers, as the axes write them. A floating bar has two numbers.
function described(item, scales) {
  const shown = ['x', 'y'].filter(k => scales[k].format).map(k => {
    const ends = Array.isArray(item.raw) ? item.raw : [item.parsed[k]];
    return ends.map(scales[k].format).join(' to ');
  });
  return (item.dataset.label ? item.dataset.label + ': ' : '') + shown.join(', ');
}

// The size of a chart on paper, in pixels, by its classes.
function paperSize(classes) {
  const wide = classes.contains('wide');
  return classes.contains('square') ? [520, 520] : [wide ? 1060 : 520, classes.contains('low') ? 220 : 330];
}

function draw(entry) {
  if (entry.chart) entry.chart.destroy();
  const config = entry.make(), options = config.options, { canvas } = entry;
  const onPaper = document.documentElement.classList.contains('paper');
  Object.assign(options, { animation: false, responsive: !onPaper, maintainAspectRatio: false });
  canvas.removeAttribute('style');
  if (onPaper) [canvas.width, canvas.height] = paperSize(canvas.parentNode.classList);
  const tooltip = { callbacks: { label: item => described(item, config.options.scales) } };
  options.plugins = Object.assign({ legend: { display: false }, tooltip }, options.plugins);
  for (const a of Object.values(options.scales)) {
    a.grid = Object.assign({ color: faded('line', 0.7), borderColor: colour('line') }, a.grid);
    a.ticks.color = a.title.color = colour('soft');
  }
  entry.chart = new Chart(entry.canvas, config);
}

function drawAll() { charts.forEach(draw); }

// A legend of the datasets' names, at the top.
function legend(more) {
  return { display: true, position: 'top', align: 'start', labels: Object.assign({ boxWidth: 14, boxHeight: 10, color: colour('text') }, more) };
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
// Paper is light whatever the screen is. Charts are drawn at fixed sizes, which the style sheet scales down, with
// larger letters.
function paper(on) {
  document.documentElement.classList.toggle('paper', on);
  Chart.defaults.font.size = on ? 15 : 12;
  drawAll();
}
addEventListener('beforeprint', () => paper(true));
addEventListener('afterprint', () => paper(false));
