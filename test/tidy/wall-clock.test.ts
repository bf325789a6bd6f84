import { expect, test } from 'vitest'
import { keepOffTheWallClock } from './wall-clock.ts'

const found = (text: string, path = 'test/a.test.ts') => keepOffTheWallClock([{ path, text }])

test.each([
  ['await new Promise((resolve) => setTimeout(resolve, 10))', 'setTimeout'],
  ['const ms = performance.now() - before', 'performance.now'],
  ['await expect.poll(() => seen).toBe(1)', 'expect.poll'],
  ['await vi.waitFor(() => seen)', 'vi.waitFor'],
  ["import { setTimeout as sleep } from 'node:timers/promises'", 'node:timers/promises'],
  ["test('x', () => undefined, 60_000)", 'a limit of its own'],
  ["test('x', { timeout: 60_000 }, () => undefined)", 'a limit of its own'],
  ["test.each([1])('x', { timeout: TIME_MS }, () => undefined)", 'a limit of its own'],
  ['beforeAll(ensureBuilt, TIME_MS)', 'a limit of its own']
])('finds the clock in `%s', (text, what) => {
  expect(found(text)).toEqual([`test/a.test.ts:1: ${what}`])
})

test.each([
  "test('x', () => undefined, 3_600_000)",
  "test('x', { concurrent: true }, () => undefined)",
  "const script = 'setTimeout(() => 1, 3000)'",
  'const clock = { ticks: () => 5 }',
  'await clock.wait(5)'
])('finds nothing in `%s', (text) => {
  expect(found(text)).toEqual([])
})

test('allows measurements and long proofs to use the clock', () => {
  expect(found('const ms = performance.now()', 'test/bench/a.ts')).toEqual([])
})
