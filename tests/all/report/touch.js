// Uses a report as a reader does, with mouse and keyboard, and returns what does not work.
function touch(frame) {
  const faults = [];
  const page = frame.contentDocument, view = frame.contentWindow;
  const all = (selector, root = page) => [...root.querySelectorAll(selector)];
  const must = (holds, what) => { if (!holds) faults.push(what); };
  const is = (actual, wanted, what) => must(String(actual) === String(wanted), `${what}: ${actual}, not ${wanted}`);
  const announced = () => page.querySelector('.live').textContent;
  const lastHead = (table) => [...table.tHead.rows[0].querySelectorAll('button')].at(-1);
  const press = (element, key) => element.dispatchEvent(new view.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

  // The picture of times: its series and the place of each point.
  const isThere = (element) => element.getClientRects().length > 0;
  const figure = all('figure')[0], svg = all('.picture > svg', figure).find(isThere), tip = svg.parentNode.querySelector('.tip');
  const tools = svg.parentNode.nextElementSibling;
  const lines = all('.plot .line polyline', svg);
  is(lines.every((line) => line.parentNode.querySelectorAll('polyline').length === 1), true, 'no line is interrupted');
  const places = (line) => line.getAttribute('points').split(' ').map((pair) => pair.split(',').map(Number));
  const mouse = (name, [x, y], more = {}) => {
    const at = new view.DOMPoint(x, y).matrixTransform(svg.getScreenCTM());
    const event = { clientX: at.x, clientY: at.y, bubbles: true, cancelable: true, pointerType: 'mouse', button: 0, buttons: 1, ...more };
    svg.dispatchEvent(new (name === 'dblclick' ? view.MouseEvent : view.PointerEvent)(name, event));
  };
  const island = JSON.parse(page.getElementById('island').textContent), plot = island.plots[figure.dataset.plot];
  const isNarrow = svg.parentNode.classList.contains('narrow'), values = isNarrow ? { ...plot, ...plot.narrow } : plot;
  const names = all(isNarrow ? '.key button' : '.name', isNarrow ? figure : svg);
  const click = (element, more = {}) => element.dispatchEvent(new view.MouseEvent('click', { bubbles: true, ...more }));
  is(names.length, lines.length, 'buttons of series');
  is(svg.getAttribute('role'), 'application', 'the role of the picture');

  // The pointer: series, n, median, interval and runs, which the table has, too.
  const longest = lines.find((line) => places(line).length === 6), end = places(longest)[5];
  mouse('pointermove', end, { buttons: 0 });
  must(!tip.hidden && /^\S+n = 9: [\d.]+ (ns|µs|ms|s), 95 % interval .+ to .+, 6 runs; exactly [\d,]+ ns$/.test(tip.textContent), `the tip says ${tip.textContent}`);
  const row = (table, name) => [...table.tBodies[0].rows].find((row) => row.cells[0].textContent === name);
  const times = all('table.sizes')[0];
  const cell = row(times, tip.querySelector('strong').textContent).cells[1];
  const median = Number.parseFloat(cell.firstChild.data);
  is(Number.parseFloat(tip.textContent.split('n = 9: ')[1]), median, 'the median in the tip');
  mouse('pointermove', [5, 5], { buttons: 0 });
  must(tip.hidden, 'far from all points there is a tip');

  // A finger: the tip stays when the finger is lifted, and disappears after a tap elsewhere.
  const finger = { pointerType: 'touch', buttons: 0 };
  mouse('pointerdown', end, finger);
  mouse('pointerup', end, finger);
  mouse('pointerleave', end, finger);
  must(!tip.hidden, 'the tip disappears when the finger is lifted');
  page.body.dispatchEvent(new view.PointerEvent('pointerdown', { bubbles: true }));
  must(tip.hidden, 'the tip stays after a tap elsewhere');

  // A click on a name hides its series, a click with Shift hides all other series, and the colours stay the same.
  const whole = () => all('button', tools).find((tool) => tool.textContent === 'Whole picture');
  const colours = () => lines.map((line) => line.getAttribute('stroke')).join();
  const before = colours(), isShown = (line) => view.getComputedStyle(line.parentNode).display !== 'none';
  const hidden = (name) => name.getAttribute('aria-pressed') === 'false';
  click(names[0]);
  must(hidden(names[0]) && announced().endsWith('is hidden.'), 'a click on a name hides nothing');
  is(lines.filter(isShown).length, lines.length - 1, 'lines shown');
  click(names[0]);
  is(lines.filter(isShown).length, lines.length, 'lines shown again');
  click(names[1], { shiftKey: true });
  is(lines.filter(isShown).length, 1, 'lines shown alone');
  is(names.filter(hidden).length, names.length - 1, 'names of hidden series');
  is(colours(), before, 'colours');
  whole().click();
  is(lines.filter(isShown).length, lines.length, 'all lines shown');
  click(names[2]);
  click(names[2]);
  names[2].dispatchEvent(new view.MouseEvent('dblclick', { bubbles: true }));
  must(lines.filter(isShown).length === 1 && !hidden(names[2]), 'a double click shows no series alone');
  whole().click();
  // The keyboard does the same.
  const key = isNarrow ? undefined : names[0];
  if (key) {
    is(key.tabIndex, 0, 'a name is a stop');
    press(key, 'Enter');
    is(lines.filter(isShown).length, lines.length - 1, 'lines shown after Enter on a name');
    press(key, ' ');
    is(lines.filter(isShown).length, lines.length, 'lines shown after a space on a name');
  }

  // Dragging zooms, and a double click shows the whole picture again. The keys + and 0 do the same.
  const home = svg.querySelector('.grid').innerHTML, at = JSON.stringify(lines.map(places));
  const [left, right, top, bottom] = [values.x.from, values.x.to, values.y.to, values.y.from];
  const middle = [(left + right) / 2, (top + bottom) / 2];
  mouse('pointerdown', [left + 5, top + 5]);
  mouse('pointermove', middle);
  mouse('pointerup', middle);
  const firstPlace = places(lines[0])[0];
  must(Math.abs(firstPlace[0] - left - 2 * (JSON.parse(at)[0][0][0] - left - 5)) < 20 && JSON.stringify(lines.map(places)) !== at, `a drag from the left to the middle does not double the picture: ${firstPlace}`);
  const ticks = all('.grid text', svg).map((text) => [text.textContent, Number(text.getAttribute('x')), Number(text.getAttribute('y'))]);
  must(ticks.length >= 4 && ticks.every(([, x, y]) => x <= right && y >= top - 1), `ticks after zooming: ${JSON.stringify(ticks)}`);
  // Names stand beside the ends of the lines that are in view, without overlaps.
  const heights = all('.name', svg).map((name) => name.getBoundingClientRect()).sort((a, b) => a.top - b.top);
  const box = svg.getBoundingClientRect();
  must(heights.every((name, at) => name.top >= box.top && name.bottom <= box.bottom && (!at || name.top > heights[at - 1].top + 8)), `names after zooming: ${heights.map(({ top }) => top)}`);
  mouse('dblclick', middle);
  must(all('.name', svg).every((name) => name.getAttribute('transform') === 'translate(0 0)'), 'names after a double click');
  is(JSON.stringify(lines.map(places)), at, 'places after a double click');
  is(svg.querySelector('.grid').innerHTML, home, 'the grid after a double click');
  press(svg, '+');
  must(JSON.stringify(lines.map(places)) !== at && !whole().hidden, '+ does not zoom');
  press(svg, '0');
  is(JSON.stringify(lines.map(places)), at, 'places after 0');

  // On the linear axis, heights are proportional to values.
  const choice = all('.choice', tools)[0], [toLinear, toLog] = all('button', choice);
  const chosen = () => all('button[aria-pressed=true]', choice).map((one) => one.textContent).join();
  is(chosen(), 'Log', 'the scale');
  toLinear.click();
  is(chosen(), 'Linear', 'the scale after a click');
  const zero = Number(all('.grid text', svg).find((text) => text.textContent === '0 ns').getAttribute('y'));
  const topmost = all('.grid text', svg).filter((text) => Number(text.getAttribute('x')) < left).at(-1);
  const unit = { ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1 };
  const seconds = (text) => Number.parseFloat(text) * unit[text.split(' ')[1]];
  const perSecond = (zero - Number(topmost.getAttribute('y'))) / seconds(topmost.textContent);
  const of = (line) => values.series[lines.indexOf(line)].y.at(-1) / 1e9;
  for (const line of lines) {
    const [wanted, actual] = [zero - perSecond * of(line), places(line).at(-1)[1]];
    must(Math.abs(wanted - actual) < 3, `on the linear axis ${of(line)} s is at ${actual}, not ${wanted}`);
  }
  toLog.click();
  is(JSON.stringify(lines.map(places)), at, 'places on the logarithmic axis');

  // The arrow keys announce the points.
  svg.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowLeft']) press(svg, key);
  const [zeroth, first] = values.series;
  must(/^\S+, n = 4: [\d.]+ (ns|µs|ms|s), .*6 runs; exactly [\d,]+ ns$/.test(announced()) && announced().startsWith(first.name), `the arrow keys say ${announced()}`);
  press(svg, 'ArrowUp');
  must(announced().startsWith(zeroth.name), `the arrow up says ${announced()}`);
  svg.blur();

  // Tables: sorted by a column, filtered, in the original order.
  const column = (at) => [...times.tBodies[0].rows].filter((row) => !row.hidden).map((row) => (at ? row.cells[at].firstChild.data : row.cells[0].textContent).trim());
  const original = column(0).join(), head = times.tHead.rows[0].cells[1];
  head.querySelector('button').click();
  is(head.getAttribute('aria-sort'), 'ascending', 'the order');
  const sorted = column(1).map(seconds);
  is(sorted.join(), [...sorted].sort((a, b) => a - b).join(), 'sorted times');
  head.querySelector('button').click();
  is(column(1).map(seconds).join(), [...sorted].reverse().join(), 'times in descending order');
  head.querySelector('button').click();
  is(column(0).join(), original, 'the original order');
  const filter = times.closest('section').querySelector('input');
  filter.value = 'BITMASK';
  filter.dispatchEvent(new view.Event('input'));
  must(column(0).length > 0 && column(0).every((name) => name.includes('bitmask')) && announced().includes(`${column(0).length} of `), 'the filter');
  filter.value = 'nothing has this';
  filter.dispatchEvent(new view.Event('input'));
  const none = times.parentNode.nextElementSibling;
  must(column(0).length === 0 && isThere(none) && none.textContent.includes('nothing has this'), 'a filter without a match shows no message');
  filter.value = '';
  filter.dispatchEvent(new view.Event('input'));
  is(column(0).join(), original, 'all rows');
  must(!isThere(none), 'the message of a filter stays');

  // Every head is above its column, in view, after scrolling and sorting.
  for (const details of all('details')) details.open = true;
  for (const table of all('table[data-table]')) {
    const frame = table.parentNode, heads = [...table.tHead.rows[0].cells], name = table.caption.textContent;
    const isAbove = (what) => {
      const around = frame.getBoundingClientRect();
      for (const row of [...table.tBodies[0].rows].filter((row) => !row.hidden)) {
        heads.forEach((head, at) => {
          const [above, below] = [head, row.cells[at]].map((cell) => cell.getBoundingClientRect());
          must(Math.abs(above.left - below.left) < 1 && Math.abs(above.right - below.right) < 1, `${name}: ${what}: the head ${head.textContent} is not above its column`);
        });
        const first = row.cells[0].getBoundingClientRect();
        if (frame.scrollLeft > 0) must(Math.abs(first.left - around.left) < 3, `${name}: ${what}: the first column scrolls away`);
      }
      if (frame.scrollTop > table.caption.offsetHeight) must(Math.abs(heads[0].getBoundingClientRect().top - around.top) < 3, `${name}: ${what}: the head scrolls away`);
    };
    isAbove('at first');
    frame.style.maxHeight = '9rem';
    [frame.scrollLeft, frame.scrollTop] = [500, 200];
    isAbove('scrolled');
    lastHead(table)?.click();
    isAbove('sorted');
    lastHead(table)?.click();
    lastHead(table)?.click();
    frame.style.maxHeight = '';
    [frame.scrollLeft, frame.scrollTop] = [0, 0];
  }

  // A cell opens the list of its runs, by mouse and keyboard. Each table is one tab stop.
  is(all('td[tabindex="0"]', times).length, 1, 'stops in the table');
  cell.click();
  const dialog = page.querySelector('dialog[open]');
  is(dialog?.querySelectorAll('tbody tr').length, 7, 'runs of the cell');
  must(/timed.*complete.*correct/.test(dialog.textContent) && dialog.textContent.includes('counting'), 'how the runs ended');
  const solver = row(times, tip.textContent) ? '' : cell.parentNode.cells[0].textContent;
  must(dialog.querySelector('pre').textContent.endsWith(`/experiment.toml --solver ${solver} --n 9 --goal enumerate --threads 1 --out again`), dialog.querySelector('pre')?.textContent);
  dialog.close();
  dialog.dispatchEvent(new view.Event('close'));
  const stop = all('td[tabindex="0"]', times)[0];
  stop.focus();
  press(stop, 'ArrowRight');
  press(page.activeElement, 'ArrowDown');
  must(page.activeElement === times.tBodies[0].rows[1].cells[2] && page.activeElement.tabIndex === 0, 'the arrow keys in the table');
  press(page.activeElement, 'Enter');
  must(page.querySelector('dialog[open] h2')?.textContent.endsWith('n = 8'), 'Enter on a cell');
  page.querySelector('dialog[open]')?.close();

  // The baseline of the ratios.
  const ratios = all('table[data-table]').find((table) => table.closest('.scroll').getAttribute('aria-label') === 'Ratios over all sizes');
  const choose = page.querySelector('select'), value = (at) => Number.parseFloat(row(ratios, choose.options[at].text).cells[1].firstChild.data);
  const chosenFirst = choose.selectedIndex, other = chosenFirst ? 0 : 1, ratio = value(other);
  is(value(chosenFirst), 1, 'the ratio of the baseline');
  choose.selectedIndex = other;
  choose.dispatchEvent(new view.Event('change'));
  is(value(other), 1, 'the ratio of the chosen baseline');
  must(Math.abs(value(chosenFirst) * ratio - 1) < 0.03, `the inverse of ${ratio} is ${value(chosenFirst)}`);

  // The copied text. The clipboard is replaced, because a test cannot read it.
  const copied = [];
  Object.defineProperty(view.navigator, 'clipboard', { value: { writeText: async (text) => { copied.push(text); } } });
  all('.tools button', times.closest('section')).find((tool) => tool.textContent === 'Copy as CSV').click();
  const csv = copied[0]?.split('\n') ?? [];
  is(csv[0], 'Solver,n = 9,n = 8,n = 7,n = 6,n = 5,n = 4', 'the head of the CSV');
  is(csv.length, times.tBodies[0].rows.length + 2, 'lines of the CSV');
  return { faults };
}
