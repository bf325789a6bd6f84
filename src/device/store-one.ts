import type { MemoryRecord } from '../contract/snapshot.ts'
import { formatTime } from '../memory/parse-iso-time.ts'
import { appendLines } from '../snapshot/append-lines.ts'
import { resolveSnapshotPath } from '../snapshot/file/source.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import type { Stored, StoreInput } from './device.ts'
import { type DeviceWorld, type Opened, stopIfAborted, withSystemFaults } from './device-world.ts'
import { loadUnderstanding, makeRecord, toRecordLine, understandRecord } from './make-record.ts'
import { validateStoreInput } from './validate-store-input.ts'

/**
 * Returns the record that `store` would write now. Without a time, it gets the current one and is a new memory each
 * time.
 * @throws Fault as `store` would for this input.
 */
export async function previewRecord(opened: Opened, input: StoreInput): Promise<MemoryRecord> {
  const record = await createRecord(opened, input)
  toRecordLine(record)
  return record
}

/** Stores one text, and resolves when the memory is on the disk. The cost does not depend on the file's size. */
export async function storeOne(opened: Opened, input: StoreInput, signal?: AbortSignal): Promise<Stored> {
  const { world, path, options } = opened
  const record = await createRecord(opened, input)
  const lines = Buffer.from(toRecordLine(record))
  return withSystemFaults(`store into ${path}`, async () => {
    const real = resolveSnapshotPath(world.files, path)
    const appended = await withLock(world, { path: real, waitMs: options.lockWaitMs, signal }, () => {
      stopIfAborted(signal, 'nothing was stored')
      return appendLines(world.files, real, { lines, witness: opened.witness(real) })
    })
    return { id: record.id, at: record.at, record, notes: describeAside(real, appended.asideBytes) }
  })
}

async function createRecord({ world, options }: Opened, input: StoreInput): Promise<MemoryRecord> {
  const record = makeRecord({ ...validateStoreInput(input), now: () => formatNow(world), undated: false })
  return understandRecord(record, await loadUnderstanding(options))
}

/** Returns a note about an unfinished line that was found at the end of the file. */
export function describeAside(path: string, bytes: number): string[] {
  if (bytes === 0) return []
  return [`an unfinished line (${bytes} bytes, never acknowledged) was moved to ${path}.aside`]
}

/** Returns the current time as text; the time of a clock that is out of range becomes the earliest possible one. */
export function formatNow({ clock }: Pick<DeviceWorld, 'clock'>): string {
  return formatTime(clock.now()) ?? formatTime(0) ?? ''
}
