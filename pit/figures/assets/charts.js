'use strict';

// The pictures over time: uPlot draws what stands in the table below each, so that both say the same. What is under the
// finger is written below the picture in the table's own words; without a finger there, the last of it.
(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const stroke = (name) => () => colour(name);

  /** A number of an axis, as the page's language writes it. */
  function written(value, digits, { group, point }) {
    const [whole, rest] = Math.abs(value).toFixed(digits).split('.');
    const sign = value < 0 ? '\u2212' : '';
    return sign + whole.replace(/\B(?=(\d{3})+$)/g, group) + (rest === undefined ? '' : point + rest);
  }

  const digitsOf = (step) => (String(step).split('.')[1] ?? '').length;

  /** The cells of one column of the table: its head, what is read and what is drawn. */
  function column(table, cell, value = 'value') {
    const rows = [...table.tBodies[0].rows];
    return {
      name: table.tHead.rows[0].cells[cell].textContent,
      texts: rows.map((row) => row.cells[cell].textContent),
      values: rows.map((row) => Number(row.cells[cell].dataset[value])),
    };
  }

  const heads = (table) => [...table.tBodies[0].rows].map((row) => row.cells[0].textContent);

  /** What each kind of picture is: its places from left to right, its series, and what lies between two of them. */
  const kinds = {
    columns(table) {
      const pace = column(table, 2);
      return {
        labels: heads(table),
        range: (last) => [-0.5, last + 0.5],
        series: [{ ...pace, stroke: stroke('--bar'), fill: stroke('--bar'), paths: uPlot.paths.bars({ size: [0.76] }), points: { show: false } }],
        leads: (i) => table.tBodies[0].rows[i].cells[0].querySelector('a')?.href,
      };
    },
    course(table, chart) {
      const [won, expected, high, low] = [column(table, 1), column(table, 2), column(table, 3, 'high'), column(table, 3, 'low')];
      for (const one of [won, expected, high, low]) { // it begins at nought
        one.texts.unshift('0');
        one.values.unshift(0);
      }
      const edge = { stroke: stroke('--bar'), width: 1, points: { show: false } };
      return {
        labels: [chart.dataset.since, ...heads(table)],
        range: (last) => [0, last],
        series: [
          { ...high, ...edge },
          { ...low, ...edge },
          { ...expected, stroke: stroke('--text'), width: 1.5, dash: [4, 3], points: { show: false } },
          { ...won, stroke: stroke('--gold'), width: 3, points: { show: false } },
        ],
        bands: [{ series: [1, 2], fill: stroke('--band') }],
      };
    },
  };

  function draw(chart) {
    const room = chart.querySelector('.room');
    const table = chart.parentElement.querySelector('details table');
    const { labels, range, series, bands, leads } = kinds[chart.dataset.of](table, chart);
    const last = labels.length - 1;
    const font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const axis = { font, stroke: stroke('--soft'), grid: { stroke: stroke('--line'), width: 0.5 }, ticks: { show: false } };
    const widest = Math.max(...labels.map((label) => label.length)) * 8 + 12;
    const rest = (of) => of.setLegend({ idx: last });
    const plot = new uPlot({
      width: room.clientWidth,
      height: room.clientHeight,
      scales: {
        x: { time: false, range: range(last) },
        y: { range: (_, low, high) => uPlot.rangeNum(Math.min(low, 0), Math.max(high, 0), 0.05, true) },
      },
      axes: [
        { ...axis, grid: { show: false }, incrs: [1, 2, 3, 4, 6, 8, 12, 24, 48, 72, 120, 168], space: widest, values: (_, at) => at.map((i) => labels[i] ?? '') },
        { ...axis, size: 64, values: (_, at, _axis, _space, step) => at.map((value) => written(value, digitsOf(step), chart.dataset)) },
      ],
      series: [
        { label: table.tHead.rows[0].cells[0].textContent, value: (_, i) => labels[i] ?? '' },
        ...series.map(({ name, texts, values, ...look }) => ({ label: name, value: (_, _value, _series, i) => texts[i] ?? '', ...look })),
      ],
      bands,
      cursor: { y: false, drag: { x: false, y: false } },
      hooks: { ready: [rest] },
      legend: { mount: (_, legend) => chart.append(legend) },
    }, [labels.map((_, i) => i), ...series.map(({ values }) => values)], room);

    plot.over.addEventListener('mouseleave', () => rest(plot));
    plot.over.addEventListener('click', () => {
      const to = leads?.(plot.cursor.idx ?? -1);
      if (to !== undefined) {
        location.assign(to);
      }
    });
    new ResizeObserver(() => plot.setSize({ width: room.clientWidth, height: room.clientHeight })).observe(room);
    new MutationObserver(() => plot.redraw(false)).observe(document.documentElement, { attributeFilter: ['data-light'] });
    room.plot = plot;
  }

  document.querySelectorAll('.chart').forEach(draw);
})();
