/**
 * Markdown in sentences. The marks are replaced by spaces, so that the offsets of the other text stay the same and the
 * tagger reads the words alone.
 */

/** Replaces `~~struck text~~` by spaces: its author took it back. */
export function blankStruckText(text: string): string {
  return text.includes('~~') ? text.replace(STRUCK, toSpaces) : text
}

/** See https://github.github.com/gfm/#strikethrough-extension- */
const STRUCK = /(?<![~\\])~~(?=[^\s~])[^~\n]{1,500}(?<=[^\s~])~~(?!~)/g

/** Replaces pictures and the marks of links, wikilinks, bold and highlighted text, block ids and closing tags by spaces. */
export function blankMarkup(text: string): string {
  if (!MARKED.test(text)) return text
  return text
    .replace(PICTURE, toSpaces)
    .replace(WIKILINK, keepLinkWords)
    .replace(LINK, (whole, words: string) => keepWords(whole, words, 1))
    .replace(STRONG, (whole, words: string) => keepWords(whole, words, 2))
    .replace(CLOSING_MARKS, toSpaces)
}

/** A quick test for any of the marks below. */
const MARKED = /\[\[|\]\(|\*\*|==|[ \t]\^\w|[ \t]#\p{L}/u
const PICTURE = /!\[\[[^[\]\n]{1,300}\]\]|!\[[^[\]\n]{0,300}\]\([^()\s]{1,500}\)/g
const WIKILINK = /\[\[([^[\]\n|]{1,200}\|)?([^[\]\n|]{1,200})\]\]/g
const LINK = /\[([^[\]\n]{1,300})\]\([^()\s]{1,500}\)/g
const STRONG = /(?:\*\*|==)(?=[^\s*=])([^*=\n]{1,300})(?<=[^\s*=])(?:\*\*|==)/g

/** A block id or tags at the end of a line: `Order tiles #house #urgent ^a1b2c3`. */
const CLOSING_MARKS = /(?:[ \t]+(?:#\p{L}[\p{L}\p{N}_/-]{0,60}|\^[\w-]{1,40}))+[ \t]*$/gmu

/** Keeps the page of `[[Mira Voss|Mira]]`, which is the full name, and otherwise the words that are shown. */
function keepLinkWords(whole: string, target: string | undefined, words: string): string {
  const page = target?.slice(0, -1) ?? ''
  return ` ${page} `.includes(` ${words} `)
    ? keepWords(whole, page, 2)
    : keepWords(whole, words, 2 + (target ?? '').length)
}

function toSpaces(whole: string): string {
  return ' '.repeat(whole.length)
}

/** Keeps the words that begin `from` code units into a marked section. */
function keepWords(whole: string, words: string, from: number): string {
  return ' '.repeat(from) + words + ' '.repeat(whole.length - from - words.length)
}
