import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fetch } from '../../src/ports.ts'
import { type TransferCli, transferCli } from './transfer-kit.ts'

const SNAPSHOT = ['--snapshot', 'a.mem.jsonl']

async function withFile(): Promise<TransferCli> {
  const cli = await transferCli()
  await cli.run(['device', 'init', 'a.mem.jsonl'])
  await cli.run(['device', 'store', 'Ben likes tea', ...SNAPSHOT])
  return cli
}

/** Changes the JSON that comes back from a path that ends so. */
function changing(ending: string, change: (value: Reply) => unknown) {
  return (reach: Fetch): Fetch =>
    async (request) => {
      const response = await reach(request)
      if (!request.url.endsWith(ending)) return response
      return Response.json(change((await response.json()) as Reply), { status: response.status })
    }
}

type Reply = { snapshot: { records: Record<string, unknown>[] } }

test('a text that the server puts into the snapshot is in the file, with what else is there', async () => {
  const { run } = await withFile()
  const stored = await run([
    'device',
    'store',
    'Anna moved to Lisbon',
    '--speaker',
    'Ben',
    '--remote',
    '--json',
    ...SNAPSHOT
  ])
  expect(stored.code).toBe(0)
  expect(JSON.parse(stored.stdout).record).toMatchObject({ text: 'Anna moved to Lisbon', speaker: 'Ben' })
  const list = await run(['device', 'list', '--json', ...SNAPSHOT])
  expect(JSON.parse(list.stdout).map(({ text }: { text: string }) => text)).toEqual([
    'Ben likes tea',
    'Anna moved to Lisbon'
  ])
  expect(await run(['device', 'verify', ...SNAPSHOT])).toMatchObject({ code: 0 })
})

test('the same once more changes nothing and says so', async () => {
  const { run, folder } = await withFile()
  const argv = ['device', 'store', 'Anna moved to Lisbon', '--at', '2026-01-01', '--remote', ...SNAPSHOT]
  await run(argv)
  const before = readFileSync(join(folder, 'a.mem.jsonl'))
  expect((await run(argv)).stderr).toContain('it was there already')
  expect(readFileSync(join(folder, 'a.mem.jsonl'))).toEqual(before)
})

test('a memory that was stored here meanwhile stays', async () => {
  const { run } = await withFile()
  const fetch =
    (reach: Fetch): Fetch =>
    async (request) => {
      const response = await reach(request)
      await run(['device', 'store', 'meanwhile', ...SNAPSHOT])
      return response
    }
  expect(await run(['device', 'store', 'Anna moved', '--remote', ...SNAPSHOT], { fetch })).toMatchObject({ code: 0 })
  const { stdout } = await run(['device', 'list', ...SNAPSHOT])
  expect(stdout).toContain('meanwhile')
  expect(stdout).toContain('Anna moved')
})

test('a reply with lines that nobody sent is not let into the file', async () => {
  const { run, folder } = await withFile()
  const before = readFileSync(join(folder, 'a.mem.jsonl'))
  const fetch = changing('/v1/memories', ({ snapshot }) => {
    const forget = { type: 'forget', id: 'fgt_x', target: snapshot.records[0]?.id, at: '2026-01-01T00:00:00.000Z' }
    return { snapshot: { ...snapshot, records: [...snapshot.records, forget] } }
  })
  const refused = await run(['device', 'store', 'Anna moved', '--remote', ...SNAPSHOT], { fetch })
  expect(refused.code).toBe(7)
  expect(refused.stderr).toContain('the file is as it was')
  expect(readFileSync(join(folder, 'a.mem.jsonl'))).toEqual(before)
})

test('search by the server answers as search here does, in every form', async () => {
  const { run } = await withFile()
  await run(['device', 'store', 'Anna moved to Lisbon', ...SNAPSHOT])
  const argv = ['device', 'search', 'where does Anna live', ...SNAPSHOT]
  const [here, there] = [await run([...argv, '--json']), await run([...argv, '--remote', '--json'])]
  expect(there.code).toBe(0)
  expect(JSON.parse(there.stdout)).toEqual(JSON.parse(here.stdout))
  expect((await run([...argv, '--remote'])).stdout).toBe((await run(argv)).stdout)
  const eyes = await run([...argv, '--remote', '--group', 'sources', '--limit', '1'], { terminals: ['output'] })
  expect(eyes.stdout).toContain('Anna moved to Lisbon')
})

test.each([
  [['device', 'search', 'x', '--remote', '--why-not', 'mem_123456']],
  [['device', 'search', '--remote', '--queries', 'q.jsonl']],
  [['device', 'store', 'x', '--remote', '--dry-run']],
  [['device', 'store', '--remote', '--batch', 'b.jsonl']]
])('%j is a usage fault', async (argv) => {
  const { run } = await withFile()
  expect(await run(argv)).toMatchObject({ code: 2 })
})
