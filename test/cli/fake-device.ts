import type { DeviceModule } from '../../src/cli/ports/lazy-modules.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import type { Damage, Device, DiffReport, StoreInput, VerifyReport, Why } from '../../src/device/device.ts'
import { reportForgotten } from '../../src/search/answer/explain-absence.ts'
import type { WhyNotReport } from '../../src/search/answer/why-not-report.ts'
import { findLockHolder } from '../../src/snapshot/file/with-lock.ts'
import { parseJsonText } from '../../src/snapshot/json/json.ts'
import { NOW } from './fake-world.ts'

/** A fake device with fixed content that records its calls. */
export type FakeDevice = { module: DeviceModule; calls: [name: string, ...unknown[]][] }

export type DeviceWishes = {
  records?: readonly MemoryRecord[]
  damaged?: readonly Damage[]
  verify?: Partial<VerifyReport>
  diff?: DiffReport
  absence?: WhyNotReport
  /** Replacements for methods of the device. */
  device?: Partial<Device>
  parts?: Partial<DeviceModule>
}

export function fakeDevice(wishes: DeviceWishes = {}): FakeDevice {
  const calls: FakeDevice['calls'] = []
  const module: DeviceModule = {
    open: (_world, path, options) => {
      calls.push(['open', path, options])
      return { ...deviceAt(path, wishes, calls), ...wishes.device }
    },
    create: async (world, path, options) => {
      calls.push(['create', path, options])
      if (world.files.findEntry(path) !== undefined) throw new Fault('exists', `${path} already exists`)
      world.files.close(world.files.open(path, 'create'))
      return { path, id: `snp_${'0'.repeat(32)}` }
    },
    diff: (_world, a, b) => {
      calls.push(['diff', a, b])
      return wishes.diff ?? NO_DIFFERENCE
    },
    merge: async (world, options) => {
      calls.push(['merge', options])
      const fd = world.files.open(options.output, 'overwrite')
      world.files.write(fd, Buffer.from('merged\n'))
      world.files.close(fd)
      return { output: options.output, memories: 2, forgotten: 0, added: [1, 1], bytes: 7, root_hash: 'r', notes: [] }
    },
    openExistingExport: async () => undefined,
    receive: async (world, { chunks, ...options }) => {
      calls.push(['receive', options])
      const bytes: Uint8Array[] = []
      for await (const chunk of chunks) bytes.push(chunk)
      const text = Buffer.concat(bytes)
      options.onProgress?.({ records: 2, bytes: text.length, total: 3 })
      const fd = world.files.open(options.output, 'overwrite')
      world.files.write(fd, text)
      world.files.close(fd)
      const received = { records: 2, bytes: text.length, root_hash: 'abc' }
      return { ...RECEIVED, path: options.output, bytes: text.length, received }
    },
    parts: (world, path) => {
      calls.push(['parts', path])
      return [{ bytes: Buffer.from(`${world.files.find(path)?.size} bytes\n`), records: 2 }]
    },
    lockHolder: findLockHolder,
    dropIndex: (_world, path) => calls.push(['dropIndex', path]),
    parseJson: parseJsonText,
    ...wishes.parts
  }
  return { module, calls }
}

/** Builds a stored record. `n` determines its id. */
export function memory(n: number, text: string, more: Partial<MemoryRecord> = {}): MemoryRecord {
  const id = `mem_${n.toString(16).padStart(32, '0')}`
  return { type: 'memory', id, at: '2026-04-01T08:00:00.000Z', text, extractor: 0, ...more }
}

export const NO_DIFFERENCE: DiffReport = {
  equal: true,
  memories: { added: [], gone: [], forgotten: [], changed: [] },
  facts: { added: [], gone: [], revalued: [] }
}

function deviceAt(path: string, wishes: DeviceWishes, calls: FakeDevice['calls']): Device {
  const records = wishes.records ?? []
  const damaged = [...(wishes.damaged ?? [])]
  return {
    path,
    store: async (input) => {
      calls.push(['store', input])
      const record = recordOf(input)
      return { id: record.id, at: record.at, record, notes: [] }
    },
    preview: async (input) => recordOf(input),
    storeBatch: async (source, options) => {
      calls.push(['storeBatch', source])
      for (const record of records) options?.onRecord?.(record)
      options?.onProgress?.({ lines: 2, stored: 1, bytesRead: 5, bytesTotal: 10 })
      return { lines: 3, stored: 2, known: 1, differed: 0, forgotten: 0, seconds: 0.1, notes: ['a note'] }
    },
    correct: async (id, text, { dryRun, signal: _signal, ...details } = {}) => {
      calls.push([dryRun ? 'preview' : 'correct', id, text, details])
      const record = { ...recordOf({ ...details, text }), supersedes: [id] }
      return { id: record.id, at: record.at, record, notes: [] }
    },
    search: async (query, options) => {
      calls.push(['search', query, options])
      const sources = records.map(({ id, text, at, speaker, metadata }) => ({
        ...{ id, score: 0.5, source_ids: [id], text, speaker: speaker ?? null, timestamp: at },
        ...{ title: null, url: null, metadata: metadata ?? {} }
      }))
      const response = { semantics: [], procedures: [], episodes: [], sources }
      const coverageOf = (text: string): number => (text.includes(query) ? 1 : 0)
      return { response, placesIn: (text) => placesOf(query, text), coverageOf, damaged, vanished: [], notes: [] }
    },
    whyNot: async (query, id, options) => {
      calls.push(['whyNot', query, id, options])
      return { report: wishes.absence ?? reportForgotten(id), damaged, vanished: [], notes: [] }
    },
    list: (options) => {
      calls.push(['list', options])
      return { records, damaged }
    },
    ...browse(records),
    show: (id) => {
      const record = records.find((one) => one.id.startsWith(id))
      if (record === undefined) throw new Fault('not_found', `there is no memory ${id}`)
      return { record, line: 2, offset: 0, bytes: 10, forgotten: false }
    },
    why: async (id) => explain(records, id, damaged),
    forget: async (ids, options) => {
      calls.push(['forget', ids, options])
      return { forgotten: [...ids], already: [], fallen: 0, remains: ['The text stays in the file.'], notes: [] }
    },
    stats: async () => ({ ...STATS, path, damaged: damaged.length, damaged_lines: damaged }),
    verify: async () => ({ ...SOUND, path, ...wishes.verify }),
    compact: async (options) => {
      calls.push(['compact', options])
      return { ...COMPACTED, path }
    },
    close: () => void calls.push(['close'])
  }
}

function browse(records: readonly MemoryRecord[]): Pick<Device, 'recent' | 'read'> {
  return {
    recent: async () => ({ records: [...records], next: null, total: records.length, first_at: null, last_at: null }),
    read: async (ids) =>
      records.filter(({ id }) => ids.includes(id)).map((record) => ({ id: record.id, turns: [record] }))
  }
}

/** Explains a memory without any entries. */
function explain(records: readonly MemoryRecord[], id: string, damaged: Damage[]): Why {
  const record = records.find((one) => one.id.startsWith(id))
  if (record === undefined) throw new Fault('not_found', `there is no memory ${id}`)
  const { id: found } = record
  const report = { id: found, superseded_by: null, supersedes: [], facts: [], procedures: [], events: [] }
  return { record, line: 2, offset: 0, bytes: 10, forgotten: false, report, damaged, vanished: [], notes: [] }
}

/** Finds the exact query in a text. */
function placesOf(query: string, text: string) {
  const start = text.indexOf(query)
  return start < 0 ? [] : [{ term: query, start, end: start + query.length, weight: 1 }]
}

function recordOf({ text, at, speaker, conversation, position, metadata }: StoreInput): MemoryRecord {
  const given = { speaker, conversation, position, metadata }
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return memory(1, text, { at: at ?? new Date(NOW).toISOString(), ...present })
}

const STATS = {
  ...{ form: 'jsonl' as const, bytes: 2048, memories: 3, forgotten: 0, unknown: 0, surplus: 0 },
  ...{ conversations: 1, speakers: 2, first_at: null, last_at: null, text_bytes: 100 },
  ...{ damaged: 0, damaged_lines: [], lost: 0, aside_bytes: 0, index: null },
  ...{ entities: 2, facts: 3, facts_current: 2, facts_superseded: 1, facts_contradicted: 0, facts_left_out: 0 },
  ...{ procedures: 1, events: 0, top_entities: [{ name: 'Ada', mentions: 2 }] },
  ...{ top_predicates: [{ key: 'lives_in', facts: 2 }] }
}

const SOUND: Omit<VerifyReport, 'path'> = {
  ...{ form: 'jsonl', sound: true, lines: 4, memories: 3, forgotten: 0, unknown: 0, known_ids: 3, root_hash: 'abc' },
  ...{ damaged: [], lost: 0, lost_reason: null, tail: null, notes: [] }
}

const RECEIVED = { memories: 2, forgotten: 0, root_hash: 'abc', kept: 0 }

const COMPACTED = {
  ...{ memories: 3, bytes_before: 2048, bytes_after: 1024, dropped: 1, re_extracted: 0, aside: 0 },
  ...{ root_hash: 'abc', notes: [] }
}
