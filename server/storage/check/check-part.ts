import type { Database, DatabasePages, StorageFailure } from '../database/dialect.ts'
import { fromStored } from '../database/stored-values.ts'
import { TABLE_RULES } from '../database/table-rules.ts'
import type { Db } from '../database/tables.ts'
import type { CheckAsked, CheckedPart, CheckFinding } from '../port/check-storage.ts'
import { checkCounters, checkLines } from './check-lines.ts'
import { checkRows, type KeyValue } from './check-rows.ts'

export type CheckParts = Database & { pages?: DatabasePages | undefined }

/** A pass checks the file, then the lines of each collection, then the other tables. */
type Position =
  | { at: 'file' }
  | { at: 'lines'; collectionId: string; after: number }
  | { at: 'next_collection'; after: string }
  | { at: 'rows'; table: number; after: readonly KeyValue[] }

type Step = Omit<CheckedPart, 'position'> & { next: Position | undefined }

/** Verifies the next part, as documented at `Storage.checkPart`. */
export async function checkPart(parts: CheckParts, asked: CheckAsked): Promise<CheckedPart> {
  const position = positionFrom(asked)
  try {
    const { next, ...found } = await step(parts, asked, position)
    return { ...found, position: next && JSON.stringify(next) }
  } catch (error) {
    const failure = parts.dialect.toFailure(error)
    if (failure?.isDamage !== true) throw error
    const next = after(position)
    return { lines: 0, rows: 0, findings: [unreadable(position, failure)], position: next && JSON.stringify(next) }
  }
}

/** Parses a position. One that cannot be read starts a new pass. */
function positionFrom({ position, withFile }: CheckAsked): Position {
  const first: Position = withFile ? { at: 'file' } : FIRST_COLLECTION
  if (position === undefined) return first
  try {
    const value = fromStored<Position>(position)
    return KNOWN.includes(value.at) ? value : first
  } catch {
    return first
  }
}

const FIRST_COLLECTION: Position = { at: 'next_collection', after: '' }
const FIRST_TABLE: Position = { at: 'rows', table: 0, after: [] }
const KNOWN: readonly string[] = ['file', 'lines', 'next_collection', 'rows'] satisfies Position['at'][]

async function step(parts: CheckParts, asked: CheckAsked, position: Position): Promise<Step> {
  const { mode, maxBytes, now } = asked
  switch (position.at) {
    case 'file':
      return { lines: 0, rows: 0, findings: (await parts.pages?.check(mode)) ?? [], next: FIRST_COLLECTION }
    case 'next_collection': {
      const id = await nextCollection(parts.db, position.after)
      const next: Position = id === undefined ? FIRST_TABLE : { at: 'lines', collectionId: id, after: 0 }
      return { lines: 0, rows: 0, findings: [], next }
    }
    case 'lines': {
      const { collectionId } = position
      const page = await checkLines(parts, { collectionId, after: position.after, mode, maxBytes, now })
      const { lines, findings } = page
      if (page.after !== undefined)
        return { lines, rows: 0, findings, next: { at: 'lines', collectionId, after: page.after } }
      const counters = await checkCounters(parts, { collectionId, mode })
      return { lines, rows: 0, findings: [...findings, ...counters], next: after(position) }
    }
    case 'rows': {
      const rule = TABLE_RULES[position.table]
      if (rule === undefined) return { lines: 0, rows: 0, findings: [], next: undefined }
      const page = await checkRows(parts, rule, { after: position.after, mode, now })
      const next: Position | undefined =
        page.after === undefined ? after(position) : { at: 'rows', table: position.table, after: page.after }
      return { lines: 0, rows: page.rows, findings: page.findings, next }
    }
  }
}

/** Returns the position of the section that follows. */
function after(position: Position): Position | undefined {
  switch (position.at) {
    case 'file':
      return FIRST_COLLECTION
    case 'lines':
      return { at: 'next_collection', after: position.collectionId }
    case 'next_collection':
      return FIRST_TABLE
    case 'rows':
      return position.table + 1 < TABLE_RULES.length ? { at: 'rows', table: position.table + 1, after: [] } : undefined
  }
}

/** Returns the next collection by id. PostgreSQL does not accept an empty text as an id. */
async function nextCollection(db: Db, after: string): Promise<string | undefined> {
  const all = db.withoutPlugins().selectFrom('collections').select('id').where('deleted_at', 'is', null)
  const rest = after === '' ? all : all.where('id', '>', after)
  return (await rest.orderBy('id').limit(1).executeTakeFirst())?.id
}

function unreadable(position: Position, { reason }: StorageFailure): CheckFinding {
  const table = position.at === 'rows' ? (TABLE_RULES[position.table]?.table ?? '') : TABLE_OF[position.at]
  const collectionId = position.at === 'lines' ? position.collectionId : undefined
  return {
    table,
    collectionId,
    place: collectionId ?? table,
    problem: `cannot be read: ${reason}`,
    outcome: 'found',
    hint: 'restore the database from a backup'
  }
}

const TABLE_OF = { file: 'file', lines: 'records', next_collection: 'collections' } as const
