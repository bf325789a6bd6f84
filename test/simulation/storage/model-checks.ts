import type {
  CheckAsked,
  CheckedPart,
  CheckFinding,
  CheckStorage,
  Scrub
} from '../../../server/storage/port/check-storage.ts'
import { RECORD_KINDS } from '../../../server/storage/port/record-batch.ts'
import { findCollection, isUsed } from './model-lookups.ts'
import { modelRecords } from './model-records.ts'
import { joinKey, type ModelRows, ONLY_ROW, ROW_KEYS, type ScrubRow } from './model-rows.ts'
import { compareValues, type ModelMethods, type ModelTransaction } from './model-transaction.ts'

/**
 * A model is damaged only if the server wrote wrong data, which no repair may hide. Therefore all modes only report.
 */
export const modelChecks: ModelMethods<CheckStorage> = {
  checkPart(transaction, asked) {
    const position = toPosition(asked)
    return 'table' in position ? checkTable(transaction, position.table) : checkLines(transaction, position, asked)
  },

  listAsideEntries: () => [],

  claimScrub(transaction, { owner, now, until, endedBy }) {
    const row = transaction.find('scrub', ONLY_ROW) ?? NEVER
    const { endedAt, position } = row
    const isFree =
      row.owner === undefined || row.owner === owner || row.leaseUntil === undefined || row.leaseUntil <= now
    const isDue = position !== undefined || endedAt === undefined || endedAt <= endedBy || endedAt > now
    if (!isFree || !isDue) return toScrub(row, false)
    transaction.put('scrub', { ...row, owner, leaseUntil: until })
    return toScrub(row, true)
  },

  keepScrub(transaction, owner, { now, until, position, found, ended }) {
    const row = transaction.find('scrub', ONLY_ROW)
    if (row?.owner !== owner) return false
    const kept = ended ? { position: undefined, found: 0, endedAt: now, damage: found } : { position, found }
    transaction.put('scrub', { ...row, leaseUntil: until, ...kept })
    return true
  },

  replaceScrub(transaction, { now, damage }) {
    transaction.put('scrub', { ...NEVER, endedAt: now, damage })
  }
}

const NEVER: ScrubRow = {
  ...{ owner: undefined, leaseUntil: undefined, position: undefined, found: 0, endedAt: undefined, damage: 0 }
}

function toScrub({ position, found, endedAt, damage }: ScrubRow, isOwn: boolean): Scrub {
  return { isOwn, position, found, endedAt, damage }
}

/** A pass goes through the lines of each collection, and then through the tables. */
type Position = { collectionId: string; after: number } | { table: number }

function toPosition({ position }: CheckAsked): Position {
  return position === undefined ? { collectionId: '', after: 0 } : (JSON.parse(position) as Position)
}

function toPart(next: Position | undefined, part: Omit<CheckedPart, 'position'>): CheckedPart {
  return { ...part, position: next && JSON.stringify(next) }
}

type LinesPosition = Exclude<Position, { table: number }>

function checkLines(transaction: ModelTransaction, position: LinesPosition, asked: CheckAsked): CheckedPart {
  const { collectionId, after } = position
  if (findCollection(transaction, collectionId) === undefined)
    return toPart(nextCollection(transaction, collectionId), { lines: 0, rows: 0, findings: [] })
  const range = { after, upTo: Number.MAX_SAFE_INTEGER, maxBytes: asked.maxBytes }
  const page = modelRecords.verifyLines(transaction, collectionId, range)
  const { lines, upTo, damaged } = page
  if (asked.mode === 'note') modelRecords.noteDamage(transaction, collectionId, { after, upTo, damaged })
  const findings = damaged.map(({ seq, reason }) => {
    return toFinding('records', `sequence number ${seq}`, { collectionId, problem: reason })
  })
  if (!page.isEnd) return toPart({ collectionId, after: upTo }, { lines, rows: 0, findings })
  const counters = checkCounters(transaction, collectionId)
  return toPart(nextCollection(transaction, collectionId), { lines, rows: 0, findings: [...findings, ...counters] })
}

function nextCollection(transaction: ModelTransaction, after: string): Position {
  const [next] = transaction
    .select('collections', ({ id, deletedAt }) => id > after && deletedAt === undefined)
    .toSorted((one, other) => compareValues(one.id, other.id))
  return next === undefined ? { table: 0 } : { collectionId: next.id, after: 0 }
}

function checkCounters(transaction: ModelTransaction, collectionId: string): CheckFinding[] {
  const head = findCollection(transaction, collectionId)
  if (head === undefined) return []
  const lines = transaction.select('records', (row) => row.collectionId === collectionId)
  const memories = lines.filter(({ kind }) => kind === RECORD_KINDS.memory).length
  const last = lines.reduce((most, { seq }) => Math.max(most, seq), 0)
  const seqs = new Set(lines.map(({ seq }) => seq))
  const all = transaction.select('damagedLines', (note) => note.collectionId === collectionId)
  const notes = all.filter(({ seq }) => seqs.has(seq)).length
  const problems = [
    head.memories === memories ? [] : [`counts ${head.memories} memories but has ${memories}`],
    head.seq >= last ? [] : [`has a sequence counter of ${head.seq} but a line with number ${last}`],
    head.damaged === all.length && all.length === notes
      ? []
      : [`counts ${head.damaged} damaged lines but has notes of ${notes}`]
  ].flat()
  return problems.map((problem) => toFinding('collections', collectionId, { collectionId, problem }))
}

/** The rules for the rows of a table besides their columns. Each returns what is wrong with a row. */
type TableRules = {
  readonly [Table in keyof ModelRows]?: (transaction: ModelTransaction, row: ModelRows[Table]) => (string | false)[]
}

const RULES: TableRules = {
  connections: (transaction, row) => [
    transaction.find('collections', row.collectionId) === undefined && 'its collection is missing',
    row.credentialId !== undefined &&
      transaction.find('credentials', row.credentialId) === undefined &&
      'its credential is missing',
    row.revokedAt === undefined &&
      row.credentialId === undefined &&
      row.lastError === undefined &&
      'it has neither a credential nor an error that says why',
    row.revokedAt === undefined &&
      row.itemsSynced !== countWithContent(transaction, row.id) &&
      'its count of synced items is wrong'
  ],
  credentials: (transaction, { id, unusedSince }) => [
    unusedSince !== undefined && isUsed(transaction, id) && 'it is marked as unused, but a connection uses it',
    unusedSince === undefined && !isUsed(transaction, id) && 'it is marked as used, but no connection uses it'
  ],
  items: lacksConnection,
  references: (transaction, { collectionId, memoryKey, connectionId, itemId }) => {
    const connection = connectionId === undefined ? undefined : transaction.find('connections', connectionId)
    const memory = joinKey(collectionId, memoryKey, String(RECORD_KINDS.memory))
    return [
      transaction.find('collections', collectionId) === undefined && 'its collection is missing',
      connectionId !== undefined && connection === undefined && 'its connection is missing',
      connection !== undefined &&
        connection.revokedAt === undefined &&
        transaction.find('items', joinKey(connection.id, itemId)) === undefined &&
        'its item is missing',
      findCollection(transaction, collectionId) !== undefined &&
        transaction.find('records', memory) === undefined &&
        'its memory is missing'
    ]
  },
  ledger: lacksConnection,
  reads: lacksConnection,
  runs: lacksConnection,
  grants: (transaction, { keyId, collectionId }) => [
    transaction.find('keys', keyId) === undefined && 'its key is missing',
    transaction.find('collections', collectionId) === undefined && 'its collection is missing'
  ]
}

const CHECKED_TABLES = [
  ...(['connections', 'credentials', 'items', 'references', 'ledger', 'reads', 'runs'] as const),
  ...(['attempts', 'keys', 'grants', 'collections'] as const)
]

function checkTable(transaction: ModelTransaction, at: number): CheckedPart {
  const table = CHECKED_TABLES[at]
  if (table === undefined) return toPart(undefined, { lines: 0, rows: 0, findings: [] })
  const part = checkRows(transaction, table)
  return toPart(at + 1 < CHECKED_TABLES.length ? { table: at + 1 } : undefined, part)
}

function checkRows<Table extends keyof ModelRows>(transaction: ModelTransaction, table: Table) {
  const rows = transaction.select(table)
  const rule = RULES[table]
  const findings = rows.flatMap((row) => {
    const collectionId = 'collectionId' in row ? row.collectionId : undefined
    const problems = (rule?.(transaction, row) ?? []).filter((problem) => problem !== false)
    return problems.map((problem) => toFinding(table, ROW_KEYS[table](row), { collectionId, problem }))
  })
  return { lines: 0, rows: rows.length, findings }
}

function lacksConnection(transaction: ModelTransaction, { connectionId }: { connectionId: string }) {
  return [transaction.find('connections', connectionId) === undefined && ('its connection is missing' as const)]
}

function countWithContent(transaction: ModelTransaction, id: string): number {
  return transaction.select('items', (row) => row.connectionId === id && row.contentHash !== undefined).length
}

function toFinding(
  table: string,
  place: string,
  { collectionId, problem }: Pick<CheckFinding, 'collectionId' | 'problem'>
): CheckFinding {
  return { table, collectionId, place, problem, outcome: 'found' }
}
