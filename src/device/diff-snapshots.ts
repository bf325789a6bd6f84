import type { MemoryRecord } from '../contract/snapshot.ts'
import { diffSources } from '../snapshot/diff-sources.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { assertSound } from '../snapshot/survey.ts'
import type { DiffReport, MemoryBrief } from './device.ts'
import { type DeviceWorld, withSystemFaultsSync } from './device-world.ts'

/**
 * Compares snapshots A and B by content.
 * @throws Fault `invalid_snapshot` if one of them is damaged, because missing lines would look like changes.
 */
export function diffSnapshots({ files }: DeviceWorld, a: string, b: string): DiffReport {
  return withSystemFaultsSync(`compare ${a} and ${b}`, () => {
    const before = openSource(files, a)
    let after: Source | undefined
    try {
      after = openSource(files, b)
      const { added, gone, forgotten, changed, facts, surveys } = diffSources(before, after)
      assertSound(a, surveys[0])
      assertSound(b, surveys[1])
      const counts = [added, gone, forgotten, changed, facts.added, facts.gone, facts.revalued].map(
        (list) => list.length
      )
      return {
        equal: counts.every((count) => count === 0),
        memories: {
          added: added.map(toBrief),
          gone: gone.map(toBrief),
          forgotten: forgotten.map(toBrief),
          changed: changed.map(toBrief)
        },
        facts
      }
    } finally {
      before.close()
      after?.close()
    }
  })
}

function toBrief({ id, at, speaker, text }: MemoryRecord): MemoryBrief {
  return { id, at, speaker: speaker ?? null, text }
}
