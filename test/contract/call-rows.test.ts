import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findSchemaViolation } from '../../src/client/schema-violation.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { CALL_ROWS } from '../../src/contract/endpoints/call-row.ts'
import { ENDPOINTS, type EndpointName } from '../../src/contract/endpoints/endpoints.ts'
import { makeCallRows } from './make-call-rows.ts'
import { nearlyFitting } from './nearly-fitting.ts'

const RECORDED = new URL('../../src/contract/endpoints/call-rows.json', import.meta.url)
const HOW = 'A row changed: RECORD=1 npx vitest run --config test/config/vitest.config.ts test/contract'

test('records the rows for callers as the contract defines them', () => {
  const made = makeCallRows()
  if (process.env.RECORD) writeFileSync(RECORDED, made)
  expect(made, HOW).toBe(readFileSync(RECORDED, 'utf8'))
})

/** Every JSON reply, with the schema of the server and the one of callers. */
const REPLIES = (Object.keys(ENDPOINTS) as EndpointName[]).flatMap((name) => {
  const row: Endpoint = ENDPOINTS[name]
  return row.replies.flatMap(({ status, json }, index) => {
    const schema = CALL_ROWS[name]?.replies[index]?.json
    return json === undefined || schema === undefined ? [] : [{ name, status, json, schema }]
  })
})

test.each(REPLIES)('$name with $status accepts the same replies for callers as the contract', ({ json, schema }) => {
  const verdicts = { fits: 0, misfits: 0 }
  const agreed = (value: unknown): void => {
    const fits = json.safeParse(value).success
    verdicts[fits ? 'fits' : 'misfits'] += 1
    expect(findSchemaViolation(schema, value) === undefined).toBe(fits)
  }
  fc.assert(fc.property(nearlyFitting(schema), agreed), { numRuns: process.env.SLOW ? 1000 : 60 })
  expect(verdicts).toEqual({ fits: expect.toSatisfy(isSome), misfits: expect.toSatisfy(isSome) })
})

function isSome(count: number): boolean {
  return count > 0
}
