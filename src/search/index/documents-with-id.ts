import type { IndexReader } from './index-reader.ts'

/** Hex digits that are looked for in the heads of ids before an id is read. */
const HEAD_DIGITS = 6
const HEAD_MASK = 0xff_ffff

/**
 * The documents whose id begins with these hex digits, 6 or more, ascending. Goes through four bytes of each id: some
 * milliseconds a million.
 */
export function documentsWithId(index: Pick<IndexReader, 'idHeads' | 'idOf'>, digits: string): number[] {
  const [first = 0, second = 0, third = 0] = Buffer.from(digits.slice(0, HEAD_DIGITS), 'hex')
  const wanted = first | (second << 8) | (third << 16)
  const heads = index.idHeads()
  const found: number[] = []
  for (let document = 0; document < heads.length; document++) {
    if (((heads[document] ?? 0) & HEAD_MASK) !== wanted) continue
    if (Buffer.from(index.idOf(document)).toString('hex').startsWith(digits)) found.push(document)
  }
  return found
}
