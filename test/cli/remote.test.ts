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

/** Changes the JSON of responses from paths with the given end. */
function changing(ending: string, change: (value: Reply) => unknown) {
  return (reach: Fetch): Fetch =>
    async (request) => {
      const response = await reach(request)
      if (!request.url.endsWith(ending)) return response
      return Response.json(change((await response.json()) as Reply), { status: response.status })
    }
}

type Reply = { snapshot: { records: Record<string, unknown>[] } }

test('store --remote adds the memory to the file and keeps the others', async () => {
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

test('store --remote of a stored text changes nothing and prints a note', async () => {
  const { run, folder } = await withFile()
  const argv = ['device', 'store', 'Anna moved to Lisbon', '--at', '2026-01-01', '--remote', ...SNAPSHOT]
  await run(argv)
  const before = readFileSync(join(folder, 'a.mem.jsonl'))
  expect((await run(argv)).stderr).toContain('The memory was already stored.')
  expect(readFileSync(join(folder, 'a.mem.jsonl'))).toEqual(before)
})

test('store --remote keeps a memory that was stored locally in the meantime', async () => {
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

test('store --remote rejects a reply with unexpected lines', async () => {
  const { run, folder } = await withFile()
  const before = readFileSync(join(folder, 'a.mem.jsonl'))
  const fetch = changing('/v1/memories', ({ snapshot }) => {
    const forget = { type: 'forget', id: 'fgt_x', target: snapshot.records[0]?.id, at: '2026-01-01T00:00:00.000Z' }
    return { snapshot: { ...snapshot, records: [...snapshot.records, forget] } }
  })
  const refused = await run(['device', 'store', 'Anna moved', '--remote', ...SNAPSHOT], { fetch })
  expect(refused.code).toBe(7)
  expect(refused.stderr).toContain('the file is unchanged')
  expect(readFileSync(join(folder, 'a.mem.jsonl'))).toEqual(before)
})

test('search --remote prints the same results as a local search in every format', async () => {
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
])('rejects %j', async (argv) => {
  const { run } = await withFile()
  expect(await run(argv)).toMatchObject({ code: 2 })
})
