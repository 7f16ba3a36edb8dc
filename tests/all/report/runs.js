// Opens the runs of a series at a size, and returns {command, rows, printed, links}.
function runs(frame, series, n) {
  const page = frame.contentDocument, view = frame.contentWindow;
  const table = page.querySelector('table.sizes');
  const column = [...table.tHead.rows[0].cells].findIndex((head) => head.textContent === `n = ${n}`);
  const row = [...table.tBodies[0].rows].find((row) => row.cells[0].textContent.startsWith(series));
  row.cells[column].dispatchEvent(new view.MouseEvent('click', { bubbles: true }));
  const dialog = page.querySelector('dialog[open]');
  const texts = (selector) => [...dialog.querySelectorAll(selector)].map((element) => element.textContent);
  return {
    command: dialog.querySelector('pre[aria-label=Command]').textContent,
    rows: [...dialog.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent)),
    printed: texts('pre.printed'),
    links: [...dialog.querySelectorAll('a')].map((link) => link.getAttribute('href')),
  };
}

// The position of the bottom of the first picture, and the height of the page, on a screen of this height.
function extent(frame, height) {
  frame.style.height = `${height}px`;
  const page = frame.contentDocument;
  const picture = [...page.querySelectorAll('figure .picture, figure > .scroll')].find((picture) => picture.getClientRects().length);
  return { bottom: picture.getBoundingClientRect().bottom, height: page.documentElement.scrollHeight };
}
