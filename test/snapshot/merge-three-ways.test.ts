import { expect, test } from 'vitest'
import { file, forgetLine, memoryLine, sourceOf, thrown, united } from './builders.ts'

const a = memoryLine({ text: 'a' })
const b = memoryLine({ text: 'b' })
const c = memoryLine({ text: 'c' })
const forgetA = forgetLine({ text: 'a' })

function merged(base: Buffer | undefined, ours: Buffer, theirs: Buffer): Buffer {
  const both = united([ours, theirs], { base: base && sourceOf(base) })
  expect(united([theirs, ours], { base: base && sourceOf(base) }).equals(both)).toBe(true)
  return both
}

test('what either side added is there', () => {
  expect(merged(file(a), file(a, b), file(a, c)).equals(united([file(a, b, c)]))).toBe(true)
})

test('what either side forgot stays forgotten', () => {
  expect(merged(file(a), file(a, forgetA), file(a, b)).equals(united([file(b, forgetA)]))).toBe(true)
})

test('a forgotten memory that one side let go of does not come back, neither its line nor that it was forgotten', () => {
  const base = file(a, b, forgetA)
  for (const other of [base, file(b, forgetA), file(a, b, c, forgetA)]) {
    const result = merged(base, file(b), other)
    expect(result.equals(united([file(b, ...(other.includes(c) ? [c] : []))]))).toBe(true)
  }
})

test('without the ancestor it comes back: nobody can tell that it was there', () => {
  expect(merged(undefined, file(b), file(b, forgetA)).equals(united([file(b, forgetA)]))).toBe(true)
})

test('a memory that is merely missing on one side comes back', () => {
  expect(merged(file(a, b), file(b), file(a, b)).equals(united([file(a, b)]))).toBe(true)
})

test('one that was forgotten and let go after the ancestor comes back from the side that never knew', () => {
  expect(merged(file(a, b), file(b), file(a, b, c)).equals(united([file(a, b, c)]))).toBe(true)
})

test('what was let go is not counted in the header, so nothing seems lost', () => {
  const base = united([file(a, b, forgetA)])
  const result = merged(base, united([file(b)]), base)
  expect(JSON.parse(result.toString().split('\n')[0] ?? '')).toMatchObject({ count: 1 })
})

test('damage in an input refuses the merge, damage in the ancestor does not', () => {
  expect(thrown(() => united([file(a), file('damaged')]))).toMatchObject({ code: 'invalid_snapshot' })
  expect(merged(file(a, 'damaged'), file(a), file(b)).equals(united([file(a, b)]))).toBe(true)
})

test('the first input says which form is written, unless one is asked for', () => {
  const object = united([file(a)], { form: 'json' })
  const plan = united([object, file(b)], { form: undefined })
  expect(plan.equals(united([file(a, b)], { form: 'json' }))).toBe(true)
})
