import type { MemoryRecord } from '../contract/snapshot.ts'
import { timeText } from '../memory/iso-time.ts'
import { appendLines } from '../snapshot/append.ts'
import { withLock } from '../snapshot/file/lock.ts'
import { resolveSnapshotPath } from '../snapshot/file/source.ts'
import { type DeviceWorld, guarded, stopIfAborted } from './device-world.ts'
import { loadUnderstanding } from './load-understanding.ts'
import { makeRecord, recordLine, understood } from './make-record.ts'
import type { Opened } from './opened.ts'
import { testInput } from './test-input.ts'
import type { Stored, StoreInput } from './types.ts'

/**
 * The record that storing would write now. Without a time of its own it is said now, and so is a new memory each time.
 * @throws Fault as storing would for this input.
 */
export async function previewRecord(opened: Opened, input: StoreInput): Promise<MemoryRecord> {
  const record = await newRecord(opened, input)
  recordLine(record)
  return record
}

/** Remembers one text. When it resolves the memory is on the disk. The cost does not depend on the file's size. */
export async function storeOne(opened: Opened, input: StoreInput, signal?: AbortSignal): Promise<Stored> {
  const { world, path, options } = opened
  const record = await newRecord(opened, input)
  const lines = Buffer.from(recordLine(record))
  return guarded(`store into ${path}`, async () => {
    const real = resolveSnapshotPath(world.files, path)
    const appended = await withLock(world, { path: real, waitMs: options.lockWaitMs, signal }, () => {
      stopIfAborted(signal, 'nothing was stored')
      return appendLines(world.files, real, { lines, witness: opened.witness(real) })
    })
    return { id: record.id, at: record.at, record, notes: asideNotes(real, appended.asideBytes) }
  })
}

async function newRecord({ world, options }: Opened, input: StoreInput): Promise<MemoryRecord> {
  const { text, metadata, fields } = testInput(input)
  const record = makeRecord({ text, metadata, fields, now: () => nowText(world), undated: false })
  return understood(record, await loadUnderstanding(options))
}

/** What is said when an unfinished line was found at the end of the file. */
export function asideNotes(path: string, bytes: number): string[] {
  if (bytes === 0) return []
  return [`an unfinished line (${bytes} bytes, never acknowledged) was put into ${path}.aside`]
}

/** Now as a time's text; a clock out of all bounds counts as the first moment there is. */
export function nowText({ clock }: Pick<DeviceWorld, 'clock'>): string {
  return timeText(clock.now()) ?? timeText(0) ?? ''
}
