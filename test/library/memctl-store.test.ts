import { InMemoryStore, type Item } from '@langchain/langgraph-checkpoint'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemctlStore } from '../../bin/library/memctl-store.ts'
import { bench } from '../device/device-kit.ts'

const label = fc.constantFrom('users', 'anna', 'Anna', 'ünï/cöde', 'a b', '*')
const namespace = fc.array(label, { minLength: 1, maxLength: 3 })
const key = fc.constantFrom('theme', 'Theme', 'city', 'x/y', '%2F')
const value = fc.record(
  {
    text: fc.constantFrom('likes tea', 'lives in Lisbon'),
    n: fc.nat(3),
    deep: fc.record({ list: fc.array(fc.nat(3)) })
  },
  { requiredKeys: ['n'] }
)
const operation = fc.oneof(
  fc.record({ name: fc.constant('put' as const), namespace, key, value }),
  fc.record({ name: fc.constant('put' as const), namespace, key, value }),
  fc.record({ name: fc.constant('delete' as const), namespace, key }),
  fc.record({ name: fc.constant('get' as const), namespace, key }),
  fc.record({
    name: fc.constant('search' as const),
    namespace: fc.array(label, { maxLength: 2 }),
    filter: fc.constantFrom(
      {},
      { n: 1 },
      { n: { $gte: 1, $lt: 3 } },
      { n: { $ne: 2 } },
      { text: { $in: ['likes tea'] } }
    )
  }),
  fc.record({
    name: fc.constant('list' as const),
    options: fc.record(
      { prefix: namespace, suffix: namespace, maxDepth: fc.integer({ min: 1, max: 3 }) },
      { requiredKeys: [] }
    )
  })
)

test('gives the same results as the store in memory of LangGraph, whatever the operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 12 }), async (operations) => {
      const { device } = await bench()
      const [ours, theirs] = [new MemctlStore(device), new InMemoryStore()]
      for (const [at, one] of operations.entries()) {
        // The store in memory still lists a namespace whose last item was deleted.
        if (one.name === 'list' && operations.slice(0, at).some(({ name }) => name === 'delete')) continue
        const [mine, other] = [await apply(ours, one), await apply(theirs, one)]
        expect(mine).toEqual(other)
      }
    }),
    { numRuns: process.env.SLOW ? 200 : 6 }
  )
})

type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never

type Store = Pick<InMemoryStore, 'put' | 'get' | 'delete' | 'search' | 'listNamespaces'>

async function apply(store: Store, operation: Operation): Promise<unknown> {
  switch (operation.name) {
    case 'put':
      return await store.put(operation.namespace, operation.key, operation.value)
    case 'delete':
      return await store.delete(operation.namespace, operation.key)
    case 'get':
      return withoutTimes(await store.get(operation.namespace, operation.key))
    case 'search': {
      const found = await store.search(operation.namespace, { filter: operation.filter, limit: 100 })
      return found.map(withoutTimes).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    }
    case 'list':
      return (await store.listNamespaces(operation.options)).map((one) => one.join(':')).sort()
  }
}

function withoutTimes(item: Item | null): Pick<Item, 'namespace' | 'key' | 'value'> | null {
  return item && { namespace: item.namespace, key: item.key, value: item.value }
}

test('answers a query by the ranking of memctl, within a namespace', async () => {
  const { device } = await bench()
  const store = new MemctlStore(device)
  await store.put(['users', 'anna'], 'home', { text: 'Anna lives in Lisbon.' })
  await store.put(['users', 'anna'], 'tea', { text: 'Anna likes green tea.' })
  await store.put(['users', 'ben'], 'home', { text: 'Ben lives in Lisbon too, near the river.' })
  await store.put(['users', 'anna'], 'hidden', { text: 'Anna lives in a secret place.' }, false)
  const found = await store.search(['users', 'anna'], { query: 'where does Anna live', limit: 5 })
  expect(found[0]).toMatchObject({
    namespace: ['users', 'anna'],
    key: 'home',
    value: { text: 'Anna lives in Lisbon.' }
  })
  expect(found[0]?.score).toBeGreaterThan(0)
  expect(found.map((item) => item.namespace[1])).not.toContain('ben')
  expect(found.map((item) => item.key)).not.toContain('hidden')
  expect((await store.search([], { query: 'Lisbon', limit: 1, offset: 1 })).length).toBe(1)
})

test('keeps the time of creation, and replaces the memory of an item', async () => {
  const { device } = await bench()
  const store = new MemctlStore(device)
  await store.put(['users'], 'theme', { text: 'dark' })
  const first = await store.get(['users'], 'theme')
  await store.put(['users'], 'theme', { text: 'light' })
  const second = await store.get(['users'], 'theme')
  expect(second?.createdAt).toEqual(first?.createdAt)
  expect(second?.updatedAt.getTime()).toBeGreaterThan(first?.updatedAt.getTime() ?? 0)
  expect((await device.recent()).records.map(({ text }) => text)).toEqual(['light'])
  await store.delete(['users'], 'theme')
  expect((await device.recent()).total).toBe(0)
  await expect(store.put([], 'x', {})).rejects.toThrow('Namespace cannot be empty')
})

test('leaves other memories of the snapshot alone', async () => {
  const { device } = await bench()
  const path = 'langgraph/users/theme'
  await device.store({ text: 'A note.', metadata: { source: { format: 'markdown', path } } })
  const store = new MemctlStore(device)
  expect(await store.get(['users'], 'theme')).toBeNull()
  await store.put(['users'], 'theme', { text: 'dark' })
  await store.delete(['users'], 'theme')
  expect((await device.recent()).records.map(({ text }) => text)).toEqual(['A note.'])
})
