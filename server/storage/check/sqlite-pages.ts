import { sql } from 'kysely'
import type { Db } from '../database/tables.ts'
import { convertFile, hasRoom, vacuumFile } from '../engines/shrinking.ts'
import type { CheckFinding, CheckMode, FindingOutcome } from '../port/check-storage.ts'
import type { DatabasePages } from './check-part.ts'

/** Problems of pages that are named at most. */
const NAMED_MAX = 100

export type PagesParts = { db: Db; path: string; freeBytes(): number | undefined }

/**
 * Verifies the pages of a SQLite file by `PRAGMA integrity_check`. A repair builds all indexes anew from their tables, and converts a
 * file whose free pages could not be given back.
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

/** Indexes first; what is left may be pages that belong to nothing. Either fails, and changes nothing, where a table cannot be read. */
async function rebuild(db: Db, freeBytes: number | undefined): Promise<string[]> {
  await sql`reindex`.execute(db)
  const left = await integrityProblems(db)
  if (left.length === 0 || !(await hasRoom(db, freeBytes))) return left
  await vacuumFile(db)
  return await integrityProblems(db)
}

function toPageFinding(path: string, problem: string, outcome: FindingOutcome): CheckFinding {
  const hint = 'restore the database from a backup; memctl device export saves what can be read until then'
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
  const says = 'its free pages could not be given back to the disk'
  if (outcome === 'converted') return [toPageFinding(path, says, 'corrected')]
  if (outcome === 'not_needed') return []
  const hint = 'free twice the size of the database on its disk, then run this again'
  return [{ ...toPageFinding(path, `${says}, and the disk has no room for its copy`, 'found'), hint }]
}
