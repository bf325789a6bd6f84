import { Fault, faultLike } from '../contract/faults.ts'
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
 * Lists the live memories of a file, oldest first, and reads each on demand. If the file changes, the new content is
 * read.
 * @throws Fault `usage` for an invalid time or limit.
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

/** Opens the file only when the list is read. */
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

/** Selects the last `limit` memories that match, searching from the end; nothing before them is read. */
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

/** Converts times to the format of snapshots, so that they can be compared as text. */
function parseListOptions({ limit, since, until, ...more }: ListOptions): ListOptions {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 1)) {
    throw new Fault('usage', `invalid limit ${limit}: expected a whole number of at least 1`)
  }
  return { ...more, limit, since: parseTime('since', since), until: parseTime('until', until) }
}

function parseTime(name: string, text: string | undefined): string | undefined {
  const time = text === undefined ? undefined : parseIsoTime(text)
  if (text === undefined || time !== undefined) return time
  throw new Fault('usage', `invalid \`${name}\`: expected a time in ISO 8601, such as 2026-01-02T03:04:05Z`)
}

/**
 * Returns one memory by its id or a prefix, even a forgotten one whose line is still in the file.
 * @throws Fault `not_found`, or `usage` for a prefix that is too short or ambiguous.
 */
export function showMemory(opened: Opened, idOrPrefix: string): ShownMemory {
  return withSystemFaultsSync(`read ${opened.path}`, () => {
    const source = openSource(opened.world.files, opened.path)
    try {
      const survey = surveySnapshot(source)
      const { table } = survey
      const id = findReadId(survey, idOrPrefix)
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

/** Finds an id. If lines are damaged, the hint of the fault says that one of them may be the missing memory. */
function findReadId({ table, reading: { damaged, unlisted } }: Survey, idOrPrefix: string): number {
  try {
    return findId(table, idOrPrefix)
  } catch (error) {
    const count = damaged.length + unlisted
    if (!(error instanceof Fault) || error.code !== 'not_found' || count === 0) throw error
    const lines = count === 1 ? 'the damaged line' : `one of the ${count} damaged lines`
    throw faultLike(error, { hint: `it may be ${lines} of the file; to list damage: memctl device verify` })
  }
}
