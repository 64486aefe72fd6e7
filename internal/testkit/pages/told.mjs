// A reporter for node --test-reporter: tells run.mjs of each test and of each suite that has ended. Node's own way from a
// file's process to the runner's loses the whole file at times, when a message arrives in two pieces.

export default async function tell(source) {
  for await (const { type, data } of source) {
    if (type === 'test:pass' || type === 'test:fail') {
      const { name, skip, todo, nesting, details: { duration_ms: took, error } } = data;
      process.send({ suite: nesting === 0, passed: type === 'test:pass', name, skip, todo, took, error: told(error) });
    }
  }
}

/** What an error says: of one that node has wrapped, the cause. */
function told(error) {
  const cause = error?.cause ?? error;
  return cause === undefined ? undefined : String(cause.stack ?? cause);
}
