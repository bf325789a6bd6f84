import { expect, test } from 'vitest'
import { keepSmall } from './sizes.ts'

const lines = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

test('finds a file of 401 lines, and accepts one of 400', () => {
  const file = (count: number) => ({
    path: `src/cli/${count}.ts`,
    text: `${lines(count, (n) => `export const a${n} = ${n}`)}\n`
  })
  expect(keepSmall([file(400), file(401)])).toEqual(['src/cli/401.ts: 401 lines, at most 400'])
})

test('finds a function of 61 lines of code, not counting comments and blank lines', () => {
  const steps = lines(58, (n) => `  step(${n})`)
  const commented = `function run() {\n  // Why.\n\n${steps}\n  /* And more. */\n}`
  const long = `function run() {\n${steps}\n  step(58)\n}`
  expect(keepSmall([{ path: 'a.ts', text: commented }])).toEqual([])
  expect(keepSmall([{ path: 'a.ts', text: long }])).toEqual(['a.ts:1: 61 lines, at most 60'])
})

test('finds a fourth parameter in functions, arrows, methods and constructors', () => {
  const text = [
    'function a(p, q, r, s) {}',
    'const b = (p, q, r, s) => p',
    'const c = { run(p, q, r, s) {} }',
    'class D { constructor(p, q, r, s) {} }',
    'function fine(p, q, r) {}'
  ]
  expect(keepSmall([{ path: 'a.ts', text: text.join('\n') }])).toHaveLength(4)
})
