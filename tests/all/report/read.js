// Reads every point of every picture with the keyboard, and copies every table.
// Returns {points: {plot: [text]}, tables: {label: csv}}.
async function read(frame) {
  const page = frame.contentDocument, view = frame.contentWindow;
  const all = (selector, root = page) => [...root.querySelectorAll(selector)];
  const announced = () => page.querySelector('.live').textContent;
  const copied = [];
  Object.defineProperty(view.navigator, 'clipboard', { value: { writeText: async (text) => { copied.push(text); } } });
  const points = {}, tables = {};
  const { plots } = JSON.parse(page.getElementById('island').textContent);
  for (const details of all('details')) details.open = true;
  for (const figure of all('figure')) {
    const svg = all('.picture > svg', figure).find((svg) => svg.getClientRects().length), texts = new Set();
    const press = (key) => {
      svg.dispatchEvent(new view.KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      texts.add(announced());
    };
    // Presses a key until the announced point no longer changes.
    const readAll = (key) => { for (let before; before !== announced();) { before = announced(); press(key); } };
    svg.focus();
    for (const series of plots[figure.dataset.plot].series) { press('ArrowDown'); readAll('ArrowLeft'); readAll('ArrowRight'); }
    svg.blur();
    points[figure.dataset.plot] = [...texts];
  }
  for (const tool of all('.tools button').filter((tool) => tool.textContent === 'Copy as CSV')) {
    tool.click();
    tables[tool.parentNode.getAttribute('aria-label')] = copied.at(-1);
  }
  // The first table of sizes, sorted by the largest size.
  const table = all('table.sizes')[0], heads = all('th button', table), tools = table.closest('.scroll').previousElementSibling;
  heads[1].click();
  all('button', tools).at(-1).click();
  return { points, tables, sorted: copied.at(-1) };
}

// The coordinates of all shapes and texts within plots, to a tenth of a pixel.
function places(frame) {
  const all = (selector, root) => [...root.querySelectorAll(selector)];
  const numbers = (text) => (text?.match(/-?\d+(\.\d+)?/g) ?? []).map((number) => Number(number).toFixed(1));
  const names = ['points', 'cx', 'cy', 'x', 'y'];
  const moved = (shape) => numbers(/translate\([^)]*\)/.exec(shape.getAttribute('transform'))?.[0]);
  const of = (shape) => [...names.flatMap((name) => numbers(shape.getAttribute(name))), ...moved(shape)].join(' ');
  return all('figure .plot', frame.contentDocument).map((plot) => all('polyline, polygon, circle, path, text', plot).filter((shape) => !shape.closest('clipPath')).map(of));
}
