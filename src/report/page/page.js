// Makes the pictures and tables of a report interactive. The script loads nothing and sends nothing. Without the script, the page shows the
// same results.
'use strict';

const INK = '#222222', GREY = '#5F5F5F', GRID = '#DEDEDE';
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

/** Makes an element with attributes and children. An attribute whose value is a function is a listener for the event of that name. */
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
const liveRegion = make('p', { 'aria-live': 'polite', class: 'live' });
/** Lets screen readers read a text. */
const announce = (text) => { liveRegion.textContent = text; };

/** Formats a number with this many significant digits in the largest unit that fits. A unit consists of a factor and a suffix. */
function format(value, units, digits = 3) {
  const large = units.slice(1).filter((unit, at) => Math.abs(value) / units[at][0] >= 999.5);
  const [factor, suffix] = units[large.length];
  return `${Number((value / factor).toPrecision(digits))}${suffix}`;
}

/** An axis of a plot, made from an axis of the island. Converts values to positions in the picture, and back. */
class Axis {
  constructor(island) {
    Object.assign(this, island);
    this.log = this.floor !== undefined;
    this.initial = [this.low, this.high, this.log];
  }

  format(value) { return format(value, this.steps, this.whole ? 6 : 3); }
  /** The value, or its logarithm on a logarithmic axis. */
  scaled(value) {
    if (!this.log) return value;
    const isBelow = this.zero !== undefined && value < this.floor;
    return isBelow ? this.zero : Math.log10(Math.max(value, this.floor ?? Number.MIN_VALUE));
  }
  /** The position of a value. */
  at(value) { return this.from + (this.scaled(value) - this.low) / (this.high - this.low) * (this.to - this.from); }
  scaledAt(position) { return this.low + (position - this.from) / (this.to - this.from) * (this.high - this.low); }
  /** The value at a position. */
  value(position) { return this.log ? 10 ** this.scaledAt(position) : this.scaledAt(position); }
  isInitial() { return [this.low, this.high, this.log].every((part, at) => part === this.initial[at]); }
  reset() { [this.low, this.high, this.log] = this.initial; }
  /** Shows the range between two positions. */
  zoom(from, to) { [this.low, this.high] = [this.scaledAt(from), this.scaledAt(to)].sort((a, b) => a - b); }

  /** Switches between a logarithmic and a linear axis for these values. */
  toggle(values) {
    if (this.log !== this.initial[2]) { this.reset(); return; }
    this.log = !this.log;
    const ends = [Math.min, Math.max].map((end) => this.scaled(values.reduce((a, b) => end(a, b))));
    const low = this.log ? ends[0] : 0, margin = 0.04 * (ends[1] - low) || 1;
    [this.low, this.high] = [this.log ? low - margin : 0, ends[1] + margin];
  }

  /** Round values with about this minimum distance in pixels. If a logarithmic axis has a position for 0, 0 is one of them. */
  ticks(distance) {
    if (!this.log || this.zero === undefined) return this.roundValues(distance);
    const lowest = this.zero + (this.initial[1] - this.initial[0]) / 30;
    const values = this.roundValues(distance).filter((value) => Math.log10(value) > lowest);
    return this.zero > this.low ? [0, ...values] : values;
  }

  /** Like ticks, without 0 on a logarithmic axis. */
  roundValues(distance) {
    const [first, last] = [this.value(this.from), this.value(this.to)], room = Math.abs(this.to - this.from) / distance;
    const multiples = (step, low, high) => Array.from({ length: Math.max(0, Math.floor(high / step) - Math.ceil(low / step) + 1) },
      (_, at) => (Math.ceil(low / step) + at) * step);
    if (this.log && this.high - this.low > 1.5) {
      return multiples(Math.ceil((this.high - this.low) / room), this.low, this.high).map((power) => 10 ** power);
    }
    const rough = (last - first) / room, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= rough);
    return multiples(this.whole ? Math.max(1, step) : step, Math.max(0, first), last);
  }
}

/** Formats a value exactly, in the smallest unit. */
const exact = (value, [factor, suffix]) => `${(value / factor).toLocaleString('en', { maximumFractionDigits: 9 })}${suffix}`;

/** An interactive picture. Its values are in the island. The shapes in the picture are identified by their class and order. */
class Plot {
  /** `island` contains the values and their positions in this picture. */
  constructor(figure, svg, island) {
    this.figure = figure;
    this.island = island;
    this.svg = svg;
    this.frame = svg.parentNode;
    this.isSmall = figure.classList.contains('small');
    this.grid = this.svg.querySelector('.grid');
    this.plot = this.svg.querySelector('.plot');
    this.initialGrid = this.grid.innerHTML;
    this.x = new Axis(island.x);
    this.y = new Axis(island.y);
    this.readSeries();
    this.readShapes();
    this.readNames();
    this.addPointer();
    this.addTools();
  }

  /** Reads the series: the name, the points, and the text of each point. Lines with the same id belong to one series. */
  readSeries() {
    const byId = new Map();
    for (const { id, name, x, y, labels, x_labels: xLabels, rejected = [], rejected_labels: rejectedTexts, unanswered = [], unanswered_labels: unansweredTexts } of this.island.series) {
      if (!byId.has(id)) byId.set(id, { id, name, points: [], line: [], isHidden: false });
      const series = byId.get(id), unit = this.island.y.steps[0];
      const withExactValue = (value, label) => (this.y.format(value) === exact(value, unit) ? label : `${label}; exactly ${exact(value, unit)}`);
      const xText = (index, value) => xLabels?.[index] ?? `${this.x.name} = ${value}`;
      const points = x.map((value, index) => ({ x: value, y: y[index], text: `${xText(index, value)}: ${withExactValue(y[index], labels[index])}` }));
      series.line.push(...points);
      const pointsOf = (marks, texts) => marks.map(([value, height], index) => ({ x: value, y: height, text: `${xText(-1, value)}: ${texts[index]}` }));
      const marks = [...pointsOf(rejected, rejectedTexts), ...pointsOf(unanswered, unansweredTexts)];
      series.points.push(...points, ...marks);
      if (marks.length) series.points.sort((a, b) => a.x - b.x);
    }
    this.series = [...byId.values()];
    this.current = this.series[0];
    // The tip shows the names, so that the browser need not show the titles of the shapes.
    all('.line > title, .rejected > title, .unanswered > title', this.plot).forEach((title) => title.remove());
  }

  /** Makes a function for each shape that moves the shape to the positions of its values on the current axes. */
  readShapes() {
    const id = `clip-${this.svg.querySelector('title').id}`;
    const [x, y, width, height] = [this.x.from - 7, this.y.to - 7, this.x.to - this.x.from + 14, this.y.from - this.y.to + 14];
    this.svg.append(make('clipPath', { id }, make('rect', { x, y, width, height })));
    this.plot.setAttribute('clip-path', `url(#${id})`);
    const { series, shade, limits, limit_lines: lines, limit_labels: labels } = this.island;
    const tenth = (position) => Math.round(10 * position) / 10;
    const at = ([x, y], aside = 0) => [tenth(this.x.at(x) + aside), tenth(this.y.at(y))];
    const along = (shape, points) => () => shape.setAttribute('points', points.map((point) => at(point).join(',')).join(' '));
    const circle = (shape, point) => () => { [shape.cx.baseVal.value, shape.cy.baseVal.value] = at(point); };
    const mark = (shape, point, aside) => () => shape.transform.baseVal.getItem(0).setTranslate(...at(point, aside));
    const lifted = (shape, value, above) => () => shape.setAttribute('y', tenth(this.y.at(value) - above));
    const groups = (name) => all(`.${name}`, this.svg).map((group) => [...group.children]);
    const points = ({ x, y }) => x.map((value, index) => [value, y[index]]);
    // A series whose runs were all stopped has no line.
    const pieces = ({ breaks = [], ...of }) => (of.x.length ? [0, ...breaks].map((from, at) => points(of).slice(from, breaks[at])) : []);
    const withSpread = series.filter(({ band, dots }) => band || dots);
    const marked = (kind) => groups(kind).map((shapes, index) =>
      series.filter((one) => one[kind])[index][kind].map((point, at) => mark(shapes[at], point)));
    const moves = [
      groups('shade').map(([band, label]) => () => {
        const top = Math.min(this.y.from, Math.max(this.y.to, tenth(this.y.at(shade)))), { from: left, to: right } = this.x;
        band.setAttribute('points', [[left, top], [right, top], [right, this.y.from], [left, this.y.from]].map((point) => point.join(',')).join(' '));
        label?.classList.toggle('off', this.y.from - top < 18);
      }),
      groups('spread').map((shapes, index) => {
        const { band = [], dots = [], breaks = [], x: xs } = withSpread[index];
        const ends = breaks.map((at) => xs[at]), parts = [];
        band.forEach((point, at) => {
          const isNew = !at || ends.some((end) => band[at - 1][0] < end && end <= point[0]);
          if (isNew) parts.push([point]); else parts.at(-1).push(point);
        });
        const around = (part) => [...part.map(([x, , high]) => [x, high]), ...part.map(([x, low]) => [x, low]).reverse()];
        return [...parts.map((part) => along(shapes.shift(), around(part))), ...dots.map((dot, at) => circle(shapes[at], dot))];
      }),
      groups('line').map((shapes, index) => pieces(series[index]).map((piece, at) => along(shapes[at], piece))),
      groups('marks').map((shapes, index) => points(series[index]).flatMap((point, number) => {
        const { every = 1, hollow = [] } = series[index];
        if (number % every) return [];
        return shapes.splice(0, hollow.includes(number) ? 2 : 1).map((shape) => (shape.tagName === 'circle' ? circle : mark)(shape, point));
      })),
      marked('rejected'),
      marked('unanswered'),
      groups('limit').map(([line], index) => () => {
        const y = tenth(this.y.at(lines[index]));
        line.setAttribute('points', `${tenth(this.x.from)},${y} ${tenth(this.x.to)},${y}`);
      }),
      groups('limit-label').map(([label], index) => lifted(label, labels[index], 13)),
      groups('limit-mark').map((shapes, index) => {
        const [, x, y, aside] = limits[index];
        return shapes.map((shape) => mark(shape, [x, y], aside));
      }),
    ];
    this.shapes = moves.flat(2);
    const allPoints = series.flatMap((one) => [...points(one), ...(one.dots ?? []), ...(one.rejected ?? []), ...(one.unanswered ?? []),
      ...(one.band ?? []).flatMap(([x, low, high]) => [[x, low], [x, high]])]);
    this.values = [...allPoints, ...limits.map(([, x, y]) => [x, y])];
  }

  /** Makes buttons of the names in the picture or below it. A button hides a series, or shows it alone. */
  readNames() {
    const namesInPicture = all('.name', this.svg);
    const items = all('.key li', this.figure).filter(() => !namesInPicture.length);
    for (const series of this.series) {
      const only = () => this.setShown((other) => other === series, `Only ${series.name} is shown.`);
      const toggle = () => this.setShown((other) => (other === series) === other.isHidden, `${series.name} is ${series.isHidden ? 'shown' : 'hidden'}.`);
      const click = (event) => (event.shiftKey ? only() : toggle());
      const press = (event) => { if ([' ', 'Enter'].includes(event.key)) { event.preventDefault(); event.stopPropagation(); click(event); } };
      series.buttons = [];
      for (const name of namesInPicture.filter((name) => name.dataset.s === series.id)) {
        for (const [key, value] of Object.entries({ role: 'button', tabindex: 0, 'aria-pressed': true })) name.setAttribute(key, value);
        Object.assign(name, { onclick: click, ondblclick: only, onkeydown: press });
        // A name in a hidden picture has no size.
        const box = this.svg.getClientRects().length ? name.getBBox() : undefined;
        if (box) name.prepend(make('rect', { x: box.x - 4, y: box.y - 2, width: box.width + 8, height: box.height + 4, fill: 'none', 'pointer-events': 'all' }));
        series.buttons.push(name);
      }
      for (const item of items.filter((item) => item.dataset.s === series.id)) {
        const key = button('', click, { 'aria-pressed': 'true', dblclick: only });
        key.append(...item.childNodes);
        item.append(key);
        series.buttons.push(key);
      }
    }
    // In pictures with names, the names move with the ends of their lines.
    const leaders = new Map(all('.leader', this.svg).map((leader) => [leader.dataset.s, leader.firstElementChild]));
    this.names = namesInPicture.map((name, at) => ({
      name,
      leader: leaders.get(name.dataset.s),
      y: this.island.names?.[at],
      height: 15 * name.querySelectorAll('text').length + 3,
      series: this.series.find(({ id }) => id === name.dataset.s),
    }));
    const list = this.figure.querySelector('.key');
    if (items.length) { list.removeAttribute('aria-hidden'); list.setAttribute('aria-label', `Series of ${this.island.title}`); }
  }

  /** Shows only the series that satisfy a condition, and announces a text. */
  setShown(isShown, announcement) {
    this.series.forEach((series) => { series.isHidden = !isShown(series); });
    const areFew = this.series.filter((series) => !series.isHidden).length <= this.series.length / 4;
    for (const series of this.series) {
      series.buttons.forEach((one) => one.setAttribute('aria-pressed', String(!series.isHidden)));
      for (const part of all(`[data-s="${series.id}"]`, this.svg)) {
        part.classList.toggle('off', series.isHidden);
        part.classList.toggle('lone', areFew && !series.isHidden);
      }
    }
    this.back.hidden = !this.isChanged();
    this.hideTip();
    announce(announcement);
  }

  isChanged() { return !(this.x.isInitial() && this.y.isInitial()) || this.series.some((series) => series.isHidden); }

  /** Adds buttons for the actions of the keyboard and the mouse, so that they are possible on touch screens. */
  addTools() {
    const hasWideRange = (values) => values.length > 1 && Math.max(...values) > 4 * Math.min(...values);
    const sides = [[this.y, this.y.name || 'Vertical axis', this.values.map(([, y]) => y)], [this.x, this.x.name || 'Horizontal axis', this.values.map(([x]) => x)]];
    this.kinds = sides.filter(([axis, , values]) => !this.isSmall && hasWideRange(values) && (axis.log || values.every((value) => value > 0)))
      .map(([axis, name, values]) => {
        const choose = (log) => () => { if (axis.log !== log) { axis.toggle(values); this.draw(); } };
        return { axis, name, linear: button('Linear', choose(false)), log: button('Log', choose(true)) };
      });
    this.back = button('Whole picture', () => this.reset(), { hidden: '' });
    const buttons = () => [button('+', () => this.zoomBy(0.6), { 'aria-label': 'Zoom in' }), button('−', () => this.zoomBy(1 / 0.6), { 'aria-label': 'Zoom out' })];
    const zoom = this.isSmall ? [] : [make('span', { class: 'zoom' }, ...buttons())];
    const choices = this.kinds.map(({ name, linear, log }) => make('span', { role: 'group', 'aria-label': name, class: 'choice' }, make('span', {}, `${name} `), linear, log));
    const hint = make('span', { class: 'hint' }, make('span', { class: 'mouse' }, 'Point at a line to read it, drag to zoom, click a name to hide it, double-click to see it alone.'),
      make('span', { class: 'finger' }, 'Tap a point to read it, tap a name to hide it.'));
    const parts = [...choices, ...zoom, this.back, ...(this.isSmall ? [] : [hint])];
    this.frame.after(make('div', { class: `tools ${this.frame.className}`, role: 'group', 'aria-label': `View of ${this.island.title}` }, ...parts));
    this.draw();
  }

  /** Redraws the picture after a change of the axes. */
  draw() {
    const isInitial = this.x.isInitial() && this.y.isInitial();
    this.back.hidden = !this.isChanged();
    this.kinds.forEach(({ axis, linear, log }) => { linear.setAttribute('aria-pressed', String(!axis.log)); log.setAttribute('aria-pressed', String(axis.log)); });
    this.shapes.forEach((move) => move());
    this.placeNames(isInitial);
    this.hideTip();
    if (isInitial) { this.grid.innerHTML = this.initialGrid; return; }
    const { from: left, to: right } = this.x, { from: bottom, to: top } = this.y;
    const line = (stroke, ...points) => make('polyline', { points: points.join(' '), stroke });
    const text = (x, y, anchor, words) => make('text', { x, y, dy: '0.5ex', 'text-anchor': anchor, 'font-size': 12, fill: INK }, words);
    const rows = this.y.ticks(40).map((value) => [this.y.at(value), this.y.format(value)]);
    const columns = this.x.ticks(60).map((value) => [this.x.at(value), this.x.format(value)]);
    this.grid.replaceChildren(
      ...rows.flatMap(([y, label]) => [line(GRID, left, y, right, y), text(left - 8, y, 'end', label)]),
      ...columns.flatMap(([x, label]) => [line(GRID, x, bottom, x, top), text(x, bottom + 15, 'middle', label)]),
      line(GREY, left, bottom, right, bottom),
    );
    const ends = (axis) => `${axis.format(axis.value(axis.from))} to ${axis.format(axis.value(axis.to))}`;
    announce(`Horizontally ${ends(this.x)}, vertically ${ends(this.y)}`);
  }

  /** Places the name of each series beside its last visible point, from the top to the bottom, without overlaps. */
  placeNames(isInitial) {
    const { to: right } = this.x, { from: bottom, to: top } = this.y;
    const clamped = (y) => Math.min(Math.max(y, top), bottom);
    const placed = this.names.map((one) => {
      const last = one.series?.line.filter(({ x }) => this.x.at(x) <= right + 0.5).at(-1);
      const end = last && [this.x.at(last.x), this.y.at(last.y)];
      return { ...one, end, at: end && !isInitial ? clamped(end[1]) : one.y };
    });
    if (!isInitial) {
      placed.sort((a, b) => a.at - b.at);
      let free = top;
      for (const one of placed) { one.at = Math.max(one.at, free + 7); free = one.at + one.height - 7; }
      free = bottom + 8;
      for (const one of placed.reverse()) { one.at = Math.min(one.at, free - one.height + 7); free = one.at - 7; }
    }
    for (const { name, leader, y, at, end } of placed) {
      name.setAttribute('transform', `translate(0 ${Math.round(10 * (at - y)) / 10})`);
      if (!leader) continue;
      const isInside = end && end[1] >= top && end[1] <= bottom;
      leader.setAttribute('points', isInside ? `${end.join(',')} ${right},${end[1]} ${this.island.leader_end},${at}` : '');
    }
  }

  /** Shows all series and the initial axes. */
  reset() {
    this.x.reset();
    this.y.reset();
    this.setShown(() => true, 'The whole picture is shown.');
    this.draw();
    announce('The whole picture is shown.');
  }

  /** Zooms in or out around the current point, or around the middle if there is no current point. */
  zoomBy(factor) {
    const { point } = this;
    for (const [axis, value] of [[this.x, point?.x], [this.y, point?.y]]) {
      const middle = point ? axis.at(value) : (axis.from + axis.to) / 2;
      axis.zoom(middle + (axis.from - middle) * factor, middle + (axis.to - middle) * factor);
    }
    this.draw();
    if (point) this.showPoint(this.current, this.index);
  }

  /** Adds the actions of the pointer: pointing or tapping shows a point, dragging zooms, and a double click shows the whole picture. */
  addPointer() {
    this.tip = make('div', { class: 'tip', hidden: '', 'aria-hidden': 'true' });
    this.ring = make('circle', { r: 7, stroke: INK, class: 'ring off' });
    const selection = make('polygon', { fill: INK, opacity: 0.12, class: 'off' });
    this.svg.append(this.ring, selection);
    this.frame.append(this.tip);
    this.svg.tabIndex = 0;
    this.svg.setAttribute('role', 'application');
    this.svg.querySelector('desc').append(' Left and right read the points of a series, up and down change the series, '
      + 'plus and minus zoom, 0 shows the whole picture.');
    const position = (event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    const clamped = (axis, at) => Math.min(Math.max(at, Math.min(axis.from, axis.to)), Math.max(axis.from, axis.to));
    const isInside = ({ x, y }) => clamped(this.x, x) === x && clamped(this.y, y) === y;
    let start;
    const end = () => { start = undefined; selection.classList.add('off'); };
    const listen = (name, handle) => this.svg.addEventListener(name, (event) => handle(position(event), event));
    listen('pointerdown', (at, event) => {
      // A finger that drags scrolls the page, and a tap shows a point.
      if (event.pointerType === 'touch' || event.button !== 0 || !isInside(at)) { this.showNearest(at); return; }
      start = at;
      event.preventDefault();
      this.svg.focus({ preventScroll: true });
    });
    listen('pointermove', (at, event) => {
      if (event.pointerType === 'touch') return;
      if (!start || event.buttons === 0) { end(); this.showNearest(at); return; }
      const [x, y] = [clamped(this.x, at.x), clamped(this.y, at.y)];
      selection.setAttribute('points', [start.x, start.y, x, start.y, x, y, start.x, y].join(' '));
      selection.classList.remove('off');
      this.hideTip();
    });
    listen('pointerup', (at) => {
      const sides = start ? [[this.x, start.x, at.x], [this.y, start.y, at.y]] : [];
      const long = sides.filter(([, from, to]) => Math.abs(to - from) > 8);
      long.forEach(([axis, from, to]) => axis.zoom(from, clamped(axis, to)));
      end();
      if (long.length) this.draw();
    });
    listen('pointerleave', (at, event) => { if (event.pointerType !== 'touch') { end(); this.hideTip(); } });
    listen('dblclick', (at) => { if (isInside(at)) this.reset(); });
    document.addEventListener('pointerdown', (event) => { if (!this.svg.contains(event.target)) this.hideTip(); });
    this.svg.addEventListener('blur', () => this.hideTip());
    this.svg.addEventListener('keydown', (event) => this.onKey(event));
  }

  /** Handles a key of the keyboard. */
  onKey(event) {
    const visible = this.series.filter((series) => !series.isHidden && series.points.length);
    if (event.ctrlKey || event.metaKey || event.altKey || !visible.length) return;
    const line = Math.max(0, visible.indexOf(this.current)), { point } = this;
    const [along, across] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
    if (along !== undefined) {
      const series = visible[(line + (point ? across : 0) + visible.length) % visible.length];
      const same = series.points.findIndex((other) => other.x === point?.x);
      this.showPoint(series, point ? (across && same >= 0 ? same : this.index + along) : 0);
      announce(`${this.current.name}, ${this.point.text}`);
    } else if ('+=-'.includes(event.key)) this.zoomBy(event.key === '-' ? 1 / 0.6 : 0.6);
    else if (['0', 'Escape'].includes(event.key)) this.reset(); else return;
    event.preventDefault();
  }

  /** Shows the name and the text of a point. */
  showPoint(series, index) {
    this.current = series;
    this.index = Math.min(series.points.length - 1, Math.max(0, index));
    this.point = series.points[this.index];
    const { x, y, text } = this.point, position = new DOMPoint(this.x.at(x), this.y.at(y));
    ['x', 'y'].forEach((name) => this.ring.setAttribute(`c${name}`, position[name]));
    this.ring.classList.remove('off');
    this.tip.replaceChildren(make('strong', {}, series.name), make('span', {}, text));
    this.tip.hidden = false;
    const screen = position.matrixTransform(this.svg.getScreenCTM()), around = this.frame.getBoundingClientRect();
    this.tip.style.left = `${Math.max(0, Math.min(around.width - this.tip.offsetWidth, screen.x - around.left + 14))}px`;
    this.tip.style.top = `${screen.y - around.top + 14}px`;
  }

  /** Shows the point next to a position, if there is one within a distance of 30 in the picture. */
  showNearest(at) {
    const candidates = this.series.filter((series) => !series.isHidden).flatMap((series) => series.points.map(({ x, y }, index) => (
      { series, index, distance: Math.hypot(this.x.at(x) - at.x, this.y.at(y) - at.y) })));
    const best = candidates.reduce((best, candidate) => (candidate.distance < best.distance ? candidate : best), { distance: 30 });
    if (best.series) this.showPoint(best.series, best.index); else this.hideTip();
  }

  hideTip() { this.tip.hidden = true; this.ring.classList.add('off'); this.point = undefined; }
}

/** Reads a cell of the island: its text, its exact value if it is a number, and its small print. */
const parseCell = (cell) => { const [text, value, small = ''] = [cell].flat(); return { text, value: value ?? undefined, small }; };

/** Compares two cells: numbers come before texts, and empty cells are last. The sign is 1 for ascending and -1 for descending order. */
function compare(first, second, sign) {
  if (!first.text || !second.text) return Boolean(second.text) - Boolean(first.text);
  const [x, y] = [first.value, second.value];
  if (x !== undefined && y !== undefined) return sign * (x - y);
  return sign * ((x === undefined) - (y === undefined) || first.text.localeCompare(second.text, 'en', { numeric: true }));
}

/** Formats a text as a field of CSV. A text that a spreadsheet would read as a formula gets an apostrophe. */
function csvField(text) {
  const cell = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Adds sorting, a filter and a button to copy to a table. */
function addTableTools(table, { label, heads: names, rows: cells }) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows].map((line, at) => ({ line, cells: cells[at].map(parseCell) }));
  rows.forEach(({ line }, at) => { line.dataset.row = at; });
  table.refresh = () => rows.forEach((row, at) => { row.cells = cells[at].map(parseCell); });
  if (rows.length < 2) return;
  let order = rows;
  heads.forEach((head, column) => head.replaceChildren(button(names[column], () => {
    const now = { ascending: 'descending', descending: 'none' }[head.getAttribute('aria-sort')] ?? 'ascending';
    heads.forEach((other) => other.removeAttribute('aria-sort'));
    const sign = now === 'ascending' ? 1 : -1;
    if (now !== 'none') head.setAttribute('aria-sort', now);
    order = now === 'none' ? rows : [...rows].sort((a, b) => compare(a.cells[column], b.cells[column], sign));
    body.append(...order.map((row) => row.line));
    announce(now === 'none' ? 'In the original order' : `Sorted by ${names[column]}, ${now}`);
  })));
  const filter = make('input', { type: 'search', placeholder: 'Filter rows', 'aria-label': 'Show only rows that contain', input: () => {
    const has = ({ text, small }) => `${text}${small}`.toLowerCase().includes(filter.value.toLowerCase());
    rows.forEach((row) => { row.line.hidden = !row.cells.some(has); });
    none.hidden = rows.some((row) => !row.line.hidden);
    none.textContent = `No row contains “${filter.value}”.`;
    announce(`${rows.filter((row) => !row.line.hidden).length} of ${rows.length} rows`);
  } });
  const none = make('p', { hidden: '', class: 'none' });
  const lines = () => [names, ...order.filter((row) => !row.line.hidden).map((row) => row.cells.map((cell) => cell.text))];
  const csv = () => lines().map((line) => line.map(csvField).join(','));
  const parts = [...(rows.length > 4 ? [filter] : []), button('Copy as CSV', () => copy(`${csv().join('\n')}\n`))];
  const hint = make('span', { class: 'hint' }, 'Open a cell to see its runs.');
  table.closest('.scroll').before(make('div', { class: 'tools', role: 'group', 'aria-label': `Table ${label}` }, ...parts, ...(table.querySelector('.opens') ? [hint] : [])));
  table.closest('.scroll').after(none);
}

/** Copies a text to the clipboard, or shows the text if the browser forbids this. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce('The table is in the clipboard.');
  } catch {
    const area = make('textarea', { readonly: '', rows: 12, 'aria-label': 'The table as CSV' }, text);
    openDialog('The table as CSV', area);
    area.select();
  }
}

/** Opens a dialog with a title and a button to close it. */
function openDialog(title, ...content) {
  const close = make('form', { method: 'dialog' }, make('button', {}, 'Close'));
  const dialog = make('dialog', { 'aria-label': title, close: () => dialog.remove() }, make('h2', { tabindex: -1, autofocus: '' }, title), ...content, close);
  document.body.append(dialog);
  dialog.showModal();
}

/** Quotes a word for a shell. */
const quoted = (word) => (/^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The outputs of wrong and failed runs. Equal outputs are shown once. */
function outputsOf(runs, { printed, directory }) {
  const failed = runs.map((run, at) => [at + 1, ...[run].flat()]).filter(([, , , id]) => id);
  const texts = [...new Set(failed.map(([, , , , text]) => text))];
  return texts.flatMap((text) => {
    const of = failed.filter(([, , , , other]) => other === text), [, , , id, , file] = of[0];
    const numbers = of.map(([number]) => number).join(', '), what = `What run${of.length > 1 ? 's' : ''} ${numbers} printed`;
    const whole = file ? make('a', { href: file }, 'Complete output') : `Complete output: queenlab report ${directory || 'DIR'} --run ${id}`;
    if (text === null) return [make('p', {}, `${what} is not on this page.`)];
    return [make('p', {}, `${what}: `), make('pre', { tabindex: 0, role: 'region', 'aria-label': what, class: 'printed' }, printed[text]), make('p', {}, whole)];
  });
}

/** Opens a dialog with the runs of a series at a size. */
function openRuns(name, n, { selection, goal, threads, sizes }, runs) {
  const { kinds, directory } = runs;
  const cells = (name, texts) => texts.map((text) => make(name, { class: 'text' }, String(text)));
  const rows = sizes[n].map((run, at) => {
    const [time, kind = 0] = [run].flat();
    return make('tr', {}, ...cells('td', [at + 1, time === null ? '' : format(time, island.time), ...kinds[kind]]));
  });
  const head = make('tr', {}, ...cells('th', ['Run', 'Time', 'Kind', 'Status', 'Verdict', 'Error']));
  const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
  const words = ['queenlab', 'sweep', `${directory}/experiment.toml`, '--solver', selection,
    '--n', n, '--goal', goal, '--threads', threads, '--out', 'again'];
  const command = words.map((word) => quoted(String(word))).join(' ');
  const repeat = [make('p', {}, 'To repeat these runs, run this command in the directory in which the sweep was started:'),
    make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Command' }, command)];
  const framed = make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, table);
  openDialog(`${name}, n = ${n}`, framed, ...outputsOf(sizes[n], runs), ...(directory ? repeat : []));
}

/** Lets a reader choose the baseline of the tables of ratios. */
function addBaselines(tables) {
  if (!tables.length) return;
  const choose = make('select', { change: () => {
    for (const { table, values } of tables) {
      const { rows, name } = values.baselines[choose.selectedIndex];
      [...table.tBodies[0].rows].forEach((line) => rows[line.dataset.row].forEach((cell, at) => {
        const { text, small } = parseCell(cell);
        line.cells[at + 1].replaceChildren(text, ...(small ? [make('small', {}, small)] : []));
        values.rows[line.dataset.row][at + 1] = cell;
      }));
      table.refresh?.();
      announce(`The baseline is ${name}.`);
    }
  } }, ...tables[0].values.baselines.map(({ name, is_shown: isShown }) => make('option', isShown ? { selected: '' } : {}, name)));
  const label = make('label', {}, 'Baseline: ', choose);
  tables[0].table.closest('.scroll').previousElementSibling.prepend(label);
}

/** Makes each cell of a table of series and sizes open a dialog with its runs. The arrow keys move between cells. */
function addRuns(table, { sizes, series, rows }) {
  const opened = new Map();
  [...table.tBodies[0].rows].forEach((line, row) => [...line.cells].forEach((cell, column) => {
    const of = island.runs.series[series[row]], n = sizes[column], at = parseCell(rows[row][column]);
    if (at.text && of?.sizes[n]) opened.set(cell, () => openRuns(parseCell(rows[row][0]).text, n, of, island.runs));
  }));
  const cells = [...opened.keys()], opens = (cell) => opened.get(cell)();
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

document.body.append(liveRegion);
const island = JSON.parse(document.getElementById('island').textContent);
for (const table of all('table[data-table]')) {
  const values = island.tables[table.dataset.table];
  if (values.sizes) addRuns(table, values);
  addTableTools(table, values);
}
addBaselines(all('table[data-table]').map((table) => ({ table, values: island.tables[table.dataset.table] })).filter(({ values }) => values.baselines));
for (const figure of all('figure').filter((figure) => island.plots[figure.dataset.plot])) {
  const { narrow, ...values } = island.plots[figure.dataset.plot];
  const [first, second] = all('.picture > svg', figure);
  // A picture in a collapsed block has no size, so the blocks around the figure are open while the plot is made.
  const closed = all('details').filter((details) => !details.open && details.contains(figure));
  closed.forEach((details) => { details.open = true; });
  new Plot(figure, first, values);
  if (second) new Plot(figure, second, { ...values, ...narrow });
  closed.forEach((details) => { details.open = false; });
}

// On paper, collapsed blocks are open. If the browser supports ::details-content, the style sheet opens them, because Chromium does not
// repeat the heads of tables on each printed page after a script has changed the page.
let opened = [];
if (!CSS.supports('selector(::details-content)')) {
  addEventListener('beforeprint', () => { opened = all('details:not([open])'); opened.forEach((details) => { details.open = true; }); });
  addEventListener('afterprint', () => { opened.forEach((details) => { details.open = false; }); });
}
