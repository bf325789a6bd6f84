/**
 * Contractions written without an apostrophe (`dont`, `ive`, `Its a boat`), which the tagger takes for other words.
 */

/** A text with apostrophes put in, and where they are, in order. */
export type Restored = { text: string; inserted: readonly number[] }

/** Writes contractions with their apostrophes. A word that is also another one (`ill`, `its`) needs a following word that decides. */
export function restoreApostrophes(text: string): Restored {
  if (!MAYBE.test(text)) return { text, inserted: [] }
  const inserted: number[] = []
  const restored = text.replace(CONTRACTIONS, (word, ...groups: unknown[]) => {
    const at = groups.find((group) => typeof group === 'number') ?? 0
    const place = word.length - (ENDINGS.exec(word)?.[0].length ?? 0)
    inserted.push(at + place + inserted.length)
    return `${word.slice(0, place)}'${word.slice(place)}`
  })
  return { text: restored, inserted }
}

/** A quick test for the endings of such words. */
const MAYBE = /(?:nt|ve|im|s|re|ll|d)\b/i
const ENDINGS = /(?:t|ve|m|s|re|ll|d)$/i
const NOT = 'do|does|did|is|are|was|were|has|have|had|could|would|should|ca|wo|ai|must'
const CONTRACTIONS = new RegExp(
  [
    `\\b(?:${NOT})nt\\b`,
    '\\b(?:i|you|we|they)ve\\b|\\bim\\b|\\b(?:you|they)(?:re|ll|d)\\b|\\b(?:he|she|that|what|there|here|where)s\\b',
    '\\bi(?:ll|d)(?= (?:be|go|get|have|try|do|let|ask|make|see|take|come|check|send|call|say|love|like|rather|prefer|just|also|never|probably|definitely)\\b)',
    '\\bits(?= (?:a|an|the|not|been|so|just|too|my|your|his|her|our|their|like|gonna|going|all|only|really|pretty|very|always|still|called)\\b)'
  ]
    .map((pattern) => `(?<![\\w'’-])(?:${pattern})(?![\\w'’-])`)
    .join('|'),
  'gi'
)

/** Returns the position in the text as it was written. */
export function toWritten(position: number, inserted: readonly number[]): number {
  let before = 0
  while (before < inserted.length && (inserted[before] ?? 0) < position) before++
  return position - before
}
