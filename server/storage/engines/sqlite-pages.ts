import { sql } from 'kysely'
import type { Clock } from '../../../src/ports.ts'
import type { DatabasePages, Dialect } from '../database/dialect.ts'
import type { Db } from '../database/tables.ts'
import type { CheckFinding, CheckMode, FindingOutcome } from '../port/check-storage.ts'
import { VACUUM_STEP } from './sqlite-connection.ts'

/** Pages released in one transaction: 1 MiB, about ten milliseconds of work. */
const STEP_PAGES = 256

/** Free pages that stay in the file for new data. */
const KEPT_PAGES = 256

/** How often the file is checked, and how many times longer than a step the rest after it takes. */
const LOOK_MS = 60_000
const REST_SHARE = 9

/**
 * Files with at most this much data are converted at a start, which takes about five seconds. Larger ones wait for a
 * repair.
 */
export const CONVERTED_BYTES_MAX = 256 * 1024 * 1024

/** `VACUUM` writes the data to a temporary file and to the log. */
const COPIES = 2

type Shrinking = { stop(): Promise<void> }

/**
 * Releases free pages of the file to the disk, in small steps with rests in between, so that no writer waits long.
 * Retries later if the disk refuses.
 */
export function startShrinking(db: Db, clock: Clock, dialect: Dialect): Shrinking {
  const stopped = new AbortController()
  const rest = (ms: number) => clock.wait(ms, stopped.signal).catch(() => undefined)
  const run = async () => {
    while (!stopped.signal.aborted) {
      await shrinkFile(db, { clock, rest, signal: stopped.signal }).catch((error: unknown) => {
        if (dialect.toFailure(error) === undefined) throw error
      })
      await rest(LOOK_MS)
    }
  }
  const running = run()
  // A bug rejects in `stop`, and does not end the process.
  running.catch(() => undefined)
  return {
    async stop() {
      stopped.abort()
      await running
    }
  }
}

type Pace = { clock: Clock; rest(ms: number): Promise<void>; signal: AbortSignal }

/** Releases free pages once. Does nothing to a file that was not converted. */
async function shrinkFile(db: Db, { clock, rest, signal }: Pace): Promise<void> {
  let before = await freePages(db)
  if (before <= KEPT_PAGES) return
  while (!signal.aborted) {
    const began = clock.ticks()
    await sql`${sql.raw(VACUUM_STEP)}(${sql.lit(Math.min(STEP_PAGES, before - KEPT_PAGES))})`.execute(db)
    const left = await freePages(db)
    if (left <= KEPT_PAGES || left >= before) break
    before = left
    await rest(Math.max(1, clock.ticks() - began) * REST_SHARE)
  }
  // The file is truncated when the log is checkpointed.
  await sql`pragma wal_checkpoint(passive)`.execute(db)
}

type Conversion = {
  /** Free bytes of the disk; undefined if the system does not report them. */
  freeBytes: number | undefined
  bytesMax: number
}

/**
 * Converts a file that cannot release free pages, once, with a `VACUUM` that rewrites the file. `too_large` and
 * `no_space` leave it unchanged.
 */
export async function convertFile(
  db: Db,
  { freeBytes, bytesMax }: Conversion
): Promise<'converted' | 'not_needed' | 'too_large' | 'no_space'> {
  if ((await pragma(db, 'auto_vacuum')) === INCREMENTAL) return 'not_needed'
  if ((await countUsedBytes(db)) > bytesMax) return 'too_large'
  if (!(await hasRoom(db, freeBytes))) return 'no_space'
  await vacuumFile(db)
  return 'converted'
}

/** Reports whether the disk has enough space to rewrite the file. */
async function hasRoom(db: Db, freeBytes: number | undefined): Promise<boolean> {
  return freeBytes === undefined || freeBytes >= (await countUsedBytes(db)) * COPIES
}

/** Rewrites the file. */
async function vacuumFile(db: Db): Promise<void> {
  await sql`pragma auto_vacuum = incremental`.execute(db)
  await sql`vacuum`.execute(db)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
}

async function countUsedBytes(db: Db): Promise<number> {
  const pages = (await pragma(db, 'page_count')) - (await freePages(db))
  return pages * (await pragma(db, 'page_size'))
}

const INCREMENTAL = 2

function freePages(db: Db): Promise<number> {
  return pragma(db, 'freelist_count')
}

async function pragma(db: Db, name: string): Promise<number> {
  const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(db)
  return rows[0]?.[name] ?? 0
}

/** Maximum number of page problems that are reported. */
const NAMED_MAX = 100

type PagesParts = { db: Db; path: string; freeBytes(): number | undefined }

/**
 * Verifies the pages of a SQLite file with `PRAGMA integrity_check`. A repair rebuilds all indexes from their tables,
 * and converts a file that cannot release free pages.
 */
export function sqlitePages({ db, path, freeBytes }: PagesParts): DatabasePages {
  return {
    async check(mode: CheckMode) {
      const problems = await integrityProblems(db)
      const findings = (named: readonly string[], outcome: FindingOutcome) =>
        named.map((problem) => toPageFinding(path, problem, outcome))
      if (mode !== 'repair') return findings(problems, 'found')
      const left = problems.length === 0 ? [] : await rebuild(db, freeBytes())
      const corrected = problems.filter((problem) => !left.includes(problem))
      const shrinks = left.length > 0 ? [] : await shrinkingFindings({ db, path, freeBytes })
      return [...findings(corrected, 'corrected'), ...findings(left, 'found'), ...shrinks]
    }
  }
}

async function integrityProblems(db: Db): Promise<string[]> {
  const { rows } = await sql<{ integrity_check: string }>`
    pragma integrity_check(${sql.lit(NAMED_MAX)})`.execute(db.withoutPlugins())
  const lines = rows.flatMap(({ integrity_check }) => integrity_check.split('\n'))
  return lines.filter((line) => line !== 'ok' && !/^\*\*\* in database \w+ \*\*\*$/.test(line))
}

/**
 * Rebuilds the indexes, then the file, since the remaining problems may be orphaned pages. Each step fails and changes
 * nothing if a table cannot be read.
 */
async function rebuild(db: Db, freeBytes: number | undefined): Promise<string[]> {
  await sql`reindex`.execute(db)
  const left = await integrityProblems(db)
  if (left.length === 0 || !(await hasRoom(db, freeBytes))) return left
  await vacuumFile(db)
  return await integrityProblems(db)
}

function toPageFinding(path: string, problem: string, outcome: FindingOutcome): CheckFinding {
  const hint = 'restore the database from a backup; until then, memctl device export saves what can be read'
  return {
    table: 'file',
    collectionId: undefined,
    place: path,
    problem,
    outcome,
    ...(outcome === 'found' && { hint })
  }
}

async function shrinkingFindings({ db, path, freeBytes }: PagesParts): Promise<CheckFinding[]> {
  const outcome = await convertFile(db, { freeBytes: freeBytes(), bytesMax: Number.POSITIVE_INFINITY })
  const says = 'its free pages could not be released to the disk'
  if (outcome === 'converted') return [toPageFinding(path, says, 'corrected')]
  if (outcome === 'not_needed') return []
  const hint = 'free twice the size of the database on its disk, then run this command again'
  return [{ ...toPageFinding(path, `${says}, and the disk has no room for its copy`, 'found'), hint }]
}
