import { lockDataFolder } from '../../server/service/lock-data-folder.ts'
import type { ServerSettings } from '../../server/service/server-settings.ts'
import type { AsideEntry, CheckFinding } from '../../server/storage/port/check-storage.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { AsideRow, StorageCheck, StorageFinding, StorageReport } from '../../src/cli/ports/server-host.ts'
import { epochNow } from '../../src/contract/epoch-ms.ts'
import { Fault, faultLike } from '../../src/contract/faults.ts'
import { openStorage } from './open-storage.ts'
import type { ServerWorld } from './run-server.ts'

/** Bytes of lines that are verified at once. */
const PART_BYTES = 1024 * 1024

/** Maximum number of findings in the report. Further ones are only counted. */
const LISTED_MAX = 10_000

/** Entries set aside that are read at once. */
const ENTRIES_AT_ONCE = 200

type CheckWorld = Pick<ServerWorld, 'clock' | 'ids' | 'files' | 'self' | 'startThread'>

/**
 * Verifies everything that is stored. Without `repair` nothing is changed, and a server may be running. A repair of a
 * database file needs the data folder exclusively.
 *
 * @throws Fault `locked` if a server uses the data folder; `not_found` if there is no store.
 */
export async function checkServerStorage(
  settings: ServerSettings,
  world: CheckWorld,
  check: StorageCheck
): Promise<StorageReport> {
  const isReader = !check.repair
  const run = () => withStorage({ settings, world, isReader }, (storage) => passOver(storage, world, check))
  if (isReader || settings.databaseUrl !== undefined) return await run()
  return await aloneInFolder(settings, world, run)
}

/** Lists every row that repairs set aside, oldest first. Changes nothing. */
export async function listAside(settings: ServerSettings, world: CheckWorld): Promise<AsideRow[]> {
  return await withStorage({ settings, world, isReader: true }, async (storage) => {
    const rows: AsideRow[] = []
    for (;;) {
      const page = await storage.listAsideEntries({ offset: rows.length, limit: ENTRIES_AT_ONCE })
      rows.push(...page.map(toAsideRow))
      if (page.length < ENTRIES_AT_ONCE) return rows
    }
  })
}

async function aloneInFolder<T>(settings: ServerSettings, world: CheckWorld, work: () => Promise<T>): Promise<T> {
  let begun = false
  try {
    return await lockDataFolder(world, settings.dataDir, () => {
      begun = true
      return work()
    })
  } catch (error) {
    if (begun || !(error instanceof Fault) || error.code !== 'locked') throw error
    const [stop = 'memctl server stop'] = error.next
    throw faultLike(error, { hint: `${stop}, then memctl server check --repair`, next: [stop] })
  }
}

type Opening = { settings: ServerSettings; world: CheckWorld; isReader: boolean }

async function withStorage<T>(
  { settings, world, isReader }: Opening,
  work: (storage: Storage) => Promise<T>
): Promise<T> {
  const { clock, startThread } = world
  const storage = await openStorage({ startThread, clock, settings, mustExist: true, isReader })
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

async function passOver(
  storage: Storage,
  { clock }: CheckWorld,
  { repair, signal, onProgress }: StorageCheck
): Promise<StorageReport> {
  const report = { lines: 0, rows: 0, found: 0, set_aside: 0, corrected: 0, findings: [] as StorageFinding[] }
  let position: string | undefined
  do {
    const mode = repair ? 'repair' : 'look'
    const asked = { position, mode, withFile: true, maxBytes: PART_BYTES, now: epochNow(clock) } as const
    const part = await storage.checkPart(asked)
    report.lines += part.lines
    report.rows += part.rows
    for (const finding of part.findings) report[finding.outcome]++
    report.findings.push(...part.findings.slice(0, LISTED_MAX - report.findings.length).map(toFinding))
    onProgress({ lines: report.lines, rows: report.rows })
    position = part.position
  } while (position !== undefined && !signal.aborted)
  if (signal.aborted) throw signal.reason
  // Updates the server's report about the database immediately, rather than after its next pass.
  if (repair) await storage.replaceScrub({ now: epochNow(clock), damage: report.found })
  return report
}

function toFinding({ table, collectionId, place, problem, outcome, hint }: CheckFinding): StorageFinding {
  return { table, collection_id: collectionId ?? null, place, problem, outcome, hint: hint ?? null }
}

function toAsideRow({ table, collectionId, place, reason, setAsideAt, contents }: AsideEntry): AsideRow {
  const set_aside_at = new Date(setAsideAt).toISOString()
  return { set_aside_at, table, collection_id: collectionId ?? null, place, reason, contents: JSON.parse(contents) }
}
