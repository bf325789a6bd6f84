import { expect, onTestFinished, test } from 'vitest'
import { nodeIds } from '../../../bin/node/node-ids.ts'
import { startScrub } from '../../../server/service/scrubber.ts'
import type {
  CheckAsked,
  CheckedPart,
  CheckFinding,
  Scrub,
  ScrubProgress
} from '../../../server/storage/port/check-storage.ts'
import { toEpochMs } from '../../../src/contract/epoch-ms.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Clock } from '../../../src/ports.ts'
import { idAt } from '../../suites/storage-place.ts'
import { manualClock } from '../http/manual-clock.ts'
import { filled, onBothEngines } from '../storage/check-kit.ts'
import { keyOf, memory } from '../storage/record-lines.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const PART: CheckedPart = { position: 'next', lines: 10, rows: 0, findings: [] }
const NEW: Scrub = { isOwn: true, position: undefined, found: 0, endedAt: undefined, damage: 0 }

type Line = { fields: Readonly<Record<string, unknown>>; message: string }
type Part = CheckedPart | Error

/** Creates a scrub of scripted parts, each of which takes `workMs`. The test ends its waits. */
function scrubbing({ parts = [], workMs = 0, claims = [] }: { parts?: Part[]; workMs?: number; claims?: Scrub[] }) {
  let now = 1_000_000
  const waits: { ms: number; go(): void }[] = []
  const asked: CheckAsked[] = []
  const claimed: Parameters<typeof storage.claimScrub>[0][] = []
  const kept: ScrubProgress[] = []
  const lines: Line[] = []
  const own = { owns: true }
  const clock: Clock = {
    now: () => now,
    ticks: () => now,
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const stop = () => reject(signal?.reason)
        const go = () => {
          signal?.removeEventListener('abort', stop)
          now += ms
          resolve()
        }
        waits.push({ ms, go })
        signal?.addEventListener('abort', stop)
      })
  }
  const storage = {
    async checkPart(one: CheckAsked) {
      asked.push(one)
      now += workMs
      const part = parts.shift() ?? PART
      if (part instanceof Error) throw part
      return part
    },
    async claimScrub(one: { owner: string; now: number; until: number; endedBy: number }) {
      claimed.push(one)
      return claims.shift() ?? NEW
    },
    async keepScrub(_: string, progress: ScrubProgress) {
      kept.push(progress)
      return own.owns
    }
  }
  const note = (fields: Line['fields'], message: string): void => void lines.push({ fields, message })
  const scrub = startScrub({ storage, world: { clock, ids: nodeIds, log: { error: note, info: note, debug: note } } })
  onTestFinished(() => scrub.stop())
  /** Ends the current wait and returns its duration. */
  const next = async (): Promise<number> => {
    const wait = waits.at(-1)
    const before = waits.length
    wait?.go()
    while (waits.length === before) await settled()
    return wait?.ms ?? 0
  }
  return { scrub, waits, asked, claimed, kept, lines, own, next, now: () => now }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('rests 99 times as long as it works, so that it takes 1 % of a core', async () => {
  const { scrub, next, asked, now } = scrubbing({ workMs: 20 })
  await settled()
  await next()
  const began = now()
  for (let part = 0; part < 100; part++) expect(await next()).toBe(20 * 99)
  expect(asked).toHaveLength(101)
  expect(scrub.state()).toMatchObject({ lines: 1010, workedMs: 2020 })
  expect((100 * 20) / (now() - began)).toBeCloseTo(0.01, 5)
})

test('waits a minute after the start, and checks small parts without the file', async () => {
  const { waits, asked, next } = scrubbing({})
  await settled()
  expect([asked.length, waits.at(-1)?.ms]).toEqual([0, 60_000])
  await next()
  await next()
  expect(asked).toMatchObject([
    { position: undefined, mode: 'note', withFile: false, maxBytes: 256 * 1024 },
    { position: 'next', mode: 'note', withFile: false }
  ])
})

test('begins no new pass for a day, and continues an unfinished one', async () => {
  const end: CheckedPart = { ...PART, position: undefined, rows: 7 }
  const claims = [
    { ...NEW, position: 'there', found: 2 },
    { ...NEW, isOwn: false }
  ]
  const { scrub, next, asked, claimed, kept, lines, now } = scrubbing({ parts: [end], claims })
  await settled()
  await next()
  expect(asked).toMatchObject([{ position: 'there' }])
  expect(kept).toMatchObject([{ position: undefined, found: 2, ended: true }])
  expect(lines).toEqual([{ message: 'the background check has verified the whole database', fields: { problems: 2 } }])
  expect(scrub.state()).toMatchObject({ lines: 10, rows: 7, endedAt: now(), damage: 2 })
  await next()
  expect(claimed).toHaveLength(2)
  const at = Math.round(now())
  expect(claimed[1]).toMatchObject({ now: at, endedBy: at - DAY_MS })
  expect(asked).toHaveLength(1)
})

test('leaves a pass to the server that runs it, and reports its findings', async () => {
  const other = { isOwn: false, position: 'x', found: 3, endedAt: toEpochMs(5), damage: 1 }
  const { scrub, next, asked } = scrubbing({ claims: [other, { ...other, found: 0 }] })
  await settled()
  expect(scrub.state()).toMatchObject({ endedAt: 5, damage: 3, found: 0 })
  const ms = await next()
  expect(ms).toBeGreaterThanOrEqual(45_000)
  expect(ms).toBeLessThanOrEqual(75_000)
  expect(scrub.state().damage).toBe(1)
  expect(asked).toEqual([])
})

test('saves its progress at least every 30 seconds, with a lease beyond the next part', async () => {
  const { next, kept, now } = scrubbing({ workMs: 1 })
  await settled()
  await next()
  const times = [now()]
  while (kept.length < 5) {
    const before = kept.length
    await next()
    if (kept.length > before) times.push(now())
  }
  for (const [at, time] of times.entries()) if (at > 0) expect(time - (times[at - 1] ?? 0)).toBeLessThanOrEqual(30_000)
  for (const { now: at, until, position, ended } of kept) {
    expect(until - at).toBeGreaterThan(60_000)
    expect([position, ended]).toEqual(['next', false])
  }
})

test('ends its pass when another server takes it over', async () => {
  const { next, own, asked, claimed } = scrubbing({ workMs: 400, claims: [NEW, { ...NEW, isOwn: false }] })
  own.owns = false
  await settled()
  await next()
  expect([asked.length, claimed.length]).toEqual([1, 1])
  await next()
  expect([asked.length, claimed.length]).toEqual([1, 2])
})

test('logs each problem with a hint, and saves their number immediately', async () => {
  const finding: CheckFinding = {
    ...{ table: 'records', collectionId: idAt(1), place: 'mem_1, sequence number 7' },
    ...{ problem: 'does not match its check', outcome: 'found' }
  }
  const lost: CheckFinding = { ...finding, table: 'connections', collectionId: undefined, hint: 'connect again' }
  const { scrub, next, lines, kept } = scrubbing({ parts: [{ ...PART, findings: [finding, lost] }] })
  await settled()
  await next()
  const { table, collectionId, place, problem } = finding
  const message = 'the database is damaged'
  expect(lines).toEqual([
    { message, fields: { table, collectionId, place, problem, hint: 'memctl server check --repair' } },
    { message, fields: { table: 'connections', collectionId: null, place, problem, hint: 'connect again' } }
  ])
  expect(kept).toMatchObject([{ found: 2, ended: false }])
  expect(scrub.state()).toMatchObject({ found: 2, damage: 2, endedAt: undefined })
})

test('continues after an unavailable storage, and after a bug', async () => {
  const failures = [new Fault('unavailable', 'the storage is away'), new TypeError('a bug')]
  const { next, asked, lines } = scrubbing({ parts: failures })
  await settled()
  for (let turn = 0; turn < 5; turn++) await next()
  expect(asked).toHaveLength(3)
  expect(lines.map(({ message }) => message)).toEqual(
    Array(2).fill('the background check of the database was interrupted')
  )
  expect(lines[0]?.fields).toEqual({ fault: 'unavailable', reason: 'the storage is away' })
  expect(lines[1]?.fields).toMatchObject({ err: { message: 'a bug' } })
})

test('stops immediately during a rest, and releases the pass with its progress', async () => {
  const { scrub, next, kept, asked, now } = scrubbing({ workMs: 2 })
  await settled()
  await next()
  await scrub.stop()
  expect(asked).toHaveLength(1)
  expect(kept.at(-1)).toMatchObject({ position: 'next', now: now(), until: now(), ended: false })
})

onBothEngines('finds damaged lines, references and counters in the scrub, and notes them like a read', async (one) => {
  const { storage, run } = one
  const { connectionId } = await filled(storage)
  const [before] = await run('select line from records where key = ?', keyOf(memory('x')))
  const line = Buffer.from(before?.line as Uint8Array)
  line[20] = (line[20] ?? 0) ^ 1
  await run('update records set line = ? where key = ?', line, keyOf(memory('x')))
  await run('update collections set memories = 77 where id = ?', idAt(2))
  await run('insert into grants (key_id, collection_id, permission) values (?, ?, ?)', idAt(1), idAt(999), 'read')
  await run(`update connections set items_synced = 5 where id = ?`, connectionId)

  const clock = manualClock()
  const lines: Line[] = []
  const note = (fields: Line['fields'], message: string): void => void lines.push({ fields, message })
  const log = { error: note, info: note, debug: note }
  const scrubs = [1, 2].map(() => startScrub({ storage, world: { clock, ids: nodeIds, log } }))
  while (!lines.some(({ message }) => message.includes('the whole database'))) {
    // Time passes only while both rest, so that no lease expires during work.
    if (clock.waiting() === scrubs.length) await clock.pass(60_000)
    await settled()
  }
  await Promise.all(scrubs.map((scrub) => scrub.stop()))
  expect(lines.flatMap(({ fields }) => (fields.problem ? [`${fields.table}: ${fields.problem}`] : []))).toEqual([
    expect.stringMatching(/^records: /),
    'collections: counts 77 memories but has 1',
    'connections: its count of synced items is wrong',
    'grants: its collection is missing'
  ])
  expect(await storage.findCollection(idAt(1))).toMatchObject({ damaged: 1 })
  // Each part was verified by one of the two.
  const states = scrubs.map((scrub) => scrub.state())
  expect(states.map(({ lines: verified }) => verified).sort()).toEqual([0, 6])
  expect(states.map(({ found }) => found).sort()).toEqual([0, 4])
})
