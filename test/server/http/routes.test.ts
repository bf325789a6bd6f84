import { expect, test } from 'vitest'
import * as z from 'zod'
import { makeOpenApi } from '../../../server/http/openapi/make-open-api.ts'
import { sortRoutes } from '../../../server/http/request/sort-routes.ts'
import { defineEndpoint } from '../../../src/contract/endpoint.ts'

const about = { summary: 'x', access: 'authenticated', replies: [{ status: 200, about: 'x' }], faults: [] } as const
const ROWS = {
  one: defineEndpoint({ ...about, method: 'GET', path: '/v1/things/{id}', params: z.strictObject({ id: z.guid() }) }),
  drop: defineEndpoint({
    ...about,
    method: 'DELETE',
    path: '/v1/things/{id}',
    params: z.strictObject({ id: z.guid() })
  }),
  kinds: defineEndpoint({ ...about, method: 'GET', path: '/v1/things/kinds' }),
  all: defineEndpoint({
    ...about,
    method: 'GET',
    path: '/v1/things',
    query: z.strictObject({
      kind: z.string().max(9).meta({ description: 'Of one kind.' }),
      after: z.string().optional()
    })
  })
}

test('prefers a literal segment to a parameter', () => {
  const routes = sortRoutes(ROWS)
  expect(routes.map(({ path, allow }) => [path, allow])).toEqual([
    ['/v1/things', 'GET, HEAD'],
    ['/v1/things/kinds', 'GET, HEAD'],
    ['/v1/things/{id}', 'GET, HEAD, DELETE']
  ])
  expect([...(routes[2]?.methods ?? [])]).toEqual([
    ['GET', 'one'],
    ['DELETE', 'drop']
  ])
})

test('lists the parameters of path and query in the document', () => {
  const { paths } = makeOpenApi('1', ROWS)
  expect(Object.keys(paths['/v1/things/{id}'] ?? {})).toEqual(['get', 'delete'])
  expect(paths['/v1/things/{id}']?.get?.parameters).toEqual([
    { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
  ])
  expect(paths['/v1/things']?.get?.parameters).toEqual([
    {
      name: 'kind',
      in: 'query',
      required: true,
      description: 'Of one kind.',
      schema: { type: 'string', maxLength: 9 }
    },
    { name: 'after', in: 'query', required: false, schema: { type: 'string' } }
  ])
})
