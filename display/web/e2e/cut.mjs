/**
 * Everything that is text must lie on the screen and within its box; only names may
 * be shortened.
 * It runs in the page, and returns what does not.
 */
export function cutText() {
  const cut = [];
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) {
    cut.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} > ${wide}`);
  }
  for (const part of document.querySelectorAll('#table h1, #table h2, #table h3, #table p, #table b, #table em, #table small, #table dd, #table .cards, #keys span')) {
    if (part.closest('[hidden]')) continue;
    const at = part.getBoundingClientRect();
    const within = part.closest('.key, .decides, #alarm, #keys, .box, #bank, #prompt, #status').getBoundingClientRect();
    const fits = at.left >= within.left - 1 && at.right <= within.right + 1 && at.top >= within.top - 1 && at.bottom <= within.bottom + 1;
    if (at.width > 0 && !fits) {
      cut.push(`${part.closest('[id]').id}: ${part.className || part.tagName} ${part.textContent.slice(0, 40)}`);
    }
  }
  const texts = 'h1, #prompt p, #status p, h2, h3, dt, dd, .sum b, .sum em, .sum small, li span, li b, li small, .foot, .cards';
  for (const part of document.querySelectorAll('.box, #bank, #prompt, #status')) {
    // The text on a chip overlaps the chip.
    const seen = [...part.querySelectorAll(texts)].filter((text) => !text.matches('span.chip')).map((text) => ({ text, at: text.getBoundingClientRect() }));
    for (const [i, one] of seen.entries()) {
      for (const other of seen.slice(i + 1)) {
        const wide = Math.min(one.at.right, other.at.right) - Math.max(one.at.left, other.at.left);
        const high = Math.min(one.at.bottom, other.at.bottom) - Math.max(one.at.top, other.at.top);
        if (wide > 1 && high > 4) {
          cut.push(`${part.id}: ${one.text.textContent || 'cards'} lies on ${other.text.textContent || 'cards'}`);
        }
      }
    }
  }
  return cut;
}
