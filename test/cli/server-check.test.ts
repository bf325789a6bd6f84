import { expect, test } from 'vitest'
import type { ServerHost, StorageFinding, StorageReport } from '../../src/cli/ports/server-host.ts'
import { errorLine, runCli } from './run-cli.ts'

const SOUND: StorageReport = { lines: 1200, rows: 34, found: 0, set_aside: 0, corrected: 0, findings: [] }

const FINDING: StorageFinding = {
  table: 'records',
  collection_id: '0192f000-0000-7000-8000-000000000001',
  place: 'mem_12, sequence number 7',
  problem: 'its check does not match',
  outcome: 'found',
  hint: null
}

function reporting(report: Partial<StorageReport>): { host: Partial<ServerHost>; repairs: boolean[] } {
  const repairs: boolean[] = []
  const checkStorage: ServerHost['checkStorage'] = async (_flags, { repair }) => {
    repairs.push(repair)
    return { ...SOUND, ...report }
  }
  return { host: { checkStorage }, repairs }
}

test('exits 0 for a sound database and reports what was verified', async () => {
  const { host, repairs } = reporting({})
  const { code, stdout } = await runCli(['server', 'check', '--json'], { host })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    storage: { engine: 'sqlite', where: '/data/server.db' },
    repair: false,
    ...SOUND
  })
  expect(repairs).toEqual([false])
})

test('exits 10 for damage, and the hint names the repair of the same folder', async () => {
  const { host } = reporting({ found: 1, findings: [FINDING] })
  const run = await runCli(['server', 'check', '--json', '--data-dir', '/other'], { host })
  expect(run.code).toBe(10)
  expect(JSON.parse(run.stdout).findings).toEqual([FINDING])
  expect(errorLine(run)).toMatchObject({
    code: 'damaged_storage',
    hint: 'memctl server check --repair --data-dir /other',
    message: expect.stringContaining('/other/server.db has 1 problem, the first in records, mem_12, sequence number 7')
  })
})

test('exits 0 after a complete repair and reports what was repaired', async () => {
  const findings = [
    { ...FINDING, outcome: 'set_aside' as const },
    { ...FINDING, table: 'collections', problem: 'counts 3 memories but has 2', outcome: 'corrected' as const }
  ]
  const { host, repairs } = reporting({ set_aside: 1, corrected: 1, findings })
  const run = await runCli(['server', 'check', '--repair'], { host, terminals: ['output'] })
  expect(run.code).toBe(0)
  expect(repairs).toEqual([true])
  expect(run.stdout).toContain('set aside: records, mem_12, sequence number 7 of collection\n    0192f000')
  expect(run.stdout).toContain('corrected: collections,')
  expect(run.stdout).toContain('1 set aside, 1 corrected; the database is sound now')
})

test('exits 10 for damage that a repair cannot fix, with a hint', async () => {
  const { host } = reporting({ found: 1, findings: [{ ...FINDING, table: 'connections', hint: 'connect it again' }] })
  const run = await runCli(['server', 'check', '--repair', '--json'], { host })
  expect(run.code).toBe(10)
  expect(errorLine(run)).toMatchObject({ code: 'damaged_storage', hint: 'connect it again' })
})

test('prints a row for each finding in a pipe', async () => {
  const { host } = reporting({ found: 1, findings: [FINDING] })
  const { stdout } = await runCli(['server', 'check'], { host })
  expect(stdout).toBe('found\trecords\tmem_12, sequence number 7\tits check does not match\n')
})

test('--aside lists what was set aside with its contents', async () => {
  const row = {
    set_aside_at: '2026-05-01T11:00:00.000Z',
    table: 'records',
    collection_id: null,
    place: 'sequence number 7',
    reason: 'its check does not match',
    contents: { seq: 7, line: { base64: 'e30=' } }
  }
  const host: Partial<ServerHost> = { listAside: async () => [row] }
  const { code, stdout } = await runCli(['server', 'check', '--aside', '--json'], { host })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual([row])
  const both = await runCli(['server', 'check', '--aside', '--repair'], { host })
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('received both') })
})
