import { expect, test } from 'vitest'
import { describeOddities, verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { file, memoryLine, sourceOf } from './builders.ts'

test('accepts a flipped bit that only changes the spelling, and reports its line', () => {
  const line = memoryLine({ text: 'large', metadata: { n: 1e21 } })
  const bytes = file(memoryLine({ text: 'before' }), line, memoryLine({ text: 'after' }))
  const at = bytes.indexOf('1e+21') + 1
  bytes[at] = (bytes[at] ?? 0) ^ 0x20
  const { sound, reading } = verifySnapshot(sourceOf(bytes))
  expect(sound).toBe(true)
  expect(describeOddities(reading)).toEqual(['1 line with other key order or spacing, the first is line 3'])
})
