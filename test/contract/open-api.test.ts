import { readFileSync, writeFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { makeOpenApi } from '../../server/http/openapi/make-open-api.ts'
import { ENDPOINTS } from '../../src/contract/endpoints/endpoints.ts'

const RECORDED = new URL('../vectors/openapi.json', import.meta.url)
const HOW =
  'The wire changed. Where that is meant: RECORD=1 npx vitest run --config test/config/vitest.config.ts test/contract'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

test('matches the recorded document', () => {
  const made = `${JSON.stringify(makeOpenApi(version), null, 2)}\n`
  if (process.env.RECORD) writeFileSync(RECORDED, made)
  expect(made, HOW).toBe(readFileSync(RECORDED, 'utf8'))
})

test('follows the rules of OpenAPI 3.1', async () => {
  const validator = new Validator()
  const result = await validator.validate(structuredClone(makeOpenApi(version)) as unknown as Record<string, unknown>)
  expect([result.errors, result.valid, validator.version]).toEqual([undefined, true, '3.1'])
})

test('has an operation for every endpoint, and every schema that it refers to', () => {
  const document = makeOpenApi(version)
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(ENDPOINTS).sort())
  const referred = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name)
  expect([...new Set(referred)].sort()).toEqual(Object.keys(document.components.schemas).sort())
})
