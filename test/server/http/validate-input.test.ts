import { expect, test } from 'vitest'
import * as z from 'zod'
import { prefersLines } from '../../../server/http/request/body-form.ts'
import { validateQuery } from '../../../server/http/request/validate-input.ts'
import type { Fault } from '../../../src/contract/faults.ts'
import { ask, KEYS, testApp } from './app-kit.ts'

const Query = z.strictObject({ state: z.string().max(3), more: z.stringbool().default(false) })

function refusal(search: string): Fault | undefined {
  try {
    validateQuery(Query, new URLSearchParams(search))
  } catch (thrown) {
    return thrown as Fault
  }
  return undefined
}

test('describes errors in readable sentences', async () => {
  const json = { name: 'x', grants: [{ collection_id: 'odd', permission: 'own' }, 7], admin: 'yes' }
  const reply = await testApp().fetch(ask('/v1/keys', { key: KEYS.admin, json }))
  const { errors, detail } = (await reply.json()) as { errors: { path: string }[]; detail: string }
  const paths = ['grants[0].collection_id', 'grants[0].permission', 'grants[1]', 'admin']
  expect(errors.map(({ path }) => path)).toEqual(paths)
  expect(detail).toContain('`grants[0].collection_id`')
})

test('does not echo a long member name completely', async () => {
  const json = { name: 'x', ['k'.repeat(5000)]: 1 }
  const reply = await testApp().fetch(ask('/v1/collections', { key: KEYS.admin, json }))
  expect((await reply.text()).length).toBeLessThan(1000)
})

test('parses a query by its schema, and allows each parameter once', () => {
  expect(validateQuery(Query, new URLSearchParams('state=abc&more=true'))).toEqual({ state: 'abc', more: true })
  expect(refusal('state=a&state=b')?.errors).toEqual([{ path: 'state', message: 'is repeated; send it once' }])
  expect(refusal('state=abcd')?.errors[0]?.path).toBe('state')
  expect(refusal('state=a&odd=1')?.errors).toEqual([{ path: 'odd', message: 'is not a member of this object' }])
  expect(refusal('')?.code).toBe('invalid_input')
})

test('prefers lines if the client accepts them no less than JSON', () => {
  const prefers = (accept: string): boolean => prefersLines(new Headers({ accept }))
  expect(
    ['application/jsonl', 'application/x-ndjson, */*', 'application/json;q=0.5, application/jsonl'].map(prefers)
  ).toEqual([true, true, true])
  expect(
    ['', '*/*', 'application/json', 'application/jsonl;q=0.2, application/json', 'application/jsonl;q=0'].map(prefers)
  ).toEqual([false, false, false, false, false])
})
