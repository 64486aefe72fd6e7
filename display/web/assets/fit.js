'use strict';

// A box shows all that lies on it. How large its text is the table has chosen; where that
// is too large after all, the box is drawn smaller until it fits. Above a tray there is so
// little room that it is brief first: the tray says what the side bets are.
(() => {
  const step = 0.06;
  const briefly = 0.76;
  const least = 0.5;

  const overflows = (part) => part.scrollHeight > part.clientHeight + 1;

  function shrink(part, until) {
    for (let zoom = 1 - step; overflows(part) && zoom >= until; zoom -= step) {
      part.style.setProperty('--zoom', zoom.toFixed(2));
    }
    return !overflows(part);
  }

  function fitIn(part) {
    const staking = document.body.classList.contains('staking');
    if (staking && !shrink(part, briefly)) {
      part.classList.add('brief');
      part.style.removeProperty('--zoom');
    }
    shrink(part, least);
  }

  function fit() {
    const boxes = document.querySelector('.boxes');
    const all = boxes ? [boxes, ...boxes.children] : [];
    for (const part of all) {
      if (part.style.length > 0) {
        part.style.removeProperty('--zoom');
      }
      part.classList.remove('brief');
    }
    all.filter(overflows).forEach(fitIn);
    observer.disconnect();
    if (boxes) {
      observer.observe(boxes);
    }
  }

  let was = '';
  const observer = new ResizeObserver(([{ contentRect }]) => {
    const now = `${contentRect.width} ${contentRect.height}`;
    if (now !== was) {
      was = now;
      fit();
    }
  });

  document.addEventListener('table', fit);
  fit();
})();
