import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fetch } from '../../src/ports.ts'
import { transferCli } from './transfer-kit.ts'

/** Starts a server, and creates a file with two memories and a forgotten one. */
async function withFile(variables: Record<string, string> = {}) {
  const cli = await transferCli({ variables })
  await cli.run(['device', 'init', 'a.mem.jsonl'])
  const ids: string[] = []
  for (const text of ['Anna moved to Lisbon', 'Ben likes tea', 'to be forgotten']) {
    const { stdout } = await cli.run(['device', 'store', text, '--snapshot', 'a.mem.jsonl', '--json'])
    ids.push(JSON.parse(stdout).id)
  }
  await cli.run(['device', 'forget', ids[2] ?? '', '--snapshot', 'a.mem.jsonl'])
  return cli
}

/** Counts the requests to paths with the given end. */
function counting(ending: string) {
  const seen = { count: 0 }
  const fetch =
    (reach: Fetch): Fetch =>
    async (request) => {
      if (new URL(request.url).pathname.endsWith(ending)) seen.count++
      return await reach(request)
    }
  return { seen, fetch }
}

test('import creates an ephemeral collection and prints its expiry', async () => {
  const { run } = await withFile()
  const made = await run(['device', 'import', 'a.mem.jsonl', '--json'])
  expect(made.code).toBe(0)
  const { ephemeral_collection_id: id, expires_at, memories } = JSON.parse(made.stdout)
  expect(memories).toBe(2)
  expect(Date.parse(expires_at)).toBeGreaterThan(Date.now())
  const found = await run(['memories', 'search', '-c', id, 'where does Anna live', '--json'])
  expect(JSON.parse(found.stdout).sources[0]).toMatchObject({ text: 'Anna moved to Lisbon' })
})

test('import accepts stdin and the object format', async () => {
  const { run, folder } = await withFile()
  await run(['device', 'compact', '--snapshot', 'a.mem.jsonl', '--format', 'json'])
  const stdin = readFileSync(join(folder, 'a.mem.jsonl'))
  const made = await run(['device', 'import', '-', '--json'], { stdin })
  expect(JSON.parse(made.stdout)).toMatchObject({ memories: 2 })
})

test('import exits 10 and suggests restore for a file over the limit of the server', async () => {
  const { run } = await withFile({ MEMCTL_BODY_LIMIT: '1KiB' })
  const made = await run(['device', 'import', 'a.mem.jsonl', '--json'])
  expect(made).toMatchObject({ code: 10, stdout: '' })
  expect(JSON.parse(made.stderr).error).toMatchObject({
    code: 'too_large',
    http_status: 413,
    next: ['memctl collections restore a.mem.jsonl -c ID']
  })
})

test.each([
  [['device', 'import', 'a.mem.jsonl'], '/import'],
  [['collections', 'restore', 'a.mem.jsonl'], '/records']
])('%s exits 10 for a damaged file without sending it', async (argv, path) => {
  const { run, folder } = await withFile()
  appendFileSync(join(folder, 'a.mem.jsonl'), 'no line\n')
  const { seen, fetch } = counting(path)
  const refused = await run([...argv, '--json'], { fetch })
  expect(refused).toMatchObject({ code: 10, stdout: '' })
  expect(JSON.parse(refused.stderr).error.message).toContain('nothing was sent')
  expect(seen.count).toBe(0)
})

test('restore stores a file in the collection, and nothing the second time', async () => {
  const { run } = await withFile()
  const first = await run(['collections', 'restore', 'a.mem.jsonl', '--json'])
  expect(JSON.parse(first.stdout)).toMatchObject({ records: 3, stored: 3, known: 0 })
  const again = await run(['collections', 'restore', 'a.mem.jsonl', '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ records: 3, stored: 0, known: 3 })
})

test('an export after a restore has the same root hash', async () => {
  const { run } = await withFile()
  await run(['collections', 'restore', 'a.mem.jsonl'])
  await run(['device', 'export', '-o', 'b.mem.jsonl', '--verify'])
  const [a, b] = await Promise.all(
    ['a.mem.jsonl', 'b.mem.jsonl'].map((name) => run(['device', 'verify', '--json', '--snapshot', name]))
  )
  expect(JSON.parse(b?.stdout ?? '').root_hash).toBe(JSON.parse(a?.stdout ?? '').root_hash)
})

test('restore does not bring back what the collection has forgotten', async () => {
  const { run } = await withFile()
  await run(['collections', 'restore', 'a.mem.jsonl'])
  const { stdout } = await run([
    'device',
    'store',
    'to be forgotten',
    '--at',
    '2026-01-01',
    '--snapshot',
    'a.mem.jsonl',
    '--json'
  ])
  await run(['device', 'export', '-o', 'b.mem.jsonl'])
  await run(['collections', 'restore', 'a.mem.jsonl'])
  await run(['device', 'forget', JSON.parse(stdout).id, '--snapshot', 'a.mem.jsonl'])
  const forgotten = await run(['collections', 'restore', 'a.mem.jsonl', '--json'])
  expect(JSON.parse(forgotten.stdout)).toMatchObject({ stored: 1 })
  const found = await run(['memories', 'search', 'forgotten', '--json'])
  expect(JSON.parse(found.stdout).sources).toEqual([])
})

test('exits 3 for a missing file, and 7 without a server', async () => {
  const { run } = await withFile()
  expect(await run(['device', 'import', 'none.mem.jsonl'])).toMatchObject({ code: 3 })
  const nobody: Fetch = async () => {
    throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' })
  }
  const alone = await run(['device', 'import', 'a.mem.jsonl'], { fetch: () => nobody })
  expect(alone.code).toBe(7)
  expect(alone.stderr).toContain('hint: memctl server start')
})

test('reports damage in a file or stdin with the commands that fix it', async () => {
  const { run, folder } = await withFile()
  const path = join(folder, 'a.mem.jsonl')
  const stdin = readFileSync(path, 'utf8').replace('Lisbon', 'London')
  appendFileSync(join(folder, 'b.mem.jsonl'), stdin)
  const file = await run(['device', 'import', 'b.mem.jsonl'])
  expect(file.code).toBe(10)
  expect(file.stderr).toContain(`compact --skip-damaged --snapshot ${join(folder, 'b.mem.jsonl')}\n`)
  const piped = await run(['device', 'import', '-'], { stdin })
  expect(piped.code).toBe(10)
  expect(piped.stderr).toMatch(
    /^error: nothing was sent: stdin: line 2 .*\nhint: list all errors: memctl device verify --snapshot -;/
  )
})

test('reports an empty stdin', async () => {
  const { run } = await withFile()
  const empty = await run(['device', 'import', '-'], { stdin: '' })
  expect(empty.stderr).toContain('error: stdin is not a snapshot: the file is empty')
})
