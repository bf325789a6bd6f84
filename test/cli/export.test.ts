import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fetch } from '../../src/ports.ts'
import { type TransferCli, transferCli } from './transfer-kit.ts'

/** A server with some memories in its collection. */
async function filled(count = 3): Promise<TransferCli> {
  const cli = await transferCli()
  for (let n = 0; n < count; n++) expect(await cli.run(['memories', 'add', `memory ${n}`])).toMatchObject({ code: 0 })
  return cli
}

/** Lets so many bytes of an export through and then goes on as told. */
function cutting(bytes: number, then: (controller: ReadableStreamDefaultController) => void) {
  return (reach: Fetch): Fetch =>
    async (request) => {
      const response = await reach(request)
      if (!request.url.endsWith('/export')) return response
      const whole = new Uint8Array(await response.arrayBuffer())
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(whole.subarray(0, bytes)),
        pull: then
      })
      return new Response(body, { status: response.status, headers: response.headers })
    }
}

test('an export is a sound snapshot, called as the collection is, and search finds in it', async () => {
  const { run, names } = await filled()
  const done = await run(['device', 'export', '--verify', '--json'])
  expect(done.code).toBe(0)
  expect(JSON.parse(done.stdout)).toMatchObject({ memories: 3, kept: 0, verified: true, received: { records: 3 } })
  expect(names()).toEqual(['default.mem.jsonl'])
  const found = await run(['device', 'list', '--snapshot', 'default.mem.jsonl'])
  expect(found.stdout.trim().split('\n')).toHaveLength(3)
})

test('to stdout comes the whole file, in either form, and nothing is left', async () => {
  const { run, names } = await filled()
  const lines = await run(['device', 'export', '-o', '-'])
  expect(lines.stdout.trim().split('\n')).toHaveLength(4)
  const object = await run(['device', 'export', '-o', '-', '--format', 'json', '--verify'])
  expect(JSON.parse(object.stdout).records).toHaveLength(3)
  expect(names()).toEqual([])
})

test.each([
  ['breaks off', (controller: ReadableStreamDefaultController) => controller.error(new Error('cut'))],
  ['ends early', (controller: ReadableStreamDefaultController) => controller.close()]
])('a transfer that %s is exit 7, wherever, and leaves no half file', async (_name, then) => {
  const { run, names } = await filled()
  for (const bytes of [0, 10, 300, 700, 900]) {
    const broken = await run(['device', 'export', '-o', 'x.mem.jsonl', '--json'], { fetch: cutting(bytes, then) })
    expect(broken).toMatchObject({ code: 7, stdout: '' })
    expect(JSON.parse(broken.stderr).error).toMatchObject({ code: 'broken_transfer', retryable: true })
    expect(names()).toEqual([])
  }
})

test('a broken transfer to stdout gives nothing on stdout', async () => {
  const { run } = await filled()
  const broken = await run(['device', 'export', '-o', '-'], { fetch: cutting(500, (controller) => controller.close()) })
  expect(broken).toMatchObject({ code: 7, stdout: '' })
})

test('Ctrl-C in the middle is exit 130 and leaves the file as it was', async () => {
  const { run, names, folder } = await filled()
  await run(['device', 'export', '-o', 'x.mem.jsonl'])
  await run(['memories', 'add', 'one more'])
  const before = readFileSync(join(folder, 'x.mem.jsonl'))
  const stopped = await run(['device', 'export', '-o', 'x.mem.jsonl'], {
    fetch: (reach, world) => cutting(400, () => world.interrupt('SIGINT'))(reach)
  })
  expect(stopped.code).toBe(130)
  expect(stopped.stderr).toContain('nothing was written')
  expect(names()).toEqual(['x.mem.jsonl'])
  expect(readFileSync(join(folder, 'x.mem.jsonl'))).toEqual(before)
})

test('over a file with lines of its own it is exit 6 that counts them, unless told to merge or to force', async () => {
  const { run } = await filled()
  const target = ['-o', 'x.mem.jsonl', '--json']
  await run(['device', 'export', ...target])
  await run(['device', 'store', 'only here', '--snapshot', 'x.mem.jsonl'])
  const refused = await run(['device', 'export', ...target])
  expect(refused).toMatchObject({ code: 6, stdout: '' })
  expect(JSON.parse(refused.stderr).error).toMatchObject({
    code: 'exists',
    message: expect.stringContaining('1 line that the export lacks'),
    hint: expect.stringContaining('--merge')
  })
  const merged = await run(['device', 'export', ...target, '--merge', '--verify'])
  expect(JSON.parse(merged.stdout)).toMatchObject({ memories: 4, kept: 1, verified: true })
  const forced = await run(['device', 'export', ...target, '--force'])
  expect(JSON.parse(forced.stdout)).toMatchObject({ memories: 3, kept: 0 })
})

test('a page of something else than a server is no export', async () => {
  const { run, names } = await filled(1)
  const page: Fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
  const fetch =
    (reach: Fetch): Fetch =>
    async (request) =>
      request.url.endsWith('/export') ? await page(request) : await reach(request)
  expect(await run(['device', 'export'], { fetch })).toMatchObject({ code: 7 })
  expect(names()).toEqual([])
})

test('the line that ends a transfer is in no file', async () => {
  const { run, folder, server } = await filled()
  const response = await server.send('POST', '/v1/device-memory/snapshot/export', {
    body: { collection_id: server.collectionId },
    headers: { accept: 'application/jsonl' }
  })
  const last = (await response.text()).trimEnd().split('\n').at(-1) ?? ''
  expect(JSON.parse(last)).toMatchObject({ type: 'end', records: 3, root_hash: expect.any(String) })
  await run(['device', 'export', '-o', 'x.mem.jsonl'])
  expect(readFileSync(join(folder, 'x.mem.jsonl'), 'utf8')).not.toContain('"type":"end"')
})

test('what the server refuses is what it says', async () => {
  const { run } = await filled(1)
  const unknown = ['device', 'export', '-c', '00000000-0000-7000-8000-000000000000', '-o', 'x']
  expect(await run(unknown)).toMatchObject({ code: 3 })
  expect(await run(['device', 'export'], { environment: { MEMCTL_API_KEY: 'mk_wrong' } })).toMatchObject({ code: 4 })
  expect(await run(['device', 'export', '--merge', '--force'])).toMatchObject({ code: 2 })
})

test('progress is shown to a person, and told as events in JSON Lines', async () => {
  const { run } = await filled()
  const seen = await run(['device', 'export', '-o', 'a.mem.jsonl'], { terminals: ['errors'] })
  expect(seen.progress.join('\n')).toMatch(/received \d( of 3)? records, \d+ B/)
  expect(seen.progress.at(-1)).toBe('stopped')
  const told = await run(['device', 'export', '-o', 'b.mem.jsonl', '--jsonl'])
  const events = told.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(events.at(-1)).toMatchObject({ event: 'done', memories: 3 })
})

test('a collection with a strange name gets a file with a plain one', async () => {
  const { run, names } = await transferCli()
  const made = await run(['collections', 'create', '../../Überblick: a/b', '--json'])
  await run(['device', 'export', '-c', JSON.parse(made.stdout).id])
  expect(names()).toEqual(['Überblick-a-b.mem.jsonl'])
})

test('a file that is no snapshot is not replaced unless forced', async () => {
  const { run, folder } = await filled(1)
  writeFileSync(join(folder, 'x'), 'a letter')
  const refused = await run(['device', 'export', '-o', 'x'])
  expect(refused).toMatchObject({ code: 10 })
  expect(refused.stderr).toContain('--force')
  expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('a letter')
})
