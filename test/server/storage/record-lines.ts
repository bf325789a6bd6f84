import {
  ID_BYTES,
  KEY_BYTES,
  RECORD_KINDS,
  type RecordBatch,
  type RecordPage
} from '../../../server/storage/port/record-batch.ts'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { serializeRecord } from '../../../src/snapshot/record/compute-check.ts'
import { computeForgetId, computeMemoryId } from '../../../src/snapshot/record/identity.ts'

/** A line in tests. Its id is derived from `about`. The text is separate, and determines its check. */
export type TestLine = {
  kind: keyof typeof RECORD_KINDS
  about: string
  text: string
  time?: number
  extractor?: number
  /** For a line of unknown kind: the content of the memories that it describes. */
  targets?: readonly string[]
}

/** Builds a memory of which only the id and the text matter. */
export function memory(about: string, text = about): TestLine {
  return { kind: 'memory', about, text }
}

/** Builds the forget line of a memory. */
export function forget(about: string, time = 5): TestLine {
  return { kind: 'forget', about, text: `forget ${about} ${time}`, time }
}

/** Builds a batch of lines. */
export function batchOf(lines: readonly TestLine[]): RecordBatch {
  const texts = lines.map(bytesOf)
  const batch: RecordBatch = {
    count: lines.length,
    kinds: Uint8Array.from(lines, ({ kind }) => RECORD_KINDS[kind]),
    keys: new Uint8Array(lines.length * KEY_BYTES),
    times: Float64Array.from(lines, timeOf),
    extractors: Float64Array.from(lines, extractorOf),
    checks: Uint8Array.from(lines.flatMap((line) => [...checkOf(line)])),
    ends: new Uint32Array(lines.length),
    lines: Uint8Array.from(Buffer.concat(texts))
  }
  for (const [at, line] of lines.entries()) {
    batch.keys.set(keyOf(line), at * KEY_BYTES)
    batch.ends[at] = (batch.ends[at - 1] ?? 0) + (texts[at]?.length ?? 0)
  }
  return batch
}

/** Returns the 32-byte key of a line. */
export function keyOf(line: TestLine): Uint8Array {
  if (line.kind === 'unknown') return checkOf(line)
  const key = new Uint8Array(KEY_BYTES)
  key.set(Buffer.from(idOf(line).slice('mem_'.length), 'hex'))
  return key
}

/** Returns the check of a line. */
export function checkOf(line: TestLine): Uint8Array {
  return Buffer.from(JSON.parse(bytesOf(line).toString()).check, 'hex')
}

/** Returns the bytes of a line, valid and canonical, without LF. */
export function bytesOf(line: TestLine): Buffer {
  const { kind, about, text, targets } = line
  const target = targets?.map((target) => idOf({ about: target }))
  if (kind === 'unknown') return Buffer.from(serializeRecord({ type: 'test', text, ...(target && { target }) }))
  const at = new Date(timeOf(line)).toISOString()
  const id = idOf(line)
  const extractor = extractorOf(line)
  if (kind === 'forget') {
    const more = extractor === 0 ? {} : { extractor }
    return Buffer.from(
      serializeRecord({ type: 'forget', id: computeForgetId(id), at, target: id, reason: text, ...more })
    )
  }
  return Buffer.from(
    serializeRecord({ type: 'memory', id, at, undated: true, text: about, extractor, metadata: { text } })
  )
}

function idOf({ about }: Pick<TestLine, 'about'>): string {
  return computeMemoryId({ text: about, at: null })
}

function timeOf({ time, kind }: TestLine): number {
  return kind === 'unknown' ? -1 : (time ?? 1_700_000_000_000)
}

function extractorOf({ extractor, kind }: TestLine): number {
  return kind === 'unknown' ? 0 : (extractor ?? (kind === 'memory' ? 1 : 0))
}

/** Returns the texts of a page with their sequence numbers. */
export function textsOf(page: RecordPage): [number, string][] {
  return Array.from(page.seqs, (seq, at) => [
    seq,
    textOf(Buffer.from(page.lines.subarray(at === 0 ? 0 : page.ends[at - 1], page.ends[at])).toString())
  ])
}

/** Returns the test's name of a line, or the line itself if the storage wrote it. */
function textOf(line: string): string {
  const { type, text, metadata, reason } = JSON.parse(line)
  if (type === 'forget') return reason === 'deleted at the source' ? line : reason
  return type === 'test' ? text : metadata.text
}

/** Reads all lines of a collection in pages of `maxBytes`. */
export async function allTexts(storage: Storage, id: string, maxBytes = 1 << 20): Promise<[number, string][]> {
  const texts: [number, string][] = []
  for (;;) {
    const after = texts.at(-1)?.[0] ?? 0
    const page = await storage.readPage(id, { after, upTo: Number.MAX_SAFE_INTEGER, maxBytes })
    if (page.count === 0) return texts
    texts.push(...textsOf(page))
  }
}

/** Splits concatenated ids into hex texts. */
export function idsOf(bytes: Uint8Array): string[] {
  const hex = Buffer.from(bytes).toString('hex')
  return hex.match(/.{32}/g) ?? []
}

/** Returns the ids of lines as hex, ascending. */
export function sortedIds(abouts: readonly string[]): string[] {
  const keys = abouts.map((about) => keyOf(memory(about)).subarray(0, ID_BYTES))
  return keys.map((key) => Buffer.from(key).toString('hex')).sort()
}
