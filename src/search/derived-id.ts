import { createHash } from 'node:crypto'

const PREFIXES = { fact: 'fct', procedure: 'prc' } as const

/** The id of something extracted: the same words have the same id, wherever and whenever they were found. */
export function derivedId(kind: keyof typeof PREFIXES, words: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify([`memctl.${kind}.1`, ...words]))
  return `${PREFIXES[kind]}_${digest.digest('hex').slice(0, ID_DIGITS)}`
}

const ID_DIGITS = 32
