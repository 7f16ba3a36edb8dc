// Examines a report in a frame as wide as a phone, and returns its faults and some measurements.
function probe(frame, width, scripted) {
  const faults = [];
  const page = frame.contentDocument, view = frame.contentWindow;
  const all = (selector) => [...page.querySelectorAll(selector)];
  const must = (holds, what) => { if (!holds) faults.push(what); };

  // Layout: only boxes with a scroll bar may be wider than the screen.
  const root = page.documentElement;
  must(root.clientWidth === width, `the frame is ${root.clientWidth} px wide, not ${width}`);
  must(root.scrollWidth <= width, `the page is ${root.scrollWidth} px wide on a screen of ${width}`);

  // The page loads no resource, and runs only the script that its content security policy names.
  const loaded = view.performance.getEntriesByType('resource').map((entry) => entry.name);
  must(loaded.length === 0, `loads ${loaded}`);
  const scripts = all('script').map((script) => `${script.parentNode.tagName} ${script.type} ${script.src}`);
  must(String(scripts) === 'BODY application/json ,BODY  ', `has the scripts ${scripts}`);
  must(/script-src 'sha256-[\w+/=]{44}'/.test(page.querySelector('meta[http-equiv]').content), 'the policy names no script');
  for (const element of all('*')) {
    for (const attribute of element.attributes) {
      must(!attribute.name.startsWith('on'), `${element.tagName} has ${attribute.name}`);
      const reference = ['src', 'href', 'xlink:href', 'data', 'action'].includes(attribute.name);
      must(!reference || /^(#|data:,$|outputs\/c[0-9a-f]+\.\w+\.txt$)/.test(attribute.value), `${element.tagName} refers to ${attribute.value}`);
    }
  }

  // Structure: language, title, landmarks, headings in order, unique ids.
  must(root.lang === 'en', 'has no language');
  must(page.title.trim() !== '', 'has no title');
  for (const landmark of ['header', 'nav[aria-label]', 'main', 'footer']) {
    must(all(`body > ${landmark}`).length === 1, `has not one ${landmark}`);
  }
  const levels = all('h1, h2, h3, h4, h5, h6').map((heading) => Number(heading.tagName[1]));
  must(levels.filter((level) => level === 1).length === 1 && levels[0] === 1, `headings begin with ${levels}`);
  levels.forEach((level, at) => must(at === 0 || level <= levels[at - 1] + 1, `a heading of level ${level} below ${levels[at - 1]}`));
  const ids = all('[id]').map((element) => element.id);
  must(new Set(ids).size === ids.length, 'has an id twice');
  for (const attribute of ['aria-labelledby', 'aria-describedby']) {
    for (const element of all(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(' ')) {
        must(page.getElementById(id)?.textContent.trim(), `${attribute} names ${id}, which is not there`);
      }
    }
  }
  for (const section of all('section')) must(section.hasAttribute('aria-labelledby'), 'a section has no name');

  // The keyboard: the first stop leads past the contents, every link has a target, and every box that scrolls is a tab stop.
  const stops = all('a[href], summary, button, input, select, [tabindex]').filter((element) => element.tabIndex >= 0);
  must(stops[0]?.classList.contains('skip'), 'the first stop does not skip the contents');
  must(all('[tabindex]').every((element) => element.tabIndex <= 0), 'an element has a positive tabindex');
  for (const link of all('a')) {
    must(link.textContent.trim() !== '', 'a link has no text');
    const to = link.getAttribute('href');
    must(!to.startsWith('#') || page.getElementById(to.slice(1)), `${link.href} leads nowhere`);
  }
  for (const element of all('*')) {
    const style = view.getComputedStyle(element);
    const scrolls = ['auto', 'scroll'].includes(style.overflowX) && element !== root;
    if (scrolls) must(element.tabIndex === 0 && element.getAttribute('aria-label') && element.getAttribute('role') === 'region', `a box that scrolls is not a named tab stop: ${element.outerHTML.slice(0, 80)}`);
  }

  // Tables and pictures have captions, titles and roles.
  for (const table of all('table')) {
    must(table.caption?.textContent.trim(), 'a table has no caption');
    must([...table.querySelectorAll('th')].every((head) => ['row', 'col'].includes(head.scope)), 'a head has no scope');
    must([...table.tBodies[0].rows].every((row) => row.cells[0].tagName === 'TH' && row.cells.length === table.tHead.rows[0].cells.length), 'a row has no head, or another length');
  }
  const pictures = all('figure .picture > svg, figure > .scroll > svg');
  const isClosed = (element) => element.closest('details:not([open])');
  for (const key of all('.key')) {
    must(view.getComputedStyle(key).display === 'flex', 'a phone does not show the key of a picture');
    must(isClosed(key) || scripted || key.getAttribute('aria-hidden') === 'true', 'a key repeats the picture');
  }
  // A screen reader reads the values of every picture in a table.
  for (const figure of all('figure')) {
    const section = figure.closest('section'), name = figure.querySelector('h3')?.textContent;
    const tables = [...section.querySelectorAll('.scroll')].filter((region) => region.querySelector('table'));
    must(name === undefined ? tables.length > 0 : figure.querySelector('table') || tables.some((region) => region.getAttribute('aria-label') === name), `no table has the values of ${figure.dataset.plot}`);
  }
  for (const element of all('button, input')) {
    must((element.textContent || element.getAttribute('aria-label') || '').trim(), `a control has no text: ${element.outerHTML}`);
    must(!element.closest('.tools, .key') || isClosed(element) || element.getBoundingClientRect().height >= 24 || element.getClientRects().length === 0, `too small for a finger: ${element.textContent}`);
  }
  for (const picture of pictures) {
    const wanted = scripted && picture.querySelector('.plot') ? 'application' : 'img';
    must(picture.getAttribute('role') === wanted, `the role of a picture is not ${wanted}`);
    must(picture.querySelector(':scope > title')?.textContent.trim() && picture.querySelector(':scope > desc')?.textContent.trim(), 'a picture has no title or description');
  }

  // Contrast of all text (WCAG 2.2, 1.4.3: 4.5 to 1), in the scheme that the browser was started with.
  const channels = (color) => color.match(/[\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = view.getComputedStyle(at).backgroundColor;
      if ((channels(color)[3] ?? 1) === 1) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  const measured = new Set();
  for (const element of all('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!hasText || element.closest('style, title, desc, script, :disabled') || element.getClientRects().length === 0) continue;
    const picture = element.closest('svg');
    const color = picture ? view.getComputedStyle(element).fill : view.getComputedStyle(element).color;
    const background = picture ? view.getComputedStyle(picture.querySelector('rect')).fill : backgroundOf(element);
    const pair = `${color} on ${background}`;
    if (measured.has(pair)) continue;
    measured.add(pair);
    const [light, dark] = [luminance(color), luminance(background)].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    must(ratio >= 4.5, `contrast ${ratio.toFixed(2)}: ${pair}: ${element.textContent.trim().slice(0, 40)}`);
  }
  const dark = luminance(backgroundOf(page.body)) < 0.5;
  return { faults, dark, measured: measured.size, pictures: pictures.length };
}
