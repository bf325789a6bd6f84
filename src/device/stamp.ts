import type { FileFacts } from '../ports.ts'

/**
 * Says that the index called `nonce` fits a file that looks like this: its indexed bytes are still those. All stamps of one
 * `line` are of files that grew out of each other by whole lines of our own. Kept beside the index as 140 bytes, so that it
 * can be written in place by one call.
 */
export type Stamp = { nonce: string; line: string; facts: StampFacts }

export type StampFacts = Pick<FileFacts, 'dev' | 'ino' | 'size' | 'mtimeNs' | 'ctimeNs'>

/** So long is the text of every stamp. */
export const STAMP_BYTES = 140

/** The 140 bytes of a stamp, as text. */
export function stampText({ nonce, line, facts }: Stamp): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = facts
  return `2 ${nonce} ${line} ${[dev, ino, size, mtimeNs, ctimeNs].join(' ')}`
    .padEnd(STAMP_BYTES - 1)
    .slice(0, STAMP_BYTES - 1)
    .concat('\n')
}

/** Undefined for anything that is no whole stamp. */
export function parseStamp(text: string): Stamp | undefined {
  const match = /^2 ([0-9a-f]{16}) ([0-9a-f]{16}) (\d+) (\d+) (\d+) (-?\d+) (-?\d+) *\n$/.exec(text)
  if (text.length !== STAMP_BYTES || match === null) return undefined
  const [, nonce = '', line = '', dev = '', ino = '', size = '', mtimeNs = '', ctimeNs = ''] = match
  const facts = {
    dev: BigInt(dev),
    ino: BigInt(ino),
    size: Number(size),
    mtimeNs: BigInt(mtimeNs),
    ctimeNs: BigInt(ctimeNs)
  }
  return { nonce, line, facts }
}

/** Whether the stamp is of the index called `nonce` and of a file that looks like this. */
export function isStamped(stamp: Stamp | undefined, nonce: string, facts: StampFacts): boolean {
  return stamp !== undefined && stamp.nonce === nonce && isSameFile(stamp.facts, facts)
}

/** Whether two looks saw the same file, not written to in between. */
export function isSameFile(before: StampFacts | undefined, now: StampFacts): boolean {
  return (
    before !== undefined &&
    before.dev === now.dev &&
    before.ino === now.ino &&
    before.size === now.size &&
    before.mtimeNs === now.mtimeNs &&
    before.ctimeNs === now.ctimeNs
  )
}
