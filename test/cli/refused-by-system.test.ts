import { expect, test } from 'vitest'
import { makeSystemFault } from '../../src/cli/input/read-file-bytes.ts'

/** Returns the result of `makeSystemFault` for an error that the work throws. */
function refusal(more: object): unknown {
  return () =>
    makeSystemFault('/x', () => {
      throw Object.assign(new Error('it fell'), more)
    })
}

test.each([
  ['ENOSPC', 'free space on the disk'],
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'permissions']
])('hints at a fix for %s', (code, hint) => {
  expect(refusal({ code, syscall: 'open' })).toThrow(
    expect.objectContaining({ code: 'system_refused', hint: expect.stringContaining(hint) })
  )
})

test('does not change an error that is not a system error', () => {
  expect(refusal({ code: 'ENOSPC' })).toThrow('it fell')
})
