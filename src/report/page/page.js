// Makes the pictures and tables of a report interactive. It loads nothing and sends nothing; without it the page shows the same.
'use strict';

const INK = '#222222', GREY = '#5F5F5F', GRID = '#DEDEDE';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with attributes and children; an attribute that is a function listens to the event of its name. */
function make(name, attributes = {}, ...children) {
  const isDrawn = ['svg', 'text', 'circle', 'rect', 'polyline', 'polygon', 'clipPath'].includes(name);
  const element = document.createElementNS(isDrawn ? 'http://www.w3.org/2000/svg' : 'http://www.w3.org/1999/xhtml', name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(key, value); else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

const button = (text, click, attributes = {}) => make('button', { type: 'button', click, ...attributes }, text);
const live = make('p', { 'aria-live': 'polite', class: 'live' });
const say = (text) => { live.textContent = text; };

/** Three significant digits, with the unit of an axis. */
function show(value, unit) {
  if (unit === 'number') return String(Number(value.toPrecision(6)));
  if (unit === 'share') return `${Number((value / 1e4).toPrecision(3))} %`;
  const steps = unit === 'time' ? ['ns', 'µs', 'ms', 's'] : ['', 'k', 'M', 'G', 'T', 'P', 'E'];
  let step = 0;
  while (Math.abs(value) >= 999.5 && step + 1 < steps.length) [value, step] = [value / 1000, step + 1];
  return `${Number(value.toPrecision(3))}${unit === 'time' ? ' ' : ''}${steps[step]}`;
}

/** The number that a text begins with, in the base of its unit; undefined if it is not one. */
function number(text) {
  const found = /^[^\d\p{L}-]*(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)\s*(\S*)/u.exec(text.replace('more than ', ''));
  const units = { ns: 1, µs: 1e3, ms: 1e6, s: 1e9, min: 6e10, h: 3.6e12 };
  return found ? Number(found[1].replaceAll(',', '')) * (units[found[2]] ?? 1) : undefined;
}

/** An axis: values of its unit between two places of the picture. */
class Axis {
  constructor(from, to, said) {
    const [low, high, kind, unit] = said.split(' ');
    Object.assign(this, { from, to, unit, log: kind === 'log', low: Number(low), high: Number(high) });
    this.home = [this.low, this.high, this.log];
  }

  scaled(value) { return this.log ? Math.log10(value) : value; }
  at(value) { return this.from + (this.scaled(value) - this.low) / (this.high - this.low) * (this.to - this.from); }
  scaledOf(place) { return this.low + (place - this.from) / (this.to - this.from) * (this.high - this.low); }
  value(place) { return this.log ? 10 ** this.scaledOf(place) : this.scaledOf(place); }
  isHome() { return [this.low, this.high, this.log].every((part, at) => part === this.home[at]); }
  reset() { [this.low, this.high, this.log] = this.home; }
  /** Shows what lies between two places. */
  zoom(from, to) { [this.low, this.high] = [this.scaledOf(from), this.scaledOf(to)].sort((a, b) => a - b); }

  /** Changes between a logarithmic and a linear axis of these values. */
  toggle(values) {
    if (this.log !== this.home[2]) { this.reset(); return; }
    this.log = !this.log;
    const ends = [Math.min, Math.max].map((end) => this.scaled(values.reduce((a, b) => end(a, b))));
    const low = this.log ? ends[0] : 0, margin = 0.04 * (ends[1] - low) || 1;
    [this.low, this.high] = [this.log ? low - margin : 0, ends[1] + margin];
  }

  /** Round values with at least about this distance in pixels. */
  ticks(distance) {
    const [first, last] = [this.value(this.from), this.value(this.to)], room = Math.abs(this.to - this.from) / distance;
    const multiples = (step, low, high) => Array.from({ length: Math.max(0, Math.floor(high / step) - Math.ceil(low / step) + 1) },
      (_, at) => (Math.ceil(low / step) + at) * step);
    if (this.log && this.high - this.low > 1.5) {
      return multiples(Math.ceil((this.high - this.low) / room), this.low, this.high).map((power) => 10 ** power);
    }
    const rough = (last - first) / room, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= rough);
    return multiples(this.unit === 'number' ? Math.max(1, step) : step, Math.max(0, first), last);
  }
}

const pointsOf = (line) => (line?.getAttribute('points') ?? '').split(' ').filter(Boolean).map((pair) => pair.split(',').map(Number));

/** A picture that can be touched. */
class Plot {
  constructor(figure) {
    this.figure = figure;
    this.svg = figure.querySelector('.scroll svg');
    this.grid = this.svg.querySelector('.grid');
    this.plot = this.svg.querySelector('.plot');
    this.gridAtHome = this.grid.innerHTML;
    const [left, right, top, bottom] = this.grid.dataset.place.split(' ').map(Number);
    this.x = new Axis(left, right, this.grid.dataset.x);
    this.y = new Axis(bottom, top, this.grid.dataset.y);
    this.readSeries();
    this.readShapes();
    this.addPointer();
    this.addKey();
    this.addTools();
  }

  /** The series: name, points, and what is said of each point. Groups of the same number belong to one series. */
  readSeries() {
    const known = new Map();
    for (const title of all('[data-s] > title', this.plot)) {
      const { s: id, says = '' } = title.parentNode.dataset;
      if (!known.has(id)) known.set(id, { id, name: title.textContent, points: [], off: false });
      pointsOf(title.parentNode.querySelector('polyline')).forEach(([x, y], at) => {
        const point = { x: this.x.value(x), y: this.y.value(y) };
        known.get(id).points.push({ ...point, says: says.split('; ')[at] || show(point.y, this.y.unit) });
      });
      title.remove();
    }
    this.series = [...known.values()];
    this.current = this.series[0];
  }

  /** A function for each shape that moves it to where the present axes have its values. */
  readShapes() {
    const id = `clip-${this.svg.querySelector('title').id}`;
    const [x, y, width, height] = [this.x.from - 6, this.y.to - 6, this.x.to - this.x.from + 12, this.y.from - this.y.to + 12];
    this.svg.append(make('clipPath', { id }, make('rect', { x, y, width, height })));
    this.plot.setAttribute('clip-path', `url(#${id})`);
    this.values = [];
    this.shapes = all('polyline, polygon, circle, path, text', this.plot).map((shape) => {
      const names = { circle: ['cx', 'cy'], text: ['x', 'y'] }[shape.tagName];
      const moved = /translate\((\S+) (\S+)\)(.*)/.exec(shape.getAttribute('transform'));
      const places = moved ? [moved.slice(1, 3)] : names ? [names.map((name) => shape.getAttribute(name))] : pointsOf(shape);
      const isLimit = shape.closest('.limit'), above = shape.tagName === 'text' ? 13 : 0;
      const values = places.map(([x, y]) => [this.x.value(Number(x)), this.y.value(Number(y) + above), x]);
      if (!isLimit) this.values.push(...values);
      return () => {
        const at = values.map(([x, y, place]) => [isLimit ? place : this.x.at(x).toFixed(1), (this.y.at(y) - above).toFixed(1)]);
        if (moved) shape.setAttribute('transform', `translate(${at[0].join(' ')})${moved[3]}`);
        else if (names) names.forEach((name, part) => shape.setAttribute(name, at[0][part]));
        else shape.setAttribute('points', at.map((pair) => pair.join(',')).join(' '));
      };
    });
  }

  /** The names as buttons that hide a series or show it alone. */
  addKey() {
    const swatches = new Map(all('.key li', this.figure).map((item) => [item.textContent.trim(), item.querySelector('svg')]));
    const grey = make('svg', { viewBox: '0 0 36 12', class: 'queens' }, make('polyline', { points: '4,6 32,6', stroke: GREY }));
    const items = this.series.map((series) => {
      const dblclick = () => this.setShown((other) => other === series, `Only ${series.name} is shown.`);
      const toggle = () => this.setShown((other) => (other === series) === other.off, `${series.name} is ${series.off ? 'shown' : 'hidden'}.`);
      const click = (event) => (event.shiftKey ? dblclick() : toggle());
      series.button = button('', click, { 'aria-pressed': 'true', dblclick });
      series.button.append((swatches.get(series.name) ?? grey).cloneNode(true), ` ${series.name}`);
      all(`.name[data-s="${series.id}"]`, this.svg).forEach((name) => Object.assign(name, { onclick: click, ondblclick: dblclick }));
      return make('li', {}, series.button);
    });
    const hint = make('p', {}, 'Click a name to hide its series, or to show it again. Double-click or Shift-click a name to show its series alone. ',
      button('Show all', () => this.setShown(() => true, 'All series are shown.')));
    const open = this.series.length <= 12 ? { open: '' } : {};
    this.figure.querySelector('.key')?.remove();
    this.figure.append(make('details', { class: 'names', ...open },
      make('summary', {}, `${this.series.length} series`), hint, make('ul', { class: 'key', 'aria-label': 'Series' }, ...items)));
  }

  setShown(isShown, what) {
    this.series.forEach((series) => { series.off = !isShown(series); });
    const few = this.series.filter((series) => !series.off).length <= this.series.length / 4;
    for (const series of this.series) {
      series.button.setAttribute('aria-pressed', String(!series.off));
      for (const part of all(`[data-s="${series.id}"]`, this.svg)) {
        part.classList.toggle('off', series.off);
        part.classList.toggle('lone', few && !series.off);
      }
    }
    this.hideTip();
    say(what);
  }

  /** Buttons for what the keyboard and the mouse can do, which fingers can press, too. */
  addTools() {
    this.kinds = [[this.y, 'Vertical', this.values.map(([, y]) => y)], [this.x, 'Horizontal', this.values.map(([x]) => x)]]
      .filter(([, , values]) => values.length > 1 && values.every((value) => value > 0))
      .map(([axis, name, values]) => ({ axis, name, button: button('', () => { axis.toggle(values); this.draw(); }) }));
    this.back = button('Whole picture', () => this.reset());
    const buttons = [button('Zoom in', () => this.zoomBy(0.6)), button('Zoom out', () => this.zoomBy(1 / 0.6)), this.back];
    this.figure.prepend(make('div', { class: 'tools', role: 'group', 'aria-label': 'View' }, ...this.kinds.map((kind) => kind.button), ...buttons));
    this.draw();
  }

  /** Draws everything anew after a change of the axes. */
  draw() {
    this.back.disabled = this.x.isHome() && this.y.isHome();
    this.kinds.forEach(({ axis, name, button }) => { button.textContent = `${name} axis: ${axis.log ? 'logarithmic' : 'linear'}`; });
    this.shapes.forEach((move) => move());
    this.svg.classList.toggle('moved', !this.back.disabled);
    this.hideTip();
    if (this.back.disabled) { this.grid.innerHTML = this.gridAtHome; return; }
    const { from: left, to: right } = this.x, { from: bottom, to: top } = this.y;
    const line = (stroke, ...points) => make('polyline', { points: points.join(' '), stroke });
    const text = (x, y, anchor, words) => make('text', { x, y, dy: '0.5ex', 'text-anchor': anchor, 'font-size': 12, fill: INK }, words);
    const rows = this.y.ticks(40).map((value) => [this.y.at(value), show(value, this.y.unit)]);
    const columns = this.x.ticks(60).map((value) => [this.x.at(value), show(value, this.x.unit)]);
    this.grid.replaceChildren(
      ...rows.flatMap(([y, label]) => [line(GRID, left, y, right, y), text(left - 8, y, 'end', label)]),
      ...columns.flatMap(([x, label]) => [line(GRID, x, bottom, x, top), text(x, bottom + 15, 'middle', label)]),
      line(GREY, left, bottom, right, bottom),
    );
    const ends = (axis) => `${show(axis.value(axis.from), axis.unit)} to ${show(axis.value(axis.to), axis.unit)}`;
    say(`Horizontally ${ends(this.x)}, vertically ${ends(this.y)}`);
  }

  reset() { this.x.reset(); this.y.reset(); this.draw(); say('The whole picture is shown.'); }

  /** Shows less or more, around the point that was read last or the middle. */
  zoomBy(factor) {
    const { point } = this;
    for (const [axis, value] of [[this.x, point?.x], [this.y, point?.y]]) {
      const middle = point ? axis.at(value) : (axis.from + axis.to) / 2;
      axis.zoom(middle + (axis.from - middle) * factor, middle + (axis.to - middle) * factor);
    }
    this.draw();
    if (point) this.read(this.current, this.index);
  }

  /** Pointing reads a point, dragging zooms, a double click shows all. */
  addPointer() {
    this.tip = make('div', { class: 'tip', hidden: '', 'aria-hidden': 'true' });
    this.ring = make('circle', { r: 7, stroke: INK, class: 'ring off' });
    const drawn = make('polygon', { fill: INK, opacity: 0.12, class: 'off' });
    this.svg.append(this.ring, drawn);
    this.figure.append(this.tip);
    this.svg.tabIndex = 0;
    this.svg.setAttribute('role', 'application');
    this.svg.querySelector('desc').append(' Left and right read the points of a series, up and down change the series, '
      + 'plus and minus zoom, 0 shows the whole picture.');
    const place = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const clamped = (axis, at) => Math.min(Math.max(at, Math.min(axis.from, axis.to)), Math.max(axis.from, axis.to));
    const isInside = ({ x, y }) => clamped(this.x, x) === x && clamped(this.y, y) === y;
    let start;
    const end = () => { start = undefined; drawn.classList.add('off'); };
    const listen = (name, handle) => this.svg.addEventListener(name, (event) => handle(place(event), event));
    listen('pointerdown', (at, event) => {
      // A finger scrolls.
      if (event.pointerType === 'touch' || event.button !== 0 || !isInside(at)) { this.near(at); return; }
      start = at;
      event.preventDefault();
      this.svg.focus({ preventScroll: true });
    });
    listen('pointermove', (at, event) => {
      if (!start || event.buttons === 0) { end(); this.near(at); return; }
      const [x, y] = [clamped(this.x, at.x), clamped(this.y, at.y)];
      drawn.setAttribute('points', [start.x, start.y, x, start.y, x, y, start.x, y].join(' '));
      drawn.classList.remove('off');
      this.hideTip();
    });
    listen('pointerup', (at) => {
      const sides = start ? [[this.x, start.x, at.x], [this.y, start.y, at.y]] : [];
      const long = sides.filter(([, from, to]) => Math.abs(to - from) > 8);
      long.forEach(([axis, from, to]) => axis.zoom(from, clamped(axis, to)));
      end();
      if (long.length) this.draw();
    });
    listen('pointerleave', () => { end(); this.hideTip(); });
    listen('dblclick', (at) => { if (isInside(at)) this.reset(); });
    this.svg.addEventListener('blur', () => this.hideTip());
    this.svg.addEventListener('keydown', (event) => this.key(event));
  }

  key(event) {
    const shown = this.series.filter((series) => !series.off && series.points.length);
    if (event.ctrlKey || event.metaKey || event.altKey || !shown.length) return;
    const line = Math.max(0, shown.indexOf(this.current)), { point } = this;
    const [along, across] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
    if (along !== undefined) {
      const series = shown[(line + (point ? across : 0) + shown.length) % shown.length];
      const same = series.points.findIndex((other) => other.x === point?.x);
      this.read(series, point ? (across && same >= 0 ? same : this.index + along) : 0);
      say([...this.tip.children].map((part) => part.textContent).join(', '));
    } else if ('+=-'.includes(event.key)) this.zoomBy(event.key === '-' ? 1 / 0.6 : 0.6);
    else if (['0', 'Escape'].includes(event.key)) this.reset(); else return;
    event.preventDefault();
  }

  /** Shows what is said of a point. */
  read(series, index) {
    this.current = series;
    this.index = Math.min(series.points.length - 1, Math.max(0, index));
    this.point = series.points[this.index];
    const { x, y, says } = this.point, place = new DOMPoint(this.x.at(x), this.y.at(y));
    const at = this.x.unit === 'number' ? `${this.grid.dataset.at} = ${Math.round(x)}` : show(x, this.x.unit);
    ['x', 'y'].forEach((name) => this.ring.setAttribute(`c${name}`, place[name]));
    this.ring.classList.remove('off');
    this.tip.replaceChildren(make('strong', {}, series.name), make('span', {}, `${at}: ${says}`));
    this.tip.hidden = false;
    const screen = place.matrixTransform(this.svg.getScreenCTM()), around = this.figure.getBoundingClientRect();
    this.tip.style.left = `${Math.max(0, Math.min(around.width - this.tip.offsetWidth, screen.x - around.left + 14))}px`;
    this.tip.style.top = `${screen.y - around.top + 14}px`;
  }

  /** Shows the point next to a place, if one is near. */
  near(at) {
    const places = this.series.filter((series) => !series.off).flatMap((series) => series.points.map(({ x, y }, index) => (
      { series, index, distance: Math.hypot(this.x.at(x) - at.x, this.y.at(y) - at.y) })));
    const best = places.reduce((best, place) => (place.distance < best.distance ? place : best), { distance: 30 });
    if (best.series) this.read(best.series, best.index); else this.hideTip();
  }

  hideTip() { this.tip.hidden = true; this.ring.classList.add('off'); this.point = undefined; }
}

/** The text of a cell without its small print. */
const main = (cell) => [...cell.childNodes].filter((node) => node.nodeName !== 'SMALL').map((node) => node.textContent).join('').trim();

/** Compares two cells: numbers before words, and what is empty last. */
function compare(one, two, down, isNumeric) {
  if (!one || !two) return Boolean(two) - Boolean(one);
  const [x, y] = [one, two].map((text) => (isNumeric ? number(text) : undefined));
  if (x !== undefined && y !== undefined) return down * (x - y);
  return down * ((x === undefined) - (y === undefined) || one.localeCompare(two, 'en', { numeric: true }));
}

/** A cell as a field of CSV, which a spreadsheet does not take for a formula. */
function field(text) {
  const cell = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function addTableTools(scroll) {
  const table = scroll.querySelector('table'), body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  if (rows.length < 2) return;
  heads.forEach((head, column) => head.replaceChildren(button(head.textContent, () => {
    const now = { ascending: 'descending', descending: 'none' }[head.getAttribute('aria-sort')] ?? 'ascending';
    heads.forEach((other) => other.removeAttribute('aria-sort'));
    const down = now === 'ascending' ? 1 : -1, text = (row) => main(row.cells[column]);
    const order = (a, b) => (now === 'none' ? 0 : compare(text(a), text(b), down, column > 0));
    if (now !== 'none') head.setAttribute('aria-sort', now);
    body.append(...[...rows].sort(order));
    say(now === 'none' ? 'In the original order' : `Sorted by ${head.textContent}, ${now}`);
  })));
  const filter = make('input', { type: 'search', placeholder: 'Filter rows', 'aria-label': 'Show only rows that contain', input: () => {
    rows.forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(filter.value.toLowerCase()); });
    say(`${rows.filter((row) => !row.hidden).length} of ${rows.length} rows`);
  } });
  const csv = () => [table.tHead.rows[0], ...body.rows].filter((row) => !row.hidden).map((row) => (
    [...row.cells].map(main).map(field).join(',')));
  const parts = [...(rows.length > 4 ? [filter] : []), button('Copy as CSV', () => copy(`${csv().join('\n')}\n`))];
  scroll.before(make('div', { class: 'tools', role: 'group', 'aria-label': `Table ${scroll.getAttribute('aria-label')}` }, ...parts));
}

/** Copies a text, or shows it where the browser forbids that. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    say('The table is in the clipboard.');
  } catch {
    const area = make('textarea', { readonly: '', rows: 12, 'aria-label': 'The table as CSV' }, text);
    open('The table as CSV', area);
    area.select();
  }
}

function open(title, ...content) {
  const close = make('form', { method: 'dialog' }, make('button', {}, 'Close'));
  const dialog = make('dialog', { 'aria-label': title, close: () => dialog.remove() }, make('h2', {}, title), ...content, close);
  document.body.append(dialog);
  dialog.showModal();
}

const quoted = (word) => (/^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Opens the runs of a series at a size. */
function openRuns(name, n, { solver, goal, threads, sizes }, { kinds, repeatable }) {
  const cells = (name, texts) => texts.map((text) => make(name, { class: 'text' }, String(text)));
  const rows = sizes[n].map((run, at) => {
    const [time, kind] = Array.isArray(run) ? run : [run, 0];
    return make('tr', {}, ...cells('td', [at + 1, time === null ? '' : show(time, 'time'), ...kinds[kind]]));
  });
  const head = make('tr', {}, ...cells('th', ['Run', 'Time', 'Kind', 'Status', 'Verdict', 'Error']));
  const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
  const words = ['queenlab', 'sweep', 'experiment.toml', '--solver', solver, '--n', n, '--goal', goal, '--threads', threads, '--out', 'again'];
  const command = words.map((word) => quoted(String(word))).join(' ');
  const repeat = [make('p', {}, 'To repeat these runs, run this command in the directory of the result:'), make('pre', {}, command)];
  open(`${name}, n = ${n}`, table, ...(repeatable ? repeat : []));
}

/** A cell of a table of series and sizes opens its runs; the arrow keys move between cells. */
function addRuns(table, data) {
  const sizes = [...table.tHead.rows[0].cells].map((head) => /^n = (\d+)$/.exec(head.textContent)?.[1]);
  const name = (cell) => main(cell.parentNode.cells[0]);
  const series = (cell) => data.series[cell.parentNode.dataset.series];
  const cells = all('tbody td', table).filter((cell) => main(cell) && series(cell)?.sizes[sizes[cell.cellIndex]]);
  const opens = (cell) => openRuns(name(cell), sizes[cell.cellIndex], series(cell), data);
  cells.forEach((cell, at) => { cell.tabIndex = at ? -1 : 0; cell.classList.add('opens'); cell.setAttribute('aria-haspopup', 'dialog'); });
  if (cells.length) table.setAttribute('role', 'grid');
  table.addEventListener('click', ({ target }) => { if (target.closest('.opens')) opens(target.closest('.opens')); });
  table.addEventListener('keydown', (event) => {
    const cell = event.target.closest('.opens'), step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!cell || !(step || [' ', 'Enter'].includes(event.key))) return;
    event.preventDefault();
    if (!step) { opens(cell); return; }
    const part = ['ArrowUp', 'ArrowDown'].includes(event.key) ? 'cellIndex' : 'parentNode';
    const line = all('.opens', table).filter((other) => other[part] === cell[part] && !other.parentNode.hidden);
    const next = line[line.indexOf(cell) + step];
    if (next) { cell.tabIndex = -1; next.tabIndex = 0; next.focus(); }
  });
}

document.body.append(live);
const data = JSON.parse(document.getElementById('runs').textContent);
for (const table of all('table.sizes')) addRuns(table, data);
for (const scroll of all('main .scroll').filter((scroll) => scroll.querySelector('table'))) addTableTools(scroll);
for (const figure of all('figure').filter((figure) => figure.querySelector('.plot'))) new Plot(figure);
