import { expect, test } from 'vitest'
import { FaultOrder } from '../../../server/sandbox/control/fault-queue.ts'
import { SANDBOX_PROVIDERS } from '../../../server/sandbox/sandbox-providers.ts'
import { SANDBOX_TEXT } from '../../../src/cli/commands/help/sandbox-text.ts'
import { coverageTables, rowsOfRoutes } from './coverage-tables.ts'
import { publishedOperations, withoutNames } from './published-operations.ts'

const TABLES = coverageTables()

test('has a table for each sandbox provider, and no other', () => {
  expect(Object.keys(TABLES)).toEqual(SANDBOX_PROVIDERS.map(({ id }) => id))
})

test.for(SANDBOX_PROVIDERS)('$id: lists every existing route with its coverage in the table', (sandboxProvider) => {
  const rows = TABLES[sandboxProvider.id] ?? []
  expect(rows.map(({ operation, path }) => `${operation} ${path}`).sort()).toEqual(
    rowsOfRoutes(sandboxProvider)
      .map(({ operation, path }) => `${operation} ${path}`)
      .sort()
  )
  for (const row of rows) expect(row.covered, row.operation).not.toBe('')
})

test.for(SANDBOX_PROVIDERS)('$id: has only routes for published operations', ({ id, routes }, { skip }) => {
  const published = publishedOperations(id)
  skip(published === undefined, 'needs ../shared/fixtures')
  for (const route of routes) {
    const same = published?.operations.find(({ operation }) => operation === route.operation)
    expect(same?.path, route.operation).toBe(withoutNames(route.path))
    if (!published?.anyMethod) expect(same?.method, route.operation).toBe(route.method)
  }
})

test.for(SANDBOX_PROVIDERS.filter(({ oauth }) => oauth.scopes !== undefined))(
  '$id: has only published scopes',
  ({ id, oauth }, { skip }) => {
    const scopes = publishedOperations(id)?.scopes
    skip(scopes === undefined, 'needs ../shared/fixtures')
    for (const scope of Object.keys(oauth.scopes ?? {})) expect(scopes?.has(scope), scope).toBe(true)
  }
)

test('names every change of every sandbox provider and every kind of fault in the help', () => {
  const termsAfter = (heading: string) => {
    const at = SANDBOX_TEXT.findIndex((block) => 'heading' in block && block.heading === heading)
    const rows = SANDBOX_TEXT.slice(at).find((block) => 'rows' in block)?.rows ?? []
    return rows.map(([term]) => term)
  }
  for (const { id, changes } of SANDBOX_PROVIDERS)
    expect(new Set(termsAfter(id)), id).toEqual(new Set(Object.keys(changes)))
  const terms = SANDBOX_TEXT.flatMap((block) => ('rows' in block ? block.rows.map(([term]) => term) : []))
  for (const { shape } of FaultOrder.options) expect(terms).toContain(shape.kind.value)
})
