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

test('keeps the additions of either side', () => {
  expect(merged(file(a), file(a, b), file(a, c)).equals(united([file(a, b, c)]))).toBe(true)
})

test('keeps memories forgotten that either side forgot', () => {
  expect(merged(file(a), file(a, forgetA), file(a, b)).equals(united([file(b, forgetA)]))).toBe(true)
})

test('drops a forgotten memory that one side dropped, with its line and its forget line', () => {
  const base = file(a, b, forgetA)
  for (const other of [base, file(b, forgetA), file(a, b, c, forgetA)]) {
    const result = merged(base, file(b), other)
    expect(result.equals(united([file(b, ...(other.includes(c) ? [c] : []))]))).toBe(true)
  }
})

test('brings it back without the ancestor, which shows that it existed', () => {
  expect(merged(undefined, file(b), file(b, forgetA)).equals(united([file(b, forgetA)]))).toBe(true)
})

test('restores a memory that is merely missing on one side', () => {
  expect(merged(file(a, b), file(b), file(a, b)).equals(united([file(a, b)]))).toBe(true)
})

test('restores a memory that was forgotten and dropped after the ancestor, from the side that never did', () => {
  expect(merged(file(a, b), file(b), file(a, b, c)).equals(united([file(a, b, c)]))).toBe(true)
})

test('excludes dropped ids from the header, so that nothing seems lost', () => {
  const base = united([file(a, b, forgetA)])
  const result = merged(base, united([file(b)]), base)
  expect(JSON.parse(result.toString().split('\n')[0] ?? '')).toMatchObject({ count: 1 })
})

test('refuses damaged inputs, but accepts a damaged ancestor', () => {
  expect(thrown(() => united([file(a), file('damaged')]))).toMatchObject({ code: 'invalid_snapshot' })
  expect(merged(file(a, 'damaged'), file(a), file(b)).equals(united([file(a, b)]))).toBe(true)
})

test('writes the form of the first input unless another is requested', () => {
  const object = united([file(a)], { form: 'json' })
  const plan = united([object, file(b)], { form: undefined })
  expect(plan.equals(united([file(a, b)], { form: 'json' }))).toBe(true)
})
