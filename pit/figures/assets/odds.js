'use strict';

// The page of odds: a cell of the chart says what each of its calls is worth, in the words of the table of numbers, where the finger,
// the mouse or the keyboard is; and what is still being worked out is shown once it is there.
(() => {
  const again = 1000;
  const patience = 5000;

  /** One call of a cell: its name, what it is worth, and what it costs. */
  function item(head, cell) {
    const one = document.createElement('li');
    const name = document.createElement('span');
    name.textContent = head.textContent;
    one.append(name, ...[...cell.childNodes].map((node) => node.cloneNode(true)));
    one.classList.toggle('best', cell.classList.contains('best'));
    return one;
  }

  /** The chart listens: its cells are one stop of the keyboard, and the arrows go from one to the next. */
  function chart(plays) {
    const said = document.querySelector('.said');
    const numbers = document.querySelector('.calls');
    const heads = [...numbers.tHead.rows[0].cells].slice(2);
    const cells = [...plays.querySelectorAll('[data-row]')];
    let at = null;

    function say(cell) {
      const row = numbers.tBodies[0].rows[Number(cell.dataset.row)];
      const name = document.createElement('h3');
      name.textContent = row.cells[0].textContent;
      const list = document.createElement('ul');
      [...row.cells].slice(2).forEach((one, i) => {
        if (one.querySelector('b') !== null) {
          list.append(item(heads[i], one));
        }
      });
      said.replaceChildren(name, list);
      said.hidden = false;
      at?.classList.remove('at');
      cell.classList.add('at');
      at = cell;
    }

    /** The cell beside another: up and down go on into the next part. */
    function beside(cell, down, right) {
      const { rowIndex } = cell.parentElement;
      const table = cell.closest('table');
      if (down === 0) {
        return table.rows[rowIndex].cells[cell.cellIndex + right];
      }
      const rows = [...plays.querySelectorAll('tbody tr')];
      let i = rows.indexOf(cell.parentElement) + down;
      while (rows[i] !== undefined && rows[i].cells[cell.cellIndex]?.dataset.row === undefined) {
        i += down;
      }
      return rows[i]?.cells[cell.cellIndex];
    }

    for (const table of plays.querySelectorAll('table')) {
      table.setAttribute('role', 'grid');
    }
    for (const cell of cells) {
      cell.tabIndex = -1;
    }
    cells[0].tabIndex = 0;
    const cellOf = ({ target }) => target.closest('[data-row]');
    plays.addEventListener('focusin', (event) => {
      const cell = cellOf(event);
      if (cell !== null) {
        plays.querySelector('[data-row][tabindex="0"]').tabIndex = -1;
        cell.tabIndex = 0;
        say(cell);
      }
    });
    plays.addEventListener('click', (event) => cellOf(event)?.focus({ preventScroll: true }));
    // What the page scrolls under a mouse that rests is not pointed at: the keyboard is elsewhere.
    let mouse = '';
    plays.addEventListener('pointermove', (event) => {
      const cell = cellOf(event);
      const now = `${event.screenX} ${event.screenY}`;
      if (event.pointerType === 'mouse' && cell !== null && cell !== at && now !== mouse) {
        say(cell);
      }
      mouse = now;
    });
    plays.addEventListener('keydown', (event) => {
      const way = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
      const cell = cellOf(event);
      if (way === undefined || cell === null || event.ctrlKey || event.altKey || event.metaKey) {
        return;
      }
      event.preventDefault();
      const next = beside(cell, ...way);
      if (next?.dataset.row !== undefined) {
        next.focus();
      }
    });
  }

  function begin() {
    const plays = document.querySelector('.plays');
    if (plays !== null) {
      chart(plays);
    }
    if (document.querySelector('[data-working]') !== null) {
      setTimeout(look, again);
    }
  }

  /** Looks again for what is being worked out. What is on the page stays until there is more of it. */
  async function look() {
    let to;
    try {
      const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
      if (answer.redirected) {
        location.reload(); // the session is over
        return;
      }
      to = answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main') : null;
    } catch {
      to = null; // the pit is away: it says so on its own pages
    }
    if (to === null) {
      setTimeout(look, patience);
      return;
    }
    const main = document.querySelector('main');
    if (to.dataset.working !== undefined && to.children.length === main.children.length) {
      main.querySelector('.working').textContent = to.querySelector('.working').textContent;
      setTimeout(look, again);
      return;
    }
    main.replaceWith(document.adoptNode(to));
    begin();
  }

  begin();
})();
