import type { MemoryRecord } from '../contract/snapshot.ts'
import { toAsidePath } from '../snapshot/aside.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { type Survey, surveyInParts } from '../snapshot/survey.ts'
import { createRowReader } from '../snapshot/table/row-reader.ts'
import { judgeSurvey } from '../snapshot/verify.ts'
import { guarded, stopIfAborted, surveyHelp } from './device-world.ts'
import type { GraphCount } from './graph-stats.ts'
import type { Opened } from './opened.ts'
import type { Damage, Stats, VerifyReport } from './types.ts'

const UNTOUCHED = 'the file is as it was'

/** Reads every line and says what is in the file, what is damaged or lost, and what is merely odd. */
export async function verifyFile({ world, path }: Opened, signal?: AbortSignal): Promise<VerifyReport> {
  return guarded(`read ${path}`, async () => {
    stopIfAborted(signal, UNTOUCHED)
    const source = openSource(world.files, path)
    try {
      const { reading, table, losses, sound, rootHash, notes } = judgeSurvey(
        await surveyInParts(source, surveyHelp(world, signal, UNTOUCHED))
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
        damaged: placesOf(reading.damaged),
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

function placesOf(damaged: readonly Damage[]): Damage[] {
  return damaged.map(({ line, offset, reason }) => ({ line, offset, reason }))
}

/** Counts and sizes of a file and of its index. */
export async function statsOf(opened: Opened, signal?: AbortSignal): Promise<Stats> {
  const { world, path } = opened
  return guarded(`read ${path}`, async () => {
    stopIfAborted(signal, UNTOUCHED)
    const source = openSource(world.files, path)
    try {
      const [{ indexStats }, { createGraphCount }] = await Promise.all([
        import('./index-stats.ts'),
        import('./graph-stats.ts')
      ])
      const graph = createGraphCount()
      const survey = await surveyInParts(source, surveyHelp(world, signal, UNTOUCHED))
      const { reading, losses, table } = survey
      return {
        path: source.path,
        form: reading.form,
        bytes: source.facts.size,
        ...table.counts(),
        ...contents(source, survey, graph),
        ...graph.stats(),
        damaged: reading.damaged.length + reading.unlisted,
        damaged_lines: placesOf(reading.damaged),
        lost: losses.lost,
        aside_bytes: world.files.find(toAsidePath(source.path))?.size ?? 0,
        index: await indexStats(world, source)
      }
    } finally {
      source.close()
    }
  })
}

type Contents = Pick<Stats, 'conversations' | 'speakers' | 'first_at' | 'last_at' | 'text_bytes'>

function contents(source: Source, { table }: Survey, graph: GraphCount): Contents {
  const reader = createRowReader(source)
  const conversations = new Set<string>()
  const speakers = new Set<string>()
  const found: Contents = { conversations: 0, speakers: 0, first_at: null, last_at: null, text_bytes: 0 }
  for (const number of table.listKept()) {
    const row = table.row(number)
    if (row.kind !== 'memory') continue
    const record = reader.record(row) as MemoryRecord
    const { text, at, speaker, conversation } = record
    graph.add(record)
    found.text_bytes += Buffer.byteLength(text)
    found.first_at ??= at
    found.last_at = at
    if (speaker !== undefined) speakers.add(speaker)
    if (conversation !== undefined) conversations.add(conversation)
  }
  return { ...found, conversations: conversations.size, speakers: speakers.size }
}
