import { Fault } from '../contract/faults.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import { createRowReader } from '../snapshot/row-reader.ts'
import { openSource, type Source } from '../snapshot/source.ts'
import { type Survey, surveySnapshot } from '../snapshot/survey.ts'
import { systemFault } from '../snapshot/system-fault.ts'
import { guardedSync } from './device-world.ts'
import { findId } from './find-id.ts'
import type { Opened } from './opened.ts'
import type { Damage, ListOptions, Shown } from './types.ts'

/** The live memories of a file, oldest first, read as they are asked for. */
export function listMemories(
  opened: Opened,
  options: ListOptions = {}
): { records: Iterable<MemoryRecord>; damaged: Damage[] } {
  return guardedSync(`read ${opened.path}`, () => {
    const source = openSource(opened.world.files, opened.path)
    const survey = surveySnapshot(source)
    const rows = liveRows(survey)
    return { records: chosen(source, { rows, survey, options }), damaged: survey.reading.damaged }
  })
}

type Listing = { rows: number[]; survey: Survey; options: ListOptions }

function liveRows({ table }: Survey): number[] {
  return Array.from(table.kept()).filter((row) => table.row(row).kind === 'memory')
}

function* chosen(source: Source, { rows, survey, options }: Listing): Generator<MemoryRecord> {
  const reader = createRowReader(source)
  const read = (row: number): MemoryRecord => reader.record(survey.table.row(row)) as MemoryRecord
  try {
    for (const row of newest(rows, read, options)) {
      const record = read(row)
      if (isChosen(record, options)) yield record
    }
  } catch (error) {
    throw systemFault(error, `read ${source.path}`)
  } finally {
    source.close()
  }
}

/** The last so many that are chosen, found from the end: nothing before them is read. */
function newest(rows: number[], read: (row: number) => MemoryRecord, options: ListOptions): number[] {
  if (options.limit === undefined) return rows
  let first = rows.length
  for (let left = options.limit; left > 0 && first > 0; ) {
    first--
    if (isChosen(read(rows[first] as number), options)) left--
  }
  return rows.slice(first)
}

function isChosen({ at, speaker, conversation }: MemoryRecord, options: ListOptions): boolean {
  if (options.since !== undefined && at < options.since) return false
  if (options.until !== undefined && at > options.until) return false
  if (options.speaker !== undefined && speaker !== options.speaker) return false
  return options.conversation === undefined || conversation === options.conversation
}

/**
 * One memory by its id or a prefix of it, the one that was forgotten too while its line is still there.
 * @throws Fault `not_found`, `usage` for a prefix that is too short or of several.
 */
export function showMemory(opened: Opened, idOrPrefix: string): Shown {
  return guardedSync(`read ${opened.path}`, () => {
    const source = openSource(opened.world.files, opened.path)
    try {
      const { table } = surveySnapshot(source)
      const id = findId(table, idOrPrefix)
      const winner = table.winner(id)
      if (winner < 0) throw new Fault('not_found', `${idOrPrefix} was forgotten, and its text is no longer in the file`)
      const row = table.row(winner)
      const record = createRowReader(source).record(row) as MemoryRecord
      return { record, line: row.line, offset: row.offset, bytes: row.length, forgotten: table.forget(id) >= 0 }
    } finally {
      source.close()
    }
  })
}
