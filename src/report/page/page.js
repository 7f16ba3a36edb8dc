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

/** A number with this many significant digits in the largest unit that fits; a unit is how many times 1 it is, and what follows a number. */
function show(value, units, digits = 3) {
  const large = units.slice(1).filter((unit, at) => Math.abs(value) / units[at][0] >= 999.5);
  const [factor, suffix] = units[large.length];
  return `${Number((value / factor).toPrecision(digits))}${suffix}`;
}

/** An axis of the island: values of its unit between two places of the picture. */
class Axis {
  constructor(island) {
    Object.assign(this, island);
    this.log = this.floor !== undefined;
    this.home = [this.low, this.high, this.log];
  }

  show(value) { return show(value, this.steps, this.whole ? 6 : 3); }
  scaled(value) {
    if (!this.log) return value;
    const isBelow = this.zero !== undefined && value < this.floor;
    return isBelow ? this.zero : Math.log10(Math.max(value, this.floor ?? Number.MIN_VALUE));
  }
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

  /** Round values with at least about this distance in pixels; below a logarithmic scale, 0. */
  ticks(distance) {
    if (!this.log || this.zero === undefined) return this.roundValues(distance);
    const lowest = this.zero + (this.home[1] - this.home[0]) / 30;
    const values = this.roundValues(distance).filter((value) => Math.log10(value) > lowest);
    return this.zero > this.low ? [0, ...values] : values;
  }

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

/** A value in full, in the smallest unit. */
const exact = (value, [factor, suffix]) => `${(value / factor).toLocaleString('en', { maximumFractionDigits: 9 })}${suffix}`;

/** A picture that can be touched. Its values are those of the island; in the picture it finds shapes by their class and order. */
class Plot {
  /** The island has the places of its values in this picture. */
  constructor(figure, svg, island) {
    this.figure = figure;
    this.island = island;
    this.svg = svg;
    this.frame = svg.parentNode;
    this.isSmall = figure.classList.contains('small');
    this.grid = this.svg.querySelector('.grid');
    this.plot = this.svg.querySelector('.plot');
    this.gridAtHome = this.grid.innerHTML;
    this.x = new Axis(island.x);
    this.y = new Axis(island.y);
    this.readSeries();
    this.readShapes();
    this.readNames();
    this.addPointer();
    this.addTools();
  }

  /** The series: name, points, and the text of each point. Lines of the same id belong to one series. */
  readSeries() {
    const byId = new Map();
    for (const { id, name, x, y, labels, x_labels: across, rejected = [], rejected_labels: crossTexts, unanswered = [], unanswered_labels: openTexts } of this.island.series) {
      if (!byId.has(id)) byId.set(id, { id, name, points: [], line: [], off: false });
      const series = byId.get(id), unit = this.island.y.steps[0];
      const whole = (value, label) => (this.y.show(value) === exact(value, unit) ? label : `${label}; exactly ${exact(value, unit)}`);
      const at = (place, value) => across?.[place] ?? `${this.x.name} = ${value}`;
      const points = x.map((value, place) => ({ x: value, y: y[place], text: `${at(place, value)}: ${whole(y[place], labels[place])}` }));
      series.line.push(...points);
      const marked = (marks, texts) => marks.map(([value, height], place) => ({ x: value, y: height, text: `${at(-1, value)}: ${texts[place]}` }));
      const marks = [...marked(rejected, crossTexts), ...marked(unanswered, openTexts)];
      series.points.push(...points, ...marks);
      if (marks.length) series.points.sort((a, b) => a.x - b.x);
    }
    this.series = [...byId.values()];
    this.current = this.series[0];
    // The tip has the names.
    all('.line > title, .rejected > title, .unanswered > title', this.plot).forEach((title) => title.remove());
  }

  /** A function for each shape that moves it to where the present axes have its values. */
  readShapes() {
    const id = `clip-${this.svg.querySelector('title').id}`;
    const [x, y, width, height] = [this.x.from - 7, this.y.to - 7, this.x.to - this.x.from + 14, this.y.from - this.y.to + 14];
    this.svg.append(make('clipPath', { id }, make('rect', { x, y, width, height })));
    this.plot.setAttribute('clip-path', `url(#${id})`);
    const { series, shade, limits, limit_lines: lines, limit_labels: labels } = this.island;
    const tenth = (place) => Math.round(10 * place) / 10;
    const at = ([x, y], aside = 0) => [tenth(this.x.at(x) + aside), tenth(this.y.at(y))];
    const along = (shape, points) => () => shape.setAttribute('points', points.map((point) => at(point).join(',')).join(' '));
    const circle = (shape, point) => () => { [shape.cx.baseVal.value, shape.cy.baseVal.value] = at(point); };
    const mark = (shape, point, aside) => () => shape.transform.baseVal.getItem(0).setTranslate(...at(point, aside));
    const lifted = (shape, value, above) => () => shape.setAttribute('y', tenth(this.y.at(value) - above));
    const groups = (name) => all(`.${name}`, this.svg).map((group) => [...group.children]);
    const points = ({ x, y }) => x.map((value, place) => [value, y[place]]);
    // A series of which every run was stopped has no line.
    const pieces = ({ breaks = [], ...of }) => (of.x.length ? [0, ...breaks].map((from, at) => points(of).slice(from, breaks[at])) : []);
    const spread = series.filter(({ band, dots }) => band || dots);
    const marked = (kind) => groups(kind).map((shapes, place) =>
      series.filter((one) => one[kind])[place][kind].map((point, at) => mark(shapes[at], point)));
    const moves = [
      groups('shade').map(([band, label]) => () => {
        const top = Math.min(this.y.from, Math.max(this.y.to, tenth(this.y.at(shade)))), { from: left, to: right } = this.x;
        band.setAttribute('points', [[left, top], [right, top], [right, this.y.from], [left, this.y.from]].map((point) => point.join(',')).join(' '));
        label?.classList.toggle('off', this.y.from - top < 18);
      }),
      groups('spread').map((shapes, place) => {
        const { band = [], dots = [], breaks = [], x: places } = spread[place];
        const ends = breaks.map((at) => places[at]), parts = [];
        band.forEach((point, at) => {
          const isNew = !at || ends.some((end) => band[at - 1][0] < end && end <= point[0]);
          if (isNew) parts.push([point]); else parts.at(-1).push(point);
        });
        const around = (part) => [...part.map(([x, , high]) => [x, high]), ...part.map(([x, low]) => [x, low]).reverse()];
        return [...parts.map((part) => along(shapes.shift(), around(part))), ...dots.map((dot, at) => circle(shapes[at], dot))];
      }),
      groups('line').map((shapes, place) => pieces(series[place]).map((piece, at) => along(shapes[at], piece))),
      groups('marks').map((shapes, place) => points(series[place]).flatMap((point, number) => {
        const { every = 1, hollow = [] } = series[place];
        if (number % every) return [];
        return shapes.splice(0, hollow.includes(number) ? 2 : 1).map((shape) => (shape.tagName === 'circle' ? circle : mark)(shape, point));
      })),
      marked('rejected'),
      marked('unanswered'),
      groups('limit').map(([line], place) => () => {
        const y = tenth(this.y.at(lines[place]));
        line.setAttribute('points', `${tenth(this.x.from)},${y} ${tenth(this.x.to)},${y}`);
      }),
      groups('limit-label').map(([label], place) => lifted(label, labels[place], 13)),
      groups('limit-mark').map((shapes, place) => {
        const [, x, y, aside] = limits[place];
        return shapes.map((shape) => mark(shape, [x, y], aside));
      }),
    ];
    this.shapes = moves.flat(2);
    const allPoints = series.flatMap((one) => [...points(one), ...(one.dots ?? []), ...(one.rejected ?? []), ...(one.unanswered ?? []),
      ...(one.band ?? []).flatMap(([x, low, high]) => [[x, low], [x, high]])]);
    this.values = [...allPoints, ...limits.map(([, x, y]) => [x, y])];
  }

  /** The names, in the picture or below it, as buttons that hide a series or show it alone. */
  readNames() {
    const drawn = all('.name', this.svg);
    const items = all('.key li', this.figure).filter(() => !drawn.length);
    for (const series of this.series) {
      const only = () => this.setShown((other) => other === series, `Only ${series.name} is shown.`);
      const toggle = () => this.setShown((other) => (other === series) === other.off, `${series.name} is ${series.off ? 'shown' : 'hidden'}.`);
      const click = (event) => (event.shiftKey ? only() : toggle());
      const press = (event) => { if ([' ', 'Enter'].includes(event.key)) { event.preventDefault(); event.stopPropagation(); click(event); } };
      series.buttons = [];
      for (const name of drawn.filter((name) => name.dataset.s === series.id)) {
        for (const [key, value] of Object.entries({ role: 'button', tabindex: 0, 'aria-pressed': true })) name.setAttribute(key, value);
        Object.assign(name, { onclick: click, ondblclick: only, onkeydown: press });
        // What is not shown has no size.
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
    this.names = drawn.map((name, at) => ({
      name,
      leader: leaders.get(name.dataset.s),
      y: this.island.names?.[at],
      height: 15 * name.querySelectorAll('text').length + 3,
      series: this.series.find(({ id }) => id === name.dataset.s),
    }));
    const list = this.figure.querySelector('.key');
    if (items.length) { list.removeAttribute('aria-hidden'); list.setAttribute('aria-label', `Series of ${this.island.title}`); }
  }

  setShown(isShown, what) {
    this.series.forEach((series) => { series.off = !isShown(series); });
    const few = this.series.filter((series) => !series.off).length <= this.series.length / 4;
    for (const series of this.series) {
      series.buttons.forEach((one) => one.setAttribute('aria-pressed', String(!series.off)));
      for (const part of all(`[data-s="${series.id}"]`, this.svg)) {
        part.classList.toggle('off', series.off);
        part.classList.toggle('lone', few && !series.off);
      }
    }
    this.back.hidden = !this.isChanged();
    this.hideTip();
    say(what);
  }

  isChanged() { return !(this.x.isHome() && this.y.isHome()) || this.series.some((series) => series.off); }

  /** Buttons for what the keyboard and the mouse can do, which fingers can press, too. */
  addTools() {
    const has = (values) => values.length > 1 && Math.max(...values) > 4 * Math.min(...values);
    const sides = [[this.y, this.y.name || 'Vertical axis', this.values.map(([, y]) => y)], [this.x, this.x.name || 'Horizontal axis', this.values.map(([x]) => x)]];
    this.kinds = sides.filter(([axis, , values]) => !this.isSmall && has(values) && (axis.log || values.every((value) => value > 0)))
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

  /** Draws everything anew after a change of the axes. */
  draw() {
    const isHome = this.x.isHome() && this.y.isHome();
    this.back.hidden = !this.isChanged();
    this.kinds.forEach(({ axis, linear, log }) => { linear.setAttribute('aria-pressed', String(!axis.log)); log.setAttribute('aria-pressed', String(axis.log)); });
    this.shapes.forEach((move) => move());
    this.placeNames(isHome);
    this.hideTip();
    if (isHome) { this.grid.innerHTML = this.gridAtHome; return; }
    const { from: left, to: right } = this.x, { from: bottom, to: top } = this.y;
    const line = (stroke, ...points) => make('polyline', { points: points.join(' '), stroke });
    const text = (x, y, anchor, words) => make('text', { x, y, dy: '0.5ex', 'text-anchor': anchor, 'font-size': 12, fill: INK }, words);
    const rows = this.y.ticks(40).map((value) => [this.y.at(value), this.y.show(value)]);
    const columns = this.x.ticks(60).map((value) => [this.x.at(value), this.x.show(value)]);
    this.grid.replaceChildren(
      ...rows.flatMap(([y, label]) => [line(GRID, left, y, right, y), text(left - 8, y, 'end', label)]),
      ...columns.flatMap(([x, label]) => [line(GRID, x, bottom, x, top), text(x, bottom + 15, 'middle', label)]),
      line(GREY, left, bottom, right, bottom),
    );
    const ends = (axis) => `${axis.show(axis.value(axis.from))} to ${axis.show(axis.value(axis.to))}`;
    say(`Horizontally ${ends(this.x)}, vertically ${ends(this.y)}`);
  }

  /** Places the names beside the last points that are in view, from the top, without overlaps. */
  placeNames(isHome) {
    const { to: right } = this.x, { from: bottom, to: top } = this.y;
    const clamped = (y) => Math.min(Math.max(y, top), bottom);
    const placed = this.names.map((one) => {
      const last = one.series?.line.filter(({ x }) => this.x.at(x) <= right + 0.5).at(-1);
      const end = last && [this.x.at(last.x), this.y.at(last.y)];
      return { ...one, end, at: end && !isHome ? clamped(end[1]) : one.y };
    });
    if (!isHome) {
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

  reset() {
    this.x.reset();
    this.y.reset();
    this.setShown(() => true, 'The whole picture is shown.');
    this.draw();
    say('The whole picture is shown.');
  }

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

  /** Pointing or tapping reads a point, dragging zooms, a double click shows all. */
  addPointer() {
    this.tip = make('div', { class: 'tip', hidden: '', 'aria-hidden': 'true' });
    this.ring = make('circle', { r: 7, stroke: INK, class: 'ring off' });
    const drawn = make('polygon', { fill: INK, opacity: 0.12, class: 'off' });
    this.svg.append(this.ring, drawn);
    this.frame.append(this.tip);
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
      // A finger scrolls; what it taps stays.
      if (event.pointerType === 'touch' || event.button !== 0 || !isInside(at)) { this.near(at); return; }
      start = at;
      event.preventDefault();
      this.svg.focus({ preventScroll: true });
    });
    listen('pointermove', (at, event) => {
      if (event.pointerType === 'touch') return;
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
    listen('pointerleave', (at, event) => { if (event.pointerType !== 'touch') { end(); this.hideTip(); } });
    listen('dblclick', (at) => { if (isInside(at)) this.reset(); });
    document.addEventListener('pointerdown', (event) => { if (!this.svg.contains(event.target)) this.hideTip(); });
    this.svg.addEventListener('blur', () => this.hideTip());
    this.svg.addEventListener('keydown', (event) => this.key(event));
  }

  key(event) {
    const visible = this.series.filter((series) => !series.off && series.points.length);
    if (event.ctrlKey || event.metaKey || event.altKey || !visible.length) return;
    const line = Math.max(0, visible.indexOf(this.current)), { point } = this;
    const [along, across] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [];
    if (along !== undefined) {
      const series = visible[(line + (point ? across : 0) + visible.length) % visible.length];
      const same = series.points.findIndex((other) => other.x === point?.x);
      this.read(series, point ? (across && same >= 0 ? same : this.index + along) : 0);
      say(`${this.current.name}, ${this.point.text}`);
    } else if ('+=-'.includes(event.key)) this.zoomBy(event.key === '-' ? 1 / 0.6 : 0.6);
    else if (['0', 'Escape'].includes(event.key)) this.reset(); else return;
    event.preventDefault();
  }

  /** Shows the name and the text of a point. */
  read(series, index) {
    this.current = series;
    this.index = Math.min(series.points.length - 1, Math.max(0, index));
    this.point = series.points[this.index];
    const { x, y, text } = this.point, place = new DOMPoint(this.x.at(x), this.y.at(y));
    ['x', 'y'].forEach((name) => this.ring.setAttribute(`c${name}`, place[name]));
    this.ring.classList.remove('off');
    this.tip.replaceChildren(make('strong', {}, series.name), make('span', {}, text));
    this.tip.hidden = false;
    const screen = place.matrixTransform(this.svg.getScreenCTM()), around = this.frame.getBoundingClientRect();
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

/** A cell of the island: its text, its exact value if it is a number, and its small print. */
const read = (cell) => { const [text, value, small = ''] = [cell].flat(); return { text, value: value ?? undefined, small }; };

/** Compares two cells: numbers before words, and what is empty last. */
function compare(one, two, down) {
  if (!one.text || !two.text) return Boolean(two.text) - Boolean(one.text);
  const [x, y] = [one.value, two.value];
  if (x !== undefined && y !== undefined) return down * (x - y);
  return down * ((x === undefined) - (y === undefined) || one.text.localeCompare(two.text, 'en', { numeric: true }));
}

/** A cell as a field of CSV, which a spreadsheet does not take for a formula. */
function field(text) {
  const cell = /^\s*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

function addTableTools(table, { label, heads: names, rows: cells }) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  const rows = [...body.rows].map((line, at) => ({ line, cells: cells[at].map(read) }));
  rows.forEach(({ line }, at) => { line.dataset.row = at; });
  table.refresh = () => rows.forEach((row, at) => { row.cells = cells[at].map(read); });
  if (rows.length < 2) return;
  let order = rows;
  heads.forEach((head, column) => head.replaceChildren(button(names[column], () => {
    const now = { ascending: 'descending', descending: 'none' }[head.getAttribute('aria-sort')] ?? 'ascending';
    heads.forEach((other) => other.removeAttribute('aria-sort'));
    const down = now === 'ascending' ? 1 : -1;
    if (now !== 'none') head.setAttribute('aria-sort', now);
    order = now === 'none' ? rows : [...rows].sort((a, b) => compare(a.cells[column], b.cells[column], down));
    body.append(...order.map((row) => row.line));
    say(now === 'none' ? 'In the original order' : `Sorted by ${names[column]}, ${now}`);
  })));
  const filter = make('input', { type: 'search', placeholder: 'Filter rows', 'aria-label': 'Show only rows that contain', input: () => {
    const has = ({ text, small }) => `${text}${small}`.toLowerCase().includes(filter.value.toLowerCase());
    rows.forEach((row) => { row.line.hidden = !row.cells.some(has); });
    none.hidden = rows.some((row) => !row.line.hidden);
    none.textContent = `No row contains “${filter.value}”.`;
    say(`${rows.filter((row) => !row.line.hidden).length} of ${rows.length} rows`);
  } });
  const none = make('p', { hidden: '', class: 'none' });
  const lines = () => [names, ...order.filter((row) => !row.line.hidden).map((row) => row.cells.map((cell) => cell.text))];
  const csv = () => lines().map((line) => line.map(field).join(','));
  const parts = [...(rows.length > 4 ? [filter] : []), button('Copy as CSV', () => copy(`${csv().join('\n')}\n`))];
  const hint = make('span', { class: 'hint' }, 'Open a cell to see its runs.');
  table.closest('.scroll').before(make('div', { class: 'tools', role: 'group', 'aria-label': `Table ${label}` }, ...parts, ...(table.querySelector('.opens') ? [hint] : [])));
  table.closest('.scroll').after(none);
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
  const dialog = make('dialog', { 'aria-label': title, close: () => dialog.remove() }, make('h2', { tabindex: -1, autofocus: '' }, title), ...content, close);
  document.body.append(dialog);
  dialog.showModal();
}

const quoted = (word) => (/^[\w./:=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What failed runs printed, each text once. */
function outputsOf(runs, { printed, directory }) {
  const failed = runs.map((run, at) => [at + 1, ...[run].flat()]).filter(([, , , id]) => id);
  const texts = [...new Set(failed.map(([, , , , text]) => text))];
  return texts.flatMap((text) => {
    const of = failed.filter(([, , , , other]) => other === text), [, , , id, , file] = of[0];
    const numbers = of.map(([number]) => number).join(', '), what = `What run${of.length > 1 ? 's' : ''} ${numbers} printed`;
    const whole = file ? make('a', { href: file }, 'All of it') : `All of it: queenlab report ${directory || 'DIR'} --run ${id}`;
    if (text === null) return [make('p', {}, `${what} is not kept.`)];
    return [make('p', {}, `${what}: `), make('pre', { tabindex: 0, role: 'region', 'aria-label': what, class: 'printed' }, printed[text]), make('p', {}, whole)];
  });
}

/** Opens the runs of a series at a size. */
function openRuns(name, n, { selection, goal, threads, sizes }, runs) {
  const { kinds, directory } = runs;
  const cells = (name, texts) => texts.map((text) => make(name, { class: 'text' }, String(text)));
  const rows = sizes[n].map((run, at) => {
    const [time, kind = 0] = [run].flat();
    return make('tr', {}, ...cells('td', [at + 1, time === null ? '' : show(time, island.time), ...kinds[kind]]));
  });
  const head = make('tr', {}, ...cells('th', ['Run', 'Time', 'Kind', 'Status', 'Verdict', 'Error']));
  const table = make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows));
  const words = ['queenlab', 'sweep', `${directory}/experiment.toml`, '--solver', selection,
    '--n', n, '--goal', goal, '--threads', threads, '--out', 'again'];
  const command = words.map((word) => quoted(String(word))).join(' ');
  const repeat = [make('p', {}, 'To repeat these runs, run this command in the directory in which the sweep was started:'),
    make('pre', { tabindex: 0, role: 'region', 'aria-label': 'Command' }, command)];
  const framed = make('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Runs' }, table);
  open(`${name}, n = ${n}`, framed, ...outputsOf(sizes[n], runs), ...(directory ? repeat : []));
}

/** Lets a reader choose the baseline of the tables of ratios. */
function addBaselines(tables) {
  if (!tables.length) return;
  const choose = make('select', { change: () => {
    for (const { table, values } of tables) {
      const { rows, name } = values.baselines[choose.selectedIndex];
      [...table.tBodies[0].rows].forEach((line) => rows[line.dataset.row].forEach((cell, at) => {
        const { text, small } = read(cell);
        line.cells[at + 1].replaceChildren(text, ...(small ? [make('small', {}, small)] : []));
        values.rows[line.dataset.row][at + 1] = cell;
      }));
      table.refresh?.();
      say(`The baseline is ${name}.`);
    }
  } }, ...tables[0].values.baselines.map(({ name, is_shown: isShown }) => make('option', isShown ? { selected: '' } : {}, name)));
  const label = make('label', {}, 'Baseline: ', choose);
  tables[0].table.closest('.scroll').previousElementSibling.prepend(label);
}

/** A cell of a table of series and sizes opens its runs; the arrow keys move between cells. */
function addRuns(table, { sizes, series, rows }) {
  const opened = new Map();
  [...table.tBodies[0].rows].forEach((line, row) => [...line.cells].forEach((cell, column) => {
    const of = island.runs.series[series[row]], n = sizes[column], at = read(rows[row][column]);
    if (at.text && of?.sizes[n]) opened.set(cell, () => openRuns(read(rows[row][0]).text, n, of, island.runs));
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

document.body.append(live);
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
  // A picture that is not shown has no sizes yet.
  const closed = all('details').filter((details) => !details.open && details.contains(figure));
  closed.forEach((details) => { details.open = true; });
  new Plot(figure, first, values);
  if (second) new Plot(figure, second, { ...values, ...narrow });
  closed.forEach((details) => { details.open = false; });
}

// Paper shows what is closed.
let opened = [];
// The style sheet opens them where it can: Chromium does not repeat the heads of tables after a change of the page.
if (!CSS.supports('selector(::details-content)')) {
  addEventListener('beforeprint', () => { opened = all('details:not([open])'); opened.forEach((details) => { details.open = true; }); });
  addEventListener('afterprint', () => { opened.forEach((details) => { details.open = false; }); });
}
