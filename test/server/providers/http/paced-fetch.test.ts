import { expect, test } from 'vitest'
import { createPacedFetch, type Pace } from '../../../../server/providers/http/create-paced-fetch.ts'
import type { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import type { Fetch } from '../../../../src/ports.ts'
import { manualClock } from '../../http/manual-clock.ts'

const A = 'https://chat.example/api/a?limit=1'
const B = 'https://chat.example/api/b'

function paced(replies: Response[], { pace = new Map() as Pace, paceBy = 'path' as 'path' | 'account' } = {}) {
  const clock = manualClock()
  const asked: string[] = []
  const fetch: Fetch = async ({ url }) => {
    asked.push(url)
    return replies.shift() ?? new Response('fine')
  }
  const sent = createPacedFetch(fetch, { clock, pace, paceBy })
  return { clock, asked, get: (url: string) => sent(new Request(url)), sent }
}

const limited = (headers = {}) => new Response('', { status: 429, headers })

test('holds nothing back before the first 429', async () => {
  const { get, asked } = paced([])
  for (let n = 0; n < 500; n++) expect((await get(A)).status).toBe(200)
  expect(asked).toHaveLength(500)
})

test('pauses a path after a 429 for the demanded time, whatever its parameters, and no other path', async () => {
  const { get, asked, clock } = paced([limited({ 'retry-after': '30' })])
  expect((await get(A)).status).toBe(429)
  await clock.pass(10_000)

  const refused = await get(A.replace('1', '2')).catch((error: ProviderFailure) => error)
  expect(refused).toMatchObject({ kind: 'rate_limited', retryAfterMs: 20_000 })
  expect((await get(B)).status).toBe(200)
  expect(asked).toEqual([A, B])
})

test('pauses all calls of an account if the provider counts them together, without storing their paths', async () => {
  const pace: Pace = new Map()
  const { get, asked, clock } = paced([new Response('', { status: 529, headers: { 'retry-after': '7' } })], {
    pace,
    paceBy: 'account'
  })
  await get(`${B}/1`)
  await expect(get(`${B}/2`)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 7000 })
  expect([asked, pace.size]).toEqual([[`${B}/1`], 1])
  await clock.pass(7000)
  expect((await get(`${B}/2`)).status).toBe(200)
})

test('releases a path when its time has come', async () => {
  const { get, clock } = paced([limited({ 'retry-after': '30' })])
  await get(A)
  await clock.pass(30_000)
  for (let n = 0; n < 3; n++) expect((await get(A)).status).toBe(200)
})

test('assumes a minute for a 429 without a time', async () => {
  const { get, clock } = paced([limited()])
  await get(A)
  await clock.pass(59_000)
  await expect(get(A)).rejects.toMatchObject({ kind: 'rate_limited', retryAfterMs: 1000 })
  await clock.pass(1000)
  expect((await get(A)).status).toBe(200)
})

test('keeps a pace beyond the fetch that recorded it, within a limited size', async () => {
  const pace: Pace = new Map()
  const many = paced(
    Array.from({ length: 3000 }, () => limited({ 'retry-after': '9' })),
    { pace }
  )
  for (let n = 0; n < 3000; n++) await many.get(`${B}/${n}`)
  expect(pace.size).toBeLessThanOrEqual(1000)
  await expect(paced([], { pace }).get(`${B}/2999`)).rejects.toMatchObject({ kind: 'rate_limited' })
})

test('omits the parameters of a call in messages', async () => {
  const { get } = paced([limited({ 'retry-after': '9' })])
  await get(`${B}?token=secret`)
  const refused: Error = await get(`${B}?token=secret`).catch((error) => error)
  expect(refused.message).not.toContain('secret')
})
