// What passed before and depends on nothing that has changed since, as go test keeps it: by the content of everything that a
// suite could look at.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The results of suites that passed, in the user's cache. */
export class Passed {
  /** Of what the module's files are, the built programs in these folders and the browser. */
  constructor(root, programs, browser) {
    const kept = process.env.SABOT_TIER === 'soak' || process.env.SABOT_FRESH ? undefined : inputs(root, programs, browser);
    const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
    this.folder = kept && join(cache, 'sabot', 'pages', kept);
  }

  /** How the tests of a suite ended when it passed with the same inputs, undefined if it never did. */
  of(suite) {
    const path = this.path(suite);
    return path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  }

  /** Keeps how the tests of a suite ended that passed. */
  keep(suite, ended) {
    const path = this.path(suite);
    if (path) {
      mkdirSync(this.folder, { recursive: true });
      writeFileSync(`${path}.new`, JSON.stringify(ended));
      renameSync(`${path}.new`, path);
    }
  }

  path(suite) {
    return this.folder && join(this.folder, `${suite.replaceAll('/', '-')}.json`);
  }
}

/** The hash of everything on which suites depend; what is written in Go is in the programs. */
function inputs(root, programs, browser) {
  const hash = createHash('sha256');
  hash.update(`${process.version} ${execFileSync(browser, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })}`);
  for (const path of within(root, 'dist', 'node_modules', '.git').filter((name) => !/\.(go|md)$/.test(name))) {
    add(hash, path.slice(root.length), path);
  }
  for (const folder of programs) {
    for (const path of within(folder).filter((name) => statSync(name).mode & 0o100)) {
      add(hash, path.slice(folder.length), path);
    }
  }
  return hash.digest('hex');
}

function add(hash, name, path) {
  const content = readFileSync(path);
  hash.update(`\0${name}\0${content.length}\0`).update(content);
}

/** The files below a folder, without those in folders of these names. */
function within(folder, ...without) {
  const all = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return all.filter(({ name }) => !without.includes(name)).flatMap((one) => {
    const path = join(folder, one.name);
    return one.isDirectory() ? within(path, ...without) : one.isFile() ? [path] : [];
  });
}
