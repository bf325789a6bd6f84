import type { MemoryRecord } from '../contract/snapshot.ts'
import { EXTRACTOR_VERSION } from '../memory/extractor-version.ts'
import type { Understand } from '../memory/understand.ts'
import { compactSnapshot } from '../snapshot/compact-snapshot.ts'
import { resolveSnapshotPath } from '../snapshot/file/source.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import type { JsonObject } from '../snapshot/json/json.ts'
import type { CompactOptions, CompactReport } from './device.ts'
import { createSurveyHelp, type Opened, stopIfAborted, withSystemFaults } from './device-world.ts'
import { understandRecord } from './make-record.ts'

const UNTOUCHED = 'the file is unchanged'

/** Rewrites the file in canonical form, without forgotten and superseded lines. */
export async function compactFile(
  opened: Opened,
  { reExtract, skipDamaged, dropForgets, format, signal }: CompactOptions & { signal?: AbortSignal } = {}
): Promise<CompactReport> {
  const { world, path, options } = opened
  return withSystemFaults(`compact ${path}`, async () => {
    const real = resolveSnapshotPath(world.files, path)
    const remake = reExtract ? createReExtraction((await import('../memory/understand.ts')).understand) : undefined
    const done = await withLock(world, { path: real, waitMs: options.lockWaitMs, signal }, () => {
      stopIfAborted(signal, UNTOUCHED)
      return compactSnapshot({ ...world, ...createSurveyHelp(world, signal, UNTOUCHED) }, real, {
        skipDamaged,
        dropForgets,
        form: format,
        remake
      })
    })
    return {
      path: real,
      memories: done.memories,
      bytes_before: done.bytesBefore,
      bytes_after: done.bytesAfter,
      dropped: done.dropped,
      re_extracted: done.remade,
      aside: done.asideLines,
      root_hash: done.rootHash,
      notes: describeSetAside(real, done.asideBytes)
    }
  })
}

/** Returns a note about bytes that were moved aside before a file was rewritten. */
export function describeSetAside(path: string, bytes: number): string[] {
  return bytes > 0 ? [`${bytes} bytes that were not valid lines were moved to ${path}.aside`] : []
}

/**
 * Creates a function that extracts a memory again with this version; it returns undefined if the existing extractor is
 * as new.
 */
export function createReExtraction(understand: Understand): (record: JsonObject) => JsonObject | undefined {
  return (record) => {
    const { extractor, facts: _facts, procedures: _procedures, events: _events, ...kept } = record as MemoryRecord
    if (extractor >= EXTRACTOR_VERSION) return undefined
    return understandRecord({ extractor, ...kept }, understand) as JsonObject
  }
}
