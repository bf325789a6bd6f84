import { expect, test } from 'vitest'
import { createAccount, describeAccount } from '../../src/ingest/account-report.ts'

test('keeps the first 20 examples of each kind and reason', () => {
  const account = createAccount()
  for (let n = 0; n < 30; n++) account.add({ kind: 'file', path: `${n}.png`, leftOut: 'image' })
  const [loss] = account.report().losses
  expect(loss).toMatchObject({ kind: 'file', reason: 'image', count: 30 })
  expect(loss?.examples).toHaveLength(20)
})

test('describes what was taken, merged and left out in one line', () => {
  const account = createAccount()
  account.add({ kind: 'message', path: 'a', lines: [] })
  account.add({ kind: 'message', path: 'b', merged: true })
  account.add({ kind: 'message', path: 'c', leftOut: 'tool_call', count: 1204 })
  account.add({ kind: 'attachment', path: 'd', leftOut: 'image' })
  expect(describeAccount(account.report())).toBe(
    'taken 1 of 1,207; merged: 1 duplicate; left out: 1,204 tool calls, 1 image'
  )
})
