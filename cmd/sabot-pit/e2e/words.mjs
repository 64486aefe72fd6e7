// What a page says that is still English in another language.

import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../../display/words/', import.meta.url);
const linesOf = (file) => readFileSync(new URL(file, folder), 'utf8').split('\n').filter((line) => /^[^#\s].* = /.test(line));

/** The texts of a language, by their keys: those of its file, and those of the topics, whose keys end in the language. */
function wordsOf(language) {
  const own = readdirSync(new URL('topics', folder)).flatMap((file) => linesOf(`topics/${file}`))
    .filter((line) => line.includes(`.${language} = `)).map((line) => line.replace(`.${language} = `, ' = '));
  return new Map([...linesOf(`${language}.properties`), ...own].map((line) => {
    const at = line.indexOf(' = ');
    return [line.slice(0, at), line.slice(at + 3).replaceAll('\\u0020', ' ').replaceAll('\\u00a0', '\u00a0').replaceAll('\\u202f', '\u202f')];
  }));
}

const plain = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * Judges a page's texts in a language beside the same page's in English: what both say is not translated, unless the
 * language says so on purpose, or it is data.
 */
export function untranslated(language, data) {
  const own = new Set([...wordsOf(language).values()].map(plain));
  const filled = [...own].filter((text) => text.includes('{') && /\p{L}{3}/u.test(text.replace(/\{[^}]*\}/g, '')))
    .map((text) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]*\}/g, '.*')}$`, 'u'));
  const kept = (text) => filled.some((one) => one.test(text)) || own.has(text.replace(/^[^\p{L}\d]+ | [▲▼]$/gu, '')) || data.some((one) => one.test(text));
  return (texts, english) => {
    const said = new Set(english.map(plain));
    return [...new Set(texts.map(plain))].filter((text) => /\p{L}{3}/u.test(text) && said.has(text) && !kept(text));
  };
}

/** Runs in the page, alone: everything that it says, also to those who do not see it. */
export function texts() {
  const all = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest('script, style, noscript, nav.languages') ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    all.push(node.data);
  }
  for (const one of document.querySelectorAll('[aria-label], [title], [placeholder], [data-seen], [data-coming], [data-not-sent]')) {
    if (!one.closest('nav.languages')) {
      all.push(...['aria-label', 'title', 'placeholder', 'data-seen', 'data-coming', 'data-not-sent'].map((name) => one.getAttribute(name)).filter((text) => text));
    }
  }
  return all;
}
