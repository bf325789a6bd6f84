import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { type Ended, ended, ensureBuilt, runProgram, start } from './built-program.ts'

const scratch = mkdtempSync(join(tmpdir(), 'memctl-server-'))
let home = scratch
let count = 0

beforeAll(ensureBuilt)
beforeEach(() => {
  home = join(scratch, String(++count))
  mkdirSync(home)
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

type Facts = { pid: number; origin: string; data_dir: string; log_file: string }

/** Starts a server in the background that ends with the test. */
async function detached(...flags: readonly string[]): Promise<Facts> {
  const run = await runProgram(['server', 'start', '--detach', '--port', '0', '--json', ...flags], home)
  expect(run).toMatchObject({ code: 0 })
  const facts: Facts = JSON.parse(run.stdout)
  onTestFinished(() => kill(facts.pid))
  return facts
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const asJson = ({ stdout }: Ended) => JSON.parse(stdout)

test('a server in the background responds at once, reports its status and stops on request', async () => {
  const { pid, origin, data_dir, log_file } = await detached()
  const server = ['--server', origin]
  expect(await runProgram(['memories', 'add', 'Anna moved to Lisbon', ...server], home)).toMatchObject({ code: 0 })
  const found = await runProgram(['memories', 'search', 'where does Anna live', '--json', ...server], home)
  expect(asJson(found).sources[0]).toMatchObject({ text: 'Anna moved to Lisbon' })
  const exported = await runProgram(['device', 'export', '-o', 'x.mem.jsonl', '--verify', '--json', ...server], home)
  expect(asJson(exported)).toMatchObject({ memories: 1, verified: true })
  expect(asJson(await runProgram(['server', 'status', '--json'], home))).toMatchObject({
    running: true,
    pid,
    ready: true
  })
  expect((await runProgram(['server', 'logs', '-n', '1'], home)).stdout).toContain('"route"')
  expect(statSync(log_file).mode & 0o777).toBe(0o600)
  const key = readFileSync(join(home, '.config/memctl/credentials.json'), 'utf8').match(/mk_[\w-]+/)?.[0] ?? ''
  expect(key).not.toBe('')
  expect(readFileSync(log_file, 'utf8')).not.toContain(key)
  expect(asJson(await runProgram(['server', 'stop', '--json'], home))).toMatchObject({ stopped: true, pid })
  expect(readdirSync(data_dir).filter((name) => name.includes('running') || name.endsWith('.lock'))).toEqual([])
  expect(await runProgram(['server', 'stop'], home)).toMatchObject({ code: 0 })
})

test('status reports a server that was ended by kill -9, and the next start has all its data', async () => {
  const first = await detached()
  const added = await runProgram(['memories', 'add', 'kept through a kill', '--server', first.origin], home)
  expect(added).toMatchObject({ code: 0 })
  kill(first.pid)
  const status = await runProgram(['server', 'status', '--json', '--server', first.origin], home)
  expect(status).toMatchObject({ code: 3 })
  expect(asJson(status)).toMatchObject({ running: false, pid: null })
  const second = await detached('--port', new URL(first.origin).port)
  expect(second.origin).toBe(first.origin)
  const found = await runProgram(['memories', 'search', 'kept', '--json', '--server', second.origin], home)
  expect(asJson(found).sources).toHaveLength(1)
})

test('exits 6 with the reason for a second server in the same folder or on the same port', async () => {
  const { origin } = await detached()
  const folder = await runProgram(['server', 'start', '--port', '0', '--json'], home)
  expect(folder).toMatchObject({ code: 6, stdout: '' })
  const flags = ['--port', new URL(origin).port, '--data-dir', 'other', '--json']
  for (const detach of [[], ['--detach']]) {
    const port = await runProgram(['server', 'start', ...flags, ...detach], home)
    expect(port).toMatchObject({ code: 6, stdout: '' })
    expect(JSON.parse(port.stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({ code: 'address_in_use' })
  }
})

test('a failed start prints only the reason', async () => {
  const { origin } = await detached()
  const port = ['--port', new URL(origin).port, '--data-dir', 'other']
  const { stderr } = await runProgram(['server', 'start', ...port], home)
  expect(stderr).toMatch(/^error: .* is already in use\nhint: .* memctl server start --port 0 --data-dir other\n$/)
  const folder = await runProgram(['server', 'start', '--port', '0'], home)
  expect(folder.stderr).toMatch(/^error: another server is using .*\nhint: memctl server stop .*\n$/)
  expect(folder.stderr).not.toContain('rm ')
})

test('lets an owner who lost the only key create another one and revoke the lost one', async () => {
  const first = await detached()
  const port = ['--port', new URL(first.origin).port]
  const server = ['--server', first.origin, '--json']
  const lost: string = asJson(await runProgram(['keys', 'list', ...server], home))[0].id
  rmSync(join(home, '.config/memctl/credentials.json'))
  const refused = await runProgram(['collections', 'list', ...server], home)
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining('--new-admin-key --detach') })
  expect(await runProgram(['server', 'stop'], home)).toMatchObject({ code: 0 })
  const { log_file } = await detached(...port, '--new-admin-key')
  expect(asJson(await runProgram(['keys', 'list', ...server], home))).toHaveLength(2)
  expect(await runProgram(['keys', 'revoke', lost, '--yes', ...server], home)).toMatchObject({ code: 0 })
  expect(readFileSync(log_file, 'utf8')).toContain('created another admin key because of --new-admin-key')
  expect(await runProgram(['server', 'stop'], home)).toMatchObject({ code: 0 })
  await detached(...port)
  expect(asJson(await runProgram(['keys', 'list', ...server], home))).toMatchObject([{ admin: true }])
})

test('status shows a server that is slow to stop, and stop may be repeated', async () => {
  const { pid, origin } = await detached()
  const credentials = readFileSync(join(home, '.config/memctl/credentials.json'), 'utf8')
  const authorization = `Bearer ${credentials.match(/mk_[\w-]+/)?.[0]}`
  const headers = { authorization, expect: '100-continue', 'content-type': 'application/json', 'content-length': 100 }
  const half = request(`${origin}/v1/memories`, { method: 'POST', headers })
  half.on('error', () => undefined).flushHeaders()
  await once(half, 'continue')
  onTestFinished(() => void half.destroy())
  expect(await runProgram(['server', 'stop', '--timeout', '1s'], home)).toMatchObject({ code: 8, stdout: '' })
  expect(asJson(await runProgram(['server', 'status', '--json'], home))).toMatchObject({ running: true, pid })
  expect(await runProgram(['server', 'start', '--detach', '--json'], home)).toMatchObject({ code: 6, stdout: '' })
  const again = await runProgram(['server', 'stop', '--timeout', '0s'], home)
  expect(again).toMatchObject({ code: 8, stderr: expect.stringContaining(`process ${pid}`) })
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends a server in the foreground with exit 0', async (name) => {
  const child = start(['server', 'start', '--port', '0'], home)
  onTestFinished(() => void child.kill('SIGKILL'))
  const end = ended(child)
  await untilSaid(child.stderr, 'ready: http://127.0.0.1:')
  child.kill(name)
  expect(await end).toMatchObject({ code: 0, signal: null, stdout: '' })
  expect(existsSync(join(home, '.local/share/memctl/server.running.json'))).toBe(false)
})

/** Starts a fake server with one collection and an endless export. */
async function endlessExport(): Promise<{ origin: string; asked: Promise<unknown> }> {
  let tell: (value: unknown) => void = () => undefined
  const asked = new Promise((resolve) => {
    tell = resolve
  })
  const answer: RequestListener = (request, response) => {
    request.resume()
    if (!request.url?.endsWith('/export')) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': 'application/jsonl' })
    response.write('{"half', () => tell(undefined))
  }
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

test('SIGINT during an export exits 130 at once and leaves no partial file', async () => {
  const { origin, asked } = await endlessExport()
  const id = '00000000-0000-7000-8000-000000000001'
  const child = start(['device', 'export', '-c', id, '-o', 'x.mem.jsonl', '--server', origin], home)
  const end = ended(child)
  await asked
  child.kill('SIGINT')
  expect(await end).toMatchObject({ code: 130, stdout: '' })
  expect(readdirSync(home)).toEqual([])
})

test('an export ends quietly when its reader closes the pipe', async () => {
  const { origin } = await detached()
  const lines = Array.from({ length: 3000 }, (_, n) => `${JSON.stringify({ raw_text: `${n} ${'x'.repeat(200)}` })}\n`)
  await runProgram(['device', 'init', 'memctl.mem.jsonl'], home)
  await runProgram(['device', 'store', '--batch', '-'], home, lines.join(''))
  const restored = await runProgram(['collections', 'restore', 'memctl.mem.jsonl', '--server', origin, '--json'], home)
  expect(asJson(restored)).toMatchObject({ stored: 3000 })
  const child = start(['device', 'export', '-o', '-', '--server', origin], home)
  child.stdin?.end()
  const end = ended(child)
  await once(child.stdout ?? child, 'data')
  child.stdout?.destroy()
  expect(await end).toMatchObject({ code: 0, signal: null })
})

/** Resolves when a stream has printed this text. */
async function untilSaid(stream: NodeJS.ReadableStream | null, text: string): Promise<void> {
  let said = ''
  await new Promise<void>((resolve, reject) => {
    stream?.on('data', (chunk) => {
      said += chunk
      if (said.includes(text)) resolve()
    })
    stream?.once('end', () => reject(new Error(`it never said ${text}: ${said}`)))
  })
}
