import { expect, test } from 'vitest'
import { resolveFields } from '../../src/memory/fields.ts'

test('reads fields from metadata of the right type', () => {
  const metadata = { at: '2026-01-02', speaker: 'Ada', conversation: 'c', position: 3 }
  expect(resolveFields({}, metadata)).toEqual({
    at: '2026-01-02T00:00:00.000Z',
    speaker: 'Ada',
    conversation: 'c',
    position: 3
  })
})

test('prefers given fields over metadata', () => {
  const given = { at: '2025-01-01T00:00:00.000Z', speaker: '', conversation: 'd', position: 0 }
  expect(resolveFields(given, { at: '2026-01-02', speaker: 'Ada', conversation: 'c', position: 3 })).toEqual(given)
})

test('ignores metadata of other types without failing', () => {
  const nothing = { at: undefined, speaker: undefined, conversation: undefined, position: undefined }
  expect(resolveFields({}, undefined)).toEqual(nothing)
  expect(resolveFields({}, { at: 'yesterday', speaker: 1, conversation: null, position: '3' })).toEqual(nothing)
  expect(resolveFields({}, { at: 1767323045, speaker: ['Ada'], conversation: {}, position: 1.5 })).toEqual(nothing)
})
