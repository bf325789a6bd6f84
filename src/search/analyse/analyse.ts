import { cutTerm, foldWord, hasApostrophe, NO_TERM, splitRun, toTerm } from './to-term.ts'
import { walkTerms } from './walk-terms.ts'

/** Increases whenever the same text may give other terms; an index of another version is rebuilt. */
export const ANALYSER_VERSION = 1

/**
 * Returns the terms of a text, in order and with repeats; documents and queries are analysed alike. Stop words are
 * omitted unless there is nothing else; a text without words gives its parts between spaces. Accepts any string; time
 * is linear in its length.
 */
export function analyse(text: string): string[] {
  const found: Found = { terms: [], stopWords: [] }
  if (ASCII_ONLY.test(text)) addAsciiTerms(text.toLowerCase(), found)
  else walkTerms(text.normalize('NFKC').toLowerCase(), found.terms, (run) => addRun(foldWord(run), found))
  if (found.terms.length > 0) return found.terms
  return found.stopWords.length > 0 ? found.stopWords : splitLiterally(text)
}

/** Stop words are collected only until the first term. */
type Found = { terms: string[]; stopWords: string[] }

const ASCII_ONLY = /^[\0-\x7f]*$/

const APOSTROPHE_CODE = 39
/** 1 for lower-case letters and digits, by character code. */
const ASCII_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/[a-z0-9]/.test(String.fromCharCode(code)) ? 1 : 0))

function addAsciiTerms(text: string, found: Found): void {
  let start = -1
  let apostrophes = false
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (ASCII_WORD[code] === 1) {
      if (start < 0) start = at
    } else if (start >= 0 && code === APOSTROPHE_CODE) {
      apostrophes = true
    } else if (start >= 0) {
      const run = text.slice(start, at)
      if (apostrophes) addRun(run, found)
      else addWord(run, found)
      start = -1
      apostrophes = false
    }
  }
}

function addWord(word: string, found: Found): void {
  const cut = cutTerm(word)
  const term = toTerm(cut)
  if (term !== NO_TERM) found.terms.push(term)
  else if (found.terms.length === 0) found.stopWords.push(cut)
}

/** Adds a run of word characters with possible apostrophes. A run of marks alone adds nothing. */
function addRun(run: string, found: Found): void {
  if (run === '') return
  if (!hasApostrophe(run)) addWord(run, found)
  else for (const { word } of splitRun(run)) addWord(word, found)
}

/** Returns the parts between spaces, or the text itself if it is only spaces. */
function splitLiterally(text: string): string[] {
  const sound = text.normalize('NFKC').replace(/\p{Surrogate}/gu, '\ufffd')
  const pieces = sound.split(/\s+/).filter((piece) => piece !== '')
  if (pieces.length > 0) return pieces.map(cutTerm)
  return sound === '' ? [] : [cutTerm(sound)]
}
