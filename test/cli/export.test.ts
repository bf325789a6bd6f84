import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Fetch } from '../../src/ports.ts'
import { type TransferCli, transferCli } from './transfer-kit.ts'

/** Starts a server with some memories in its collection. */
async function filled(count = 3): Promise<TransferCli> {
  const cli = await transferCli()
  for (let n = 0; n < count; n++) expect(await cli.run(['memories', 'add', `memory ${n}`])).toMatchObject({ code: 0 })
  return cli
}

/** Passes a number of bytes of an export, then calls `then`. */
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

test('exports a valid snapshot, named after the collection, that can be searched', async () => {
  const { run, names } = await filled()
  const done = await run(['device', 'export', '--verify', '--json'])
  expect(done.code).toBe(0)
  expect(JSON.parse(done.stdout)).toMatchObject({ memories: 3, kept: 0, verified: true, received: { records: 3 } })
  expect(names()).toEqual(['default.mem.jsonl'])
  const found = await run(['device', 'list', '--snapshot', 'default.mem.jsonl'])
  expect(found.stdout.trim().split('\n')).toHaveLength(3)
})

test('exports either format to stdout and leaves no file', async () => {
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
])('exits 7 and leaves no partial file if the transfer %s at any point', async (_name, then) => {
  const { run, names } = await filled()
  for (const bytes of [0, 10, 300, 700, 900]) {
    const broken = await run(['device', 'export', '-o', 'x.mem.jsonl', '--json'], { fetch: cutting(bytes, then) })
    expect(broken).toMatchObject({ code: 7, stdout: '' })
    expect(JSON.parse(broken.stderr).error).toMatchObject({ code: 'broken_transfer', retryable: true })
    expect(names()).toEqual([])
  }
})

test('prints nothing to stdout if the transfer breaks off', async () => {
  const { run } = await filled()
  const broken = await run(['device', 'export', '-o', '-'], { fetch: cutting(500, (controller) => controller.close()) })
  expect(broken).toMatchObject({ code: 7, stdout: '' })
})

test('Ctrl-C during the transfer exits 130 and leaves the file unchanged', async () => {
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

test('exits 6 with the number of lines that only the file has, unless --merge or --force is given', async () => {
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

test('rejects a response with another content type', async () => {
  const { run, names } = await filled(1)
  const page: Fetch = async () => new Response('<html>', { headers: { 'content-type': 'text/html' } })
  const fetch =
    (reach: Fetch): Fetch =>
    async (request) =>
      request.url.endsWith('/export') ? await page(request) : await reach(request)
  expect(await run(['device', 'export'], { fetch })).toMatchObject({ code: 7 })
  expect(names()).toEqual([])
})

test('does not write the line that ends a transfer', async () => {
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

test('prints the error of the server', async () => {
  const { run } = await filled(1)
  const unknown = ['device', 'export', '-c', '00000000-0000-7000-8000-000000000000', '-o', 'x']
  expect(await run(unknown)).toMatchObject({ code: 3 })
  expect(await run(['device', 'export'], { environment: { MEMCTL_API_KEY: 'mk_wrong' } })).toMatchObject({ code: 4 })
  expect(await run(['device', 'export', '--merge', '--force'])).toMatchObject({ code: 2 })
})

test('shows progress on a terminal and as events in JSON Lines', async () => {
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

test('removes special characters from the file name', async () => {
  const { run, names } = await transferCli()
  const made = await run(['collections', 'create', '../../Überblick: a/b', '--json'])
  await run(['device', 'export', '-c', JSON.parse(made.stdout).id])
  expect(names()).toEqual(['Überblick-a-b.mem.jsonl'])
})

test('replaces a file that is not a snapshot only with --force', async () => {
  const { run, folder } = await filled(1)
  writeFileSync(join(folder, 'x'), 'a letter')
  const refused = await run(['device', 'export', '-o', 'x'])
  expect(refused).toMatchObject({ code: 10 })
  expect(refused.stderr).toContain('--force')
  expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('a letter')
})
