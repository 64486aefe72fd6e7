'use strict';

// A box shows all that lies on it. How large its text is the table has chosen; where that
// is too large after all, such as above a tray, the box is drawn smaller until it fits.
(() => {
  const least = 0.5;
  const step = 0.06;

  const overflows = (part) => part.scrollHeight > part.clientHeight + 1;

  function shrink(part) {
    for (let zoom = 1 - step; overflows(part) && zoom >= least; zoom -= step) {
      part.style.setProperty('--zoom', zoom.toFixed(2));
    }
  }

  function fit() {
    const boxes = document.querySelector('.boxes');
    const all = boxes ? [boxes, ...boxes.children] : [];
    for (const part of all) {
      if (part.style.length > 0) {
        part.style.removeProperty('--zoom');
      }
    }
    all.filter(overflows).forEach(shrink);
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
