const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as HTML inside Markdown that becomes a Vue template, where braces would begin an expression. */
export const htmlOf = (text: string): string =>
  text
    .replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('_', '&#95;')
    .replaceAll('*', '&#42;');

/** A sentence of the document: code in backticks, the rest as it is. */
export const inlineOf = (sentence: string): string =>
  sentence
    .split(/`([^`]*)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${htmlOf(part)}</code>` : htmlOf(part)))
    .join('')
    .replaceAll('\n', ' ');
