import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Listener, listen } from '../../bin/node/http/listen.ts'
import { COLLECTION, testApp, UNKNOWN_KEY } from '../server/http/app-kit.ts'
import { file, memoryLine } from '../snapshot/builders.ts'
import { ended, ensureBuilt, PROGRAM } from './built-program.ts'

// Commands that send a body, against a server that rejects the key before reading the body.

const KIB = 1024
const home = mkdtempSync(join(tmpdir(), 'memctl-early-refusal-'))
let listener: Listener

beforeAll(async () => {
  ensureBuilt()
  const app = testApp({ settings: { wrongKeysPerMinute: 1000 } })
  listener = await listen({ host: '127.0.0.1', port: 0, answer: app.fetch, refuse: app.refuse })
  writeFileSync(join(home, 'small.mem.jsonl'), snapshotOf(10 * KIB))
  writeFileSync(join(home, 'large.mem.jsonl'), snapshotOf(24 * KIB * KIB))
})

afterAll(async () => {
  await listener.close(0)
  rmSync(home, { recursive: true })
})

test.each([
  ['collections', 'restore', 'small.mem.jsonl', '-c', COLLECTION],
  ['collections', 'restore', 'large.mem.jsonl', '-c', COLLECTION],
  ['device', 'import', 'large.mem.jsonl'],
  ['device', 'store', 'a text', '--remote', '--snapshot', 'large.mem.jsonl'],
  ['device', 'search', 'a text', '--remote', '--snapshot', 'large.mem.jsonl'],
  ['api', 'POST', '/v1/device-memory/snapshot/import', '--input', 'large.mem.jsonl']
])('%s %s %s exits 4 with one message for a wrong key', async (...args) => {
  const words = [...args, '--server', listener.origin, '--json']
  const env = { PATH: process.env.PATH, HOME: home, MEMCTL_API_KEY: UNKNOWN_KEY }
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: home, env, stdio: 'pipe' })
  child.stdin.end()
  const { code, stdout, stderr } = await ended(child)
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  const problems = stderr.split('\n').filter((line) => line.startsWith('{'))
  expect(problems.map((line) => JSON.parse(line).error.code)).toEqual(['unauthenticated'])
  expect(stderr).not.toMatch(/EPIPE|ECONNRESET|^\s+at /m)
})

function snapshotOf(bytes: number): Uint8Array {
  const text = 'a'.repeat(Math.min(512 * KIB, bytes))
  const count = Math.ceil(bytes / text.length)
  return file(...Array.from({ length: count }, (_, nth) => memoryLine({ text: `${nth} ${text}` })))
}
