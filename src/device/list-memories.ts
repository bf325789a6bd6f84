import { Fault } from '../contract/faults.ts'
import type { MemoryRecord } from '../contract/snapshot.ts'
import { parseIsoTime } from '../memory/parse-iso-time.ts'
import type { FileFacts } from '../ports.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { toSystemFault } from '../snapshot/file/to-system-fault.ts'
import { type Survey, surveySnapshot } from '../snapshot/survey.ts'
import { createRowReader } from '../snapshot/table/row-reader.ts'
import type { Damage, ListOptions, ShownMemory } from './device.ts'
import { type Opened, withSystemFaultsSync } from './device-world.ts'
import { findId } from './find-id.ts'
import { isSameFile } from './index/index-files.ts'

/**
 * The live memories of a file, oldest first, read as they are asked for: of the file as it is then, where it has changed.
 * @throws Fault `usage` for a time or a limit that is none.
 */
export function listMemories(
  opened: Opened,
  options: ListOptions = {}
): { records: Iterable<MemoryRecord>; damaged: Damage[] } {
  const wanted = parseListOptions(options)
  return withSystemFaultsSync(`read ${opened.path}`, () => {
    const source = openSource(opened.world.files, opened.path)
    try {
      const listing = readListing(source)
      const damaged = listing.survey.reading.damaged.map(({ line, offset, reason }) => ({ line, offset, reason }))
      return { records: { [Symbol.iterator]: () => readChosen(opened, listing, wanted) }, damaged }
    } finally {
      source.close()
    }
  })
}

type Listing = { facts: FileFacts; survey: Survey; rows: number[] }

function readListing(source: Source): Listing {
  const survey = surveySnapshot(source)
  const { table } = survey
  const rows = Array.from(table.listKept()).filter((row) => table.row(row).kind === 'memory')
  return { facts: source.facts, survey, rows }
}

/** No file stays open for a list that nobody reads. */
function* readChosen(opened: Opened, listing: Listing, options: ListOptions): Generator<MemoryRecord> {
  let source: Source | undefined
  try {
    source = openSource(opened.world.files, opened.path)
    const { rows, survey } = isSameFile(listing.facts, source.facts) ? listing : readListing(source)
    const reader = createRowReader(source)
    const read = (row: number): MemoryRecord => reader.record(survey.table.row(row)) as MemoryRecord
    for (const row of selectNewest(rows, read, options)) {
      const record = read(row)
      if (isChosen(record, options)) yield record
    }
  } catch (error) {
    throw toSystemFault(error, `read ${opened.path}`)
  } finally {
    source?.close()
  }
}

/** The last so many that are chosen, found from the end: nothing before them is read. */
function selectNewest(rows: number[], read: (row: number) => MemoryRecord, options: ListOptions): number[] {
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
  if (options.until !== undefined && at >= options.until) return false
  if (options.speaker !== undefined && speaker !== options.speaker) return false
  return options.conversation === undefined || conversation === options.conversation
}

/** Times as snapshots hold them, so that they can be compared as texts. */
function parseListOptions({ limit, since, until, ...more }: ListOptions): ListOptions {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new Fault('usage', `the limit must be a whole number from 1, not ${limit}`)
  }
  return { ...more, limit, since: parseTime('since', since), until: parseTime('until', until) }
}

function parseTime(name: string, text: string | undefined): string | undefined {
  const time = text === undefined ? undefined : parseIsoTime(text)
  if (text === undefined || time !== undefined) return time
  throw new Fault('usage', `\`${name}\` must be a time in ISO 8601, like 2026-01-02T03:04:05Z`)
}

/**
 * One memory by its id or a prefix of it, the one that was forgotten too while its line is still there.
 * @throws Fault `not_found`, `usage` for a prefix that is too short or of several.
 */
export function showMemory(opened: Opened, idOrPrefix: string): ShownMemory {
  return withSystemFaultsSync(`read ${opened.path}`, () => {
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
