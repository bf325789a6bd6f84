import { expect, test } from 'vitest'
import { listMembers } from '../../server/http/openapi/sample-value.ts'
import { Problem } from '../../src/contract/problem.ts'
import { KEYS, testApp } from '../server/http/app-kit.ts'
import {
  bodySchema,
  callOf,
  idsIn,
  type ROWS,
  SAMPLES,
  sampleJson,
  WITH_IDS,
  WITH_JSON,
  WITH_KEY
} from './row-calls.ts'
import { wrongValue } from './wrong-value.ts'

const INVALID = /^(invalid_input|invalid_snapshot)$/

/** Rows whose input depends on the provider. `test/server/connections` tests it. */
const OF_PROVIDERS = new Set(['folder_ids', 'channel_ids'])

async function problemOf(tested: (typeof ROWS)[number], twist: Parameters<typeof callOf>[1]): Promise<Problem> {
  const app = testApp()
  const reply = await app.fetch(callOf(tested, { key: KEYS.admin, ...twist }))
  expect(app.calls).toEqual([])
  return Problem.parse(await reply.json())
}

test.each(WITH_JSON)('$name rejects a body that is not JSON', async (tested) => {
  const bodies = [
    // An empty body is allowed if the body is optional.
    ...(tested.row.body?.optional ? [] : ['']),
    '{',
    '{"a":1,"a":2}',
    '{"__proto__":1}',
    '[NaN]',
    '\ufeff{}',
    '{} {}',
    '"\\ud800"',
    '['.repeat(1000),
    '{"a":1e999}'
  ]
  for (const body of bodies) {
    const { status, code } = await problemOf(tested, { body })
    expect([body, status, code]).toEqual([body, 400, 'malformed_json'])
  }
  const { code } = await problemOf(tested, { body: new Uint8Array([0x22, 0xff, 0x22]) })
  expect(code).toBe('malformed_json')
})

test.each(WITH_JSON)('$name rejects a body that is not an object', async (tested) => {
  for (const body of ['null', '[]', '1', '"text"', 'true']) {
    const { status, code, errors } = await problemOf(tested, { body })
    expect([status, code, errors?.[0]?.path]).toEqual([422, 'invalid_input', ''])
  }
})

test.each(WITH_JSON)('$name reports each member of a wrong type', async (tested) => {
  const members = Object.entries(listMembers(bodySchema(tested.row), SAMPLES)).filter(
    ([name]) => !OF_PROVIDERS.has(name)
  )
  expect(members.length).toBeGreaterThan(0)
  for (const [name, schema] of members) {
    const body = JSON.stringify({ ...sampleJson(tested.row), [name]: wrongValue(schema, SAMPLES) })
    const { status, code, errors } = await problemOf(tested, { body })
    expect([name, status, code]).toEqual([name, 422, expect.stringMatching(INVALID)])
    expect(
      errors?.some(({ path }) => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`))
    ).toBe(true)
  }
})

test.each(WITH_JSON)('$name reports each missing member', async (tested) => {
  const whole = sampleJson(tested.row)
  // A sample may have more than the required members.
  const names = bodySchema(tested.row).examples === undefined ? Object.keys(whole) : []
  for (const name of names) {
    const { [name]: _, ...rest } = whole
    const { status, errors } = await problemOf(tested, { body: JSON.stringify(rest) })
    expect([name, status, errors?.length]).toEqual([name, 422, 1])
  }
})

test.each(WITH_JSON)('$name rejects an unknown member', async (tested) => {
  const body = JSON.stringify({ ...sampleJson(tested.row), odd: 1, constructor: 2 })
  const { status, code, errors } = await problemOf(tested, { body })
  expect([status, code]).toEqual([422, 'invalid_input'])
  expect(errors).toEqual(['odd', 'constructor'].map((path) => ({ path, message: 'is not a member of this object' })))
})

test.each(WITH_IDS)('$name rejects ids of another form', async (tested) => {
  for (const id of [
    'odd',
    '%00',
    '..%2f..%2fetc',
    '1'.repeat(5000),
    '%zz',
    "';--",
    '11111111-1111-7111-8111-11111111111g'
  ]) {
    const { status, code, errors } = await problemOf(tested, { id })
    expect([id, status, code, errors?.length]).toEqual([id, 422, 'invalid_input', idsIn(tested.row)])
  }
})

test.each(WITH_KEY)('$name rejects unknown parameters', async (tested) => {
  const { status, code, errors } = await problemOf(tested, { search: 'odd=1' })
  expect([status, code, errors?.[0]?.path]).toEqual([422, 'invalid_input', 'odd'])
})

test.each(WITH_JSON)('$name reports only the first twenty errors', async (tested) => {
  const many = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`odd${at}`, at]))
  const { errors } = await problemOf(tested, { body: JSON.stringify({ ...sampleJson(tested.row), ...many }) })
  expect(errors?.length).toBe(20)
})
