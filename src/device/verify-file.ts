import { openSource } from '../snapshot/file/source.ts'
import { surveyInParts } from '../snapshot/survey.ts'
import { summarizeSurvey } from '../snapshot/verify-snapshot.ts'
import type { Damage, VerifyReport } from './device.ts'
import { createSurveyHelp, type Opened, stopIfAborted, withSystemFaults } from './device-world.ts'

/** The state after cancelling an operation that only reads a file. */
export const UNTOUCHED = 'the file is unchanged'

/** Reads every line, and reports what is in the file, what is damaged or lost, and which deviations are tolerated. */
export async function verifyFile({ world, path }: Opened, signal?: AbortSignal): Promise<VerifyReport> {
  return withSystemFaults(`read ${path}`, async () => {
    stopIfAborted(signal, UNTOUCHED)
    const source = openSource(world.files, path)
    try {
      const { reading, table, losses, sound, rootHash, notes } = summarizeSurvey(
        await surveyInParts(source, createSurveyHelp(world, signal, UNTOUCHED))
      )
      const { memories, forgotten, unknown } = table.counts()
      return {
        path: source.path,
        form: reading.form,
        sound,
        lines: reading.lines,
        memories,
        forgotten,
        unknown,
        known_ids: table.ids.size,
        root_hash: rootHash,
        damaged: toDamage(reading.damaged),
        lost: losses.lost,
        lost_reason: losses.reason,
        tail: reading.tail === undefined ? null : { bytes: reading.tail.bytes, sound: reading.tail.sound },
        notes
      }
    } finally {
      source.close()
    }
  })
}

/** Converts damaged lines for a report, without their number of bytes. */
export function toDamage(damaged: readonly Damage[]): Damage[] {
  return damaged.map(({ line, offset, reason }) => ({ line, offset, reason }))
}
