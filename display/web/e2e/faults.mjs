/**
 * What is wrong with how a page lies on its screen: text that is cut, that leaves its
 * frame or the screen, or that lies on other text; things that lie on each other; keys too
 * small to touch; and what begins scrolled. Only names may be shortened.
 *
 * It runs in the page, alone: it is passed to the browser as it is written. It returns the
 * faults, each as one line, and the smallest text that says an amount of money.
 *
 *   names     what is a person's or the table's name
 *   scrolls   selectors of lists, which may scroll; all else must fit
 *   slides    selectors of those lists that may scroll sideways, too
 *   key       how high and wide a key is at least, in pixels
 */
export function faults({ names = [], scrolls = [], slides = [], key = 44 } = {}) {
  const slack = 1.5; // px by which rounding moves things
  const found = new Set();
  const tell = (kind, what) => found.add(`${kind}: ${what}`);
  const called = new Set(names);
  const wide = document.documentElement.clientWidth;
  const high = window.innerHeight;
  const asks = [...document.querySelectorAll('[data-sheet]')].find((one) => one.checkVisibility());
  const long = getComputedStyle(document.body).overflowY !== 'hidden'; // a page to be scrolled

  const clear = (colour) => /^rgba\(.*, 0\)$|transparent/.test(colour);
  const styles = new Map();
  function style(part) {
    let known = styles.get(part);
    if (!known) {
      const s = getComputedStyle(part);
      const border = s.borderStyle !== 'none' && ['Top', 'Right', 'Bottom', 'Left'].some((side) => parseFloat(s[`border${side}Width`]) > 0 && !clear(s[`border${side}Color`]));
      known = {
        position: s.position, x: s.overflowX, y: s.overflowY, size: parseFloat(s.fontSize), shortens: s.textOverflow === 'ellipsis',
        paints: !clear(s.backgroundColor), seen: s.visibility === 'visible' && s.display !== 'none' && s.opacity !== '0' && s.clipPath !== 'inset(50%)',
      };
      known.frame = known.paints || border;
      styles.set(part, known);
    }
    return known;
  }

  const shortOf = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 48);
  function where(part) {
    const near = part.closest('[id], .tray, [data-sheet]');
    const own = part.closest('[data-key]')?.dataset.key ?? part.className?.baseVal ?? part.className ?? '';
    return `${near?.id || near?.dataset.sheet || near?.className || ''} ${part.tagName.toLowerCase()}${own ? `.${String(own).split(' ')[0]}` : ''}`;
  }

  // What begins scrolled does so for what is due, or begins in the middle.
  for (const part of document.querySelectorAll('html, body, main, section, div, aside, ol, ul')) {
    if (part.scrollTop > 0 || part.scrollLeft > 0) {
      if (!part.closest('.active, .chosen') && !part.querySelector('.active, .chosen')) {
        tell('scrolled', `${where(part)} begins ${Math.round(part.scrollTop)} px down`);
      }
      part.scrollTop = 0;
      part.scrollLeft = 0;
    }
  }
  if (document.documentElement.scrollWidth > wide + 1) {
    tell('cut', `the page scrolls sideways: ${document.documentElement.scrollWidth} > ${wide}`);
  }

  // Where ink is: letters do not fill the line that is theirs.
  const ink = (at) => ({ left: at.left, right: at.right, top: at.top + at.height * 0.16, bottom: at.bottom - at.height * 0.1 });

  const within = (at, frame) => ({ ...at, left: Math.max(at.left, frame.left), right: Math.min(at.right, frame.right) });
  const named = (thing) => thing.text && (called.has(thing.text.replace(/^★\s*/, '')) || called.has(thing.part.textContent.replace(/^[★\s]+/, '').trim()));

  // What lies on the screen: lines of text, keys, cards, and all that has a frame.
  const things = [];
  const all = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      return node.data.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
    }
    if (node.hidden || ['SCRIPT', 'NOSCRIPT', 'DEFS', 'STYLE'].includes(node.tagName.toUpperCase()) || !style(node).seen) {
      return NodeFilter.FILTER_REJECT;
    }
    return NodeFilter.FILTER_ACCEPT;
  });
  const range = document.createRange();
  for (let node = all.nextNode(); node; node = all.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      range.selectNodeContents(node);
      for (const at of range.getClientRects()) {
        if (at.width > 1 && at.height > 1) {
          const thing = { part: node.parentElement, at: ink(at), text: shortOf(node.data), size: style(node.parentElement).size * (node.parentElement.currentCSSZoom ?? 1) };
          thing.shown = style(thing.part).shortens && named(thing) ? within(thing.at, thing.part.getBoundingClientRect()) : thing.at;
          things.push(thing);
        }
      }
      continue;
    }
    const svg = node.tagName === 'svg';
    const framed = style(node).frame && node !== document.body;
    const covers = node.matches('#table, #held, .whole, .tray, .lost, #toast, [data-sheet]');
    if (!covers && (svg || framed || node.tagName === 'BUTTON') && !node.closest('.chip > svg')) {
      const at = node.getBoundingClientRect();
      if (at.width > 1 && at.height > 1) {
        things.push({ part: node, at, shown: at, key: node.tagName === 'BUTTON' });
      }
      if (svg && all.lastChild()) {
        all.currentNode = node; // what is drawn in it is one thing
        while (node.contains(all.nextNode())) { /* skip */ }
        all.previousNode();
      }
    }
  }

  const tag = (thing) => `${where(thing.part)}${thing.text ? ` “${thing.text}”` : ''}`;

  // Within what it must lie: all frames around it, what clips it, and the screen.
  function outside(at, frame) {
    const by = [frame.left - at.left, at.right - frame.right, frame.top - at.top, at.bottom - frame.bottom];
    const most = Math.max(...by);
    return most > slack ? `${['left', 'right', 'top', 'bottom'][by.indexOf(most)]} ${Math.round(most)}` : '';
  }
  function inside(thing) {
    let { position } = style(thing.part);
    if (thing.text) {
      position = 'static';
    }
    let free = position === 'absolute';
    if (position === 'fixed') {
      return '';
    }
    for (let up = thing.text ? thing.part : thing.part.parentElement; up && up !== document.body; up = up.parentElement) {
      const s = style(up);
      if (!(free && s.position === 'static')) {
        free = false;
        const clipsX = s.x !== 'visible' && s.x !== 'clip';
        const clipsY = s.y !== 'visible' && s.y !== 'clip';
        if (clipsX || clipsY || s.frame) {
          const frame = up.getBoundingClientRect();
          if (scrolls.some((list) => up.matches(list))) {
            const wider = thing.at.left < frame.left - slack || thing.at.right > frame.right + slack;
            return wider && !slides.some((list) => up.matches(list)) ? 'is wider than its list' : '';
          }
          const out = frame.width > 0 && outside(thing.at, frame);
          if (out) {
            if (s.shortens && named(thing)) {
              const shown = frame.width;
              return shown < 0.6 * s.size ? 'has no letter left of its name' : '';
            }
            return `is cut by ${where(up)} at its ${out}`;
          }
        }
        if (s.position === 'absolute') {
          free = true;
        }
        if (s.position === 'fixed') {
          break;
        }
      }
    }
    const screen = { left: 0, right: wide, top: long ? -1e9 : 0, bottom: long ? 1e9 : high };
    const out = outside(thing.at, screen);
    return out ? `leaves the screen at its ${out}` : '';
  }

  const scrollers = [...styles.keys()].filter((part) => part !== document.body && part !== document.documentElement && /auto|scroll/.test(styles.get(part).x + styles.get(part).y));
  for (const part of scrollers) {
    if (!scrolls.some((list) => part.matches(list)) && (part.scrollHeight > part.clientHeight + 2 || part.scrollWidth > part.clientWidth + 2)) {
      tell('cut', `${where(part)} hides ${part.scrollHeight - part.clientHeight} px below and ${part.scrollWidth - part.clientWidth} px beside`);
    }
  }

  const lists = scrollers.filter((part) => scrolls.some((list) => part.matches(list)));
  const rolled = (thing) => lists.some((list) => list !== thing.part && list.contains(thing.part));
  const lies = (part, position) => {
    for (let up = part; up && up !== document.body; up = up.parentElement) {
      if (style(up).position === position) return true;
    }
    return false;
  };
  const over = asks?.getBoundingClientRect();
  const looked = things.filter((thing) => !asks || asks.contains(thing.part));
  if (asks) {
    // What a sheet does not cover of the lines at the top stays readable.
    for (const thing of things) {
      if (thing.text && !asks.contains(thing.part) && thing.part.closest('#prompt, #status, #alarm')) {
        const out = outside(thing.at, over);
        const apart = thing.at.right <= over.left + slack || thing.at.left >= over.right - slack || thing.at.bottom <= over.top + slack || thing.at.top >= over.bottom - slack;
        if (out && !apart) {
          tell('overlap', `${where(asks)} covers a part of ${tag(thing)}`);
        }
      }
    }
  }

  let money = { size: Infinity, text: '' };
  for (const thing of looked) {
    const wrong = inside(thing);
    if (wrong) {
      tell('cut', `${tag(thing)} ${wrong}`);
    }
    if (thing.key && !rolled(thing) && (thing.at.width < key - 0.1 || thing.at.height < key - 0.1)) {
      tell('small', `${tag(thing)} is ${Math.round(thing.at.width)} by ${Math.round(thing.at.height)}`);
    }
    if (thing.text && /\d[.,]\d\d(?!\d)|[+−]\d/.test(thing.part.textContent) && thing.size < money.size && !thing.part.closest('.status, #status, .nil')) {
      money = { size: thing.size, text: thing.text };
    }
  }

  looked.sort((a, b) => a.at.top - b.at.top);
  for (let i = 0; i < looked.length; i += 1) {
    const one = looked[i];
    const a = one.shown;
    for (let j = i + 1; j < looked.length && looked[j].at.top < one.at.bottom - slack; j += 1) {
      const other = looked[j];
      const b = other.shown;
      const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (x <= slack || y <= slack || one.part === other.part) continue;
      if (one.part.contains(other.part) || other.part.contains(one.part)) {
        if (!(one.text && other.text)) continue;
      }
      // A page that is scrolled moves below what is fixed on the screen.
      if (long && lies(one.part, 'fixed') !== lies(other.part, 'fixed')) continue;
      // And in a list, below what sticks to its edge.
      if (rolled(one) && lies(one.part, 'sticky') !== lies(other.part, 'sticky')) continue;
      // What lies in a list is clipped by it, and so cannot lie on what is beside it.
      if (rolled(one) !== rolled(other)) continue;
      tell('overlap', `${tag(one)} lies on ${tag(other)}`);
    }
  }
  return { faults: [...found], money, things: looked.length };
}
