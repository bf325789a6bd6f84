import { LAYOUT, type RelatedTerm, type TermRelations } from '../../src/search/related/related-terms-layout.ts'

/** Encodes relations in the format that `src/search/related` reads. Throws an `Error` if they exceed its limits. */
export function encodeRelatedTerms(table: ReadonlyMap<string, TermRelations>): Uint8Array {
  const terms = allTerms(table)
  const numbers = new Map(terms.map((term, number) => [term, number]))
  if (terms.length > LAYOUT.TERMS_MAX) throw new Error(`${terms.length} related terms, at most ${LAYOUT.TERMS_MAX}`)
  const records = terms.map((term, nth) => {
    const before = nth % LAYOUT.BLOCK_TERMS === 0 ? '' : (terms[nth - 1] ?? '')
    return [...encodeTerm(term, before), ...encodeRelations(table.get(term), numbers)]
  })
  return layOut(records)
}

/** Lists the terms that have relations or are named by them, ascending by code unit. */
function allTerms(table: ReadonlyMap<string, TermRelations>): string[] {
  const terms = new Set(table.keys())
  for (const { forms, related } of table.values()) {
    for (const { term } of [...forms, ...related]) terms.add(term)
  }
  return [...terms].sort()
}

function encodeTerm(term: string, before: string): number[] {
  if (term.length > LAYOUT.TERM_CHARACTERS_MAX || /[^\0-\x7f]/.test(term))
    throw new Error(`not a related term: ${term}`)
  let shared = 0
  while (shared < term.length && term[shared] === before[shared]) shared++
  return [shared, term.length - shared, ...Buffer.from(term.slice(shared), 'latin1')]
}

function encodeRelations(relations: TermRelations | undefined, numbers: ReadonlyMap<string, number>): number[] {
  const lists = [...byWeight(relations?.forms ?? []), ...byWeight(relations?.related ?? [])]
  const kinds = lists.reduce((bits, list, kind) => (list.length > 0 ? bits | (1 << kind) : bits), 0)
  const full = lists.filter((list) => list.length > 0)
  const entries = full.flat().flatMap(({ term }) => {
    const number = numbers.get(term) ?? 0
    return [number & 0xff, number >> 8]
  })
  return [kinds, ...full.map((list) => list.length), ...entries]
}

/** Groups a list by weight, greatest first, preserving the order within each group. */
function byWeight(list: readonly RelatedTerm[]): RelatedTerm[][] {
  return Array.from({ length: LAYOUT.WEIGHTS }, (_, kind) =>
    list.filter(({ weight }) => Math.round(weight * LAYOUT.WEIGHTS) === LAYOUT.WEIGHTS - kind)
  )
}

function layOut(records: readonly (readonly number[])[]): Uint8Array {
  const blocks = Math.ceil(records.length / LAYOUT.BLOCK_TERMS)
  const start = LAYOUT.HEADER_BYTES + 4 * blocks
  const bytes = new Uint8Array(start + records.reduce((sum, record) => sum + record.length, 0))
  const view = new DataView(bytes.buffer)
  for (const [nth, number] of [LAYOUT.MAGIC, LAYOUT.VERSION, bytes.length, records.length].entries()) {
    view.setUint32(4 * nth, number, true)
  }
  let at = start
  for (const [nth, record] of records.entries()) {
    if (nth % LAYOUT.BLOCK_TERMS === 0) {
      view.setUint32(LAYOUT.HEADER_BYTES + (4 * nth) / LAYOUT.BLOCK_TERMS, at, true)
    }
    bytes.set(record, at)
    at += record.length
  }
  return bytes
}
