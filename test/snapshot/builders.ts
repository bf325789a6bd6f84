import type { Sink } from '../../src/snapshot/file/replace-file.ts'
import { createBytesSource, type Source } from '../../src/snapshot/file/source.ts'
import type { JsonObject } from '../../src/snapshot/json/json.ts'
import { type MergeSources, planMerge, writeMerge } from '../../src/snapshot/plan-merge.ts'
import { readSnapshot } from '../../src/snapshot/read-snapshot.ts'
import { serializeRecord, sha256 } from '../../src/snapshot/record/compute-check.ts'
import { createEmptyHeader, serializeHeader } from '../../src/snapshot/record/create-header.ts'
import { computeForgetId, computeMemoryId } from '../../src/snapshot/record/identity.ts'

/** Lines and files for tests, valid unless a test changes them. Lines have no LF. */

const AT = '2026-01-02T03:04:05.000Z'

type MemoryParts = { text: string; at?: string; speaker?: string; conversation?: string; copy?: number; undated?: true }

/** Creates the record of a memory without its check; additional fields are taken unchanged. */
export function memory(parts: MemoryParts & JsonObject): JsonObject {
  const { text, speaker, conversation, copy, undated, at = AT } = parts
  const id = computeMemoryId({ text, speaker, conversation, copy, at: undated ? null : at })
  return { type: 'memory', extractor: 0, ...parts, at, id }
}

export function memoryLine(parts: MemoryParts & JsonObject): string {
  return serializeRecord(memory(parts))
}

/** Creates the line that forgets the memory of `parts`, or the one with an id. */
export function forgetLine(target: (MemoryParts & JsonObject) | string, more: JsonObject = {}): string {
  const id = typeof target === 'string' ? target : (memory(target).id as string)
  return serializeRecord({ type: 'forget', id: computeForgetId(id), target: id, at: AT, ...more })
}

export function header(more: JsonObject = {}): string {
  const seed = { id: `snp_${'0'.repeat(32)}`, created_at: '2026-01-01T00:00:00.000Z' }
  return serializeHeader({ ...createEmptyHeader(seed), ...more } as Parameters<typeof serializeHeader>[0])
}

/** Creates a header that counts these ids, given as `mem_…`. */
export function headerOver(ids: readonly string[], more: JsonObject = {}): string {
  const bytes = ids.map((id) => Buffer.from(id.slice(4), 'hex')).sort(Buffer.compare)
  return header({ count: ids.length, ids_hash: sha256(Buffer.concat(bytes)), ...more })
}

/** Creates a file from a header and lines, each with its LF. */
export function file(...lines: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat([header(), ...lines].flatMap((line) => [Buffer.from(line), Buffer.from('\n')]))
}

export function sourceOf(bytes: Uint8Array | string, path = 'notes.mem.jsonl'): Source {
  return createBytesSource(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, path)
}

/** Creates a line with the correct check for its value, spelled as in `text`, with `check` at the end. */
export function checked(text: string): string {
  const value = JSON.parse(text) as JsonObject
  return `${text.slice(0, text.lastIndexOf('}'))},"check":"${checkOf(value)}"}`
}

function checkOf(value: JsonObject): string {
  return (JSON.parse(serializeRecord(value)) as { check: string }).check
}

/** Returns the reasons for damaged lines of a file. */
export function damageOf(bytes: Uint8Array | string): string[] {
  return readSnapshot(sourceOf(bytes), () => undefined).damaged.map(({ line, reason }) => `${line} ${reason}`)
}

/** Creates a sink that collects what is written. */
function memorySink(): Sink & { bytes(): Buffer } {
  const parts: Buffer[] = []
  let written = 0
  return {
    get written() {
      return written
    },
    write(part) {
      const bytes = Buffer.from(part)
      parts.push(bytes)
      written += bytes.length
    },
    bytes: () => Buffer.concat(parts)
  }
}

/** Returns what a function throws. */
export function thrown(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

/** Returns the canonical form of all lines of these files. */
export function united(files: readonly (Uint8Array | string)[], options: Omit<MergeSources, 'inputs'> = {}): Buffer {
  const inputs = files.map((bytes, i) => sourceOf(bytes, `input-${i}`))
  const sink = memorySink()
  writeMerge(sink, planMerge({ form: 'jsonl', ...options, inputs }), inputs)
  return sink.bytes()
}
