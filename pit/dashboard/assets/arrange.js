'use strict';

// Tiles are put where their tables stand in the room: dragged, or moved with the arrow keys. Each move goes to the pit,
// which tells all screens.
(() => {
  let arranging = false;
  let drag = null;

  const room = () => document.getElementById('room');
  const most = 16;

  function set(on) {
    arranging = on;
    document.body.classList.toggle('arranging', on);
    show();
  }

  // The section with the key is patched like any other.
  function show() {
    const key = document.getElementById('arrange');
    if (key) {
      key.setAttribute('aria-pressed', String(arranging));
      document.getElementById('arranging').hidden = !arranging;
    }
  }

  async function put(tile, x, y) {
    const answer = await fetch('/room', {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ table: tile.dataset.table, x, y }),
    }).catch(() => null);
    if (!answer?.ok) {
      const toast = document.getElementById('toast');
      toast.textContent = answer ? await answer.text() : toast.dataset.notSent;
      toast.hidden = false;
      setTimeout(() => { toast.hidden = true; }, 6000);
    }
  }

  // Which spot of the room is at a point; one column and row more than there are is offered.
  function spotAt(px, py) {
    const at = room().getBoundingClientRect();
    const style = getComputedStyle(room());
    const cols = style.gridTemplateColumns.split(' ').length;
    const rows = style.gridTemplateRows.split(' ').length;
    const x = Math.floor((px - at.left) / (at.width / cols)) + 1;
    const y = Math.floor((py - at.top) / (at.height / rows)) + 1;
    return { x: Math.min(Math.max(x, 1), Math.min(cols + 1, most)), y: Math.min(Math.max(y, 1), Math.min(rows + 1, most)) };
  }

  document.addEventListener('click', (touch) => {
    if (touch.target.closest('#arrange')) {
      set(!arranging);
    } else if (arranging && touch.target.closest('.tile')) {
      touch.preventDefault();
    }
  });

  document.addEventListener('pointerdown', (down) => {
    const tile = arranging && down.isPrimary && down.target.closest?.('.tile');
    if (tile) {
      down.preventDefault();
      tile.querySelector('a').focus();
      drag = { id: tile.id, x: down.clientX, y: down.clientY };
      tile.classList.add('dragged');
    }
  });
  document.addEventListener('pointermove', (move) => {
    const tile = drag && document.getElementById(drag.id);
    if (tile) {
      tile.classList.add('dragged');
      tile.style.translate = `${move.clientX - drag.x}px ${move.clientY - drag.y}px`;
    }
  });
  document.addEventListener('dragstart', (start) => {
    if (arranging) {
      start.preventDefault();
    }
  });
  function drop(up) {
    const tile = drag && document.getElementById(drag.id);
    drag = null;
    if (tile) {
      tile.classList.remove('dragged');
      tile.style.translate = '';
      const to = spotAt(up.clientX, up.clientY);
      if (up.type === 'pointerup' && (to.x !== Number(tile.dataset.x) || to.y !== Number(tile.dataset.y))) {
        put(tile, to.x, to.y);
      }
    }
  }
  document.addEventListener('pointerup', drop);
  document.addEventListener('pointercancel', drop);

  const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener('keydown', (press) => {
    const tile = document.activeElement?.closest('.tile');
    const way = ways[press.key];
    if (press.key === 'Escape' && arranging) {
      set(false);
    } else if (way && tile && !press.ctrlKey && !press.altKey && !press.metaKey) {
      const x = Number(tile.dataset.x) + way[0];
      const y = Number(tile.dataset.y) + way[1];
      press.preventDefault();
      if (!arranging) {
        next(tile, way)?.querySelector('a').focus();
      } else if (x >= 1 && y >= 1 && x <= most && y <= most) {
        put(tile, x, y);
      }
    }
  });

  // The arrow keys also go from tile to tile: to the nearest in that direction.
  function next(from, [dx, dy]) {
    const centre = (tile) => {
      const at = tile.getBoundingClientRect();
      return [at.left + at.width / 2, at.top + at.height / 2];
    };
    const [x, y] = centre(from);
    let best = null;
    let least = Infinity;
    for (const tile of room().querySelectorAll('.tile')) {
      const [tx, ty] = centre(tile);
      const along = (tx - x) * dx + (ty - y) * dy;
      const beside = Math.abs((tx - x) * dy) + Math.abs((ty - y) * dx);
      if (along > 1 && along + 3 * beside < least) {
        least = along + 3 * beside;
        best = tile;
      }
    }
    return best;
  }

  document.addEventListener('floor', show);
})();
