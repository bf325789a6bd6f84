import { expect, test } from 'vitest'
import { defineSomething, exportByName, sayWhatFunctionsDo } from './exports.ts'

test('finds a default export in each of its forms', () => {
  const forms = ['export default 1', 'export default function run() {}', 'const a = 1\nexport { a as default }']
  const files = forms.map((text, n) => ({ path: `src/cli/${n}.ts`, text }))
  expect(exportByName(files)).toEqual([
    'src/cli/0.ts:1: default export',
    'src/cli/1.ts:1: default export',
    'src/cli/2.ts:2: default export'
  ])
})

test('finds a barrel, and accepts a file with its own definition', () => {
  const barrel = { path: 'src/cli/all.ts', text: "export { a } from './a.ts'\nexport * from './b.ts'" }
  const listed = { path: 'src/cli/listed.ts', text: "import { a } from './a.ts'\nexport { a }" }
  const honest = { path: 'src/cli/c.ts', text: "export type { A } from './a.ts'\nexport const c = 1" }
  expect(defineSomething([barrel, listed, honest])).toEqual([
    'src/cli/all.ts: only re-exports',
    'src/cli/listed.ts: only re-exports'
  ])
})

test('finds an exported function without a doc comment', () => {
  const text = [
    'export function a() {}',
    'export const b = () => 1',
    '/** Says why. */\nexport function c() {}',
    'function d() {}',
    'export const e = 1'
  ]
  expect(sayWhatFunctionsDo([{ path: 'src/cli/a.ts', text: text.join('\n') }])).toEqual([
    'src/cli/a.ts:1: exported function without a doc comment',
    'src/cli/a.ts:2: exported function without a doc comment'
  ])
})
