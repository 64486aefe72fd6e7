// A reporter for node --test-reporter: each test that has ended as a line of JSON, which run.mjs reads. Node's own way from
// a file's process to the runner's loses the whole file at times, when a message arrives in two pieces.

export default async function* lines(source) {
  for await (const { type, data } of source) {
    if (type === 'test:pass' || type === 'test:fail') {
      const { name, skip, todo, nesting, details: { duration_ms: took, error } } = data;
      yield `${JSON.stringify({ passed: type === 'test:pass', name, skip, todo, nesting, took, error: told(error) })}\n`;
    }
  }
}

/** What an error says: of one that node has wrapped, the cause. */
function told(error) {
  const cause = error?.cause ?? error;
  return cause === undefined ? undefined : String(cause.stack ?? cause);
}
