import { expect, test } from 'vitest'
import { takeTheWorldAsArgument } from './ambient.ts'

const found = (text: string, path = 'src/device/a.ts') => takeTheWorldAsArgument([{ path, text }])

test.each([
  ['const now = Date.now()', 'Date.now'],
  ['const now = new Date().toISOString()', 'new Date()'],
  ['const now = Date()', 'Date()'],
  ['const day = new Date(2026, 0, 1)', 'new Date(…) in local time'],
  ['const hour = new Date(x).getHours()', 'new Date(x).getHours'],
  ['const ms = performance.now()', 'performance'],
  ['const dice = Math.random()', 'Math.random'],
  ["const key = process.env['KEY']", 'process'],
  ['const exit = process', 'process'],
  ['setTimeout(done, 10)', 'setTimeout'],
  ['await fetch(url)', 'fetch'],
  ['const load = { fetch: fetch }', 'fetch'],
  ["console.error('x')", 'console'],
  ['const it = globalThis.crypto', 'globalThis'],
  ['const id = crypto.randomUUID()', 'crypto.randomUUID'],
  ["import { randomBytes as bytes } from 'node:crypto'", 'randomBytes'],
  ['const here = import.meta.dirname', 'import.meta'],
  ['const stop = AbortSignal.timeout(5)', 'AbortSignal.timeout'],
  ['names.sort((a, b) => a.localeCompare(b))', 'localeCompare without a language'],
  ['const words = new Intl.Segmenter(undefined, {})', 'Intl.Segmenter without a language']
])('finds the environment in `%s', (text, what) => {
  expect(found(text)).toEqual([`src/device/a.ts:1: ${what}`])
})

test.each([
  "const at = new Date(ms).toISOString() + Date.UTC(2026, 0) + Date.parse('2026')",
  'const at = world.clock.now() + self.process(pid).startTime',
  'function run({ fetch, process }: Ports) { return fetch(process) }',
  'type Ports = { fetch: typeof fetch; process: Process }',
  "import { createHash } from 'node:crypto'",
  "const words = new Intl.Segmenter('en', {}); a.localeCompare(b, 'en')"
])('finds no environment in `%s', (text) => {
  expect(found(text)).toEqual([])
})

test('allows bin to access the environment', () => {
  expect(found('const now = Date.now()', 'bin/node/node-clock.ts')).toEqual([])
})
