import { expect, test } from 'vitest'

type Ablation = { name: string; override: object }
type Bundle = { load(override?: object): Promise<{ RANKING: object }>; remove(): void }
type BenchTools = {
  ablationsOf(ranking: object): Ablation[]
  bundleSource(exports: string, external: string[]): Promise<Bundle>
}

/** The scripts of the bench are plain JavaScript. */
async function benchTools(): Promise<BenchTools> {
  const files = ['./ablations.mjs', './load-source.mjs']
  const [ablations, source] = await Promise.all(files.map((file) => import(new URL(file, import.meta.url).href)))
  return { ...ablations, ...source }
}

async function rankingBundle({ bundleSource }: BenchTools): Promise<Bundle> {
  return bundleSource(`export { RANKING } from './src/search/rank/ranking-constants.ts'`, [])
}

test('each ablation changes numbers that ranking has, and none is listed twice', async () => {
  const tools = await benchTools()
  const bundle = await rankingBundle(tools)
  const { RANKING } = await bundle.load()
  const ablations = tools.ablationsOf(RANKING)
  for (const { override } of ablations) expect((await bundle.load(override)).RANKING).not.toEqual(RANKING)
  expect(new Set(ablations.map(({ name }) => name)).size).toBe(ablations.length)
  bundle.remove()
})

test('weights of evidence are switched off together and one by one, without being listed', async () => {
  const { ablationsOf } = await benchTools()
  const listed = ablationsOf({}).length
  expect(ablationsOf({ EVIDENCE: { ONE_SIGN: 0.5, OTHER: 0.2 } }).slice(listed)).toEqual([
    { name: 'all further evidence', override: { EVIDENCE: { ONE_SIGN: 0, OTHER: 0 } } },
    { name: 'one sign', override: { EVIDENCE: { ONE_SIGN: 0 } } },
    { name: 'other', override: { EVIDENCE: { OTHER: 0 } } }
  ])
})

test('an override changes what it names for its own load alone', async () => {
  const bundle = await rankingBundle(await benchTools())
  const own = (await bundle.load()).RANKING
  expect((await bundle.load({ K1: 9 })).RANKING).toEqual({ ...own, K1: 9 })
  expect((await bundle.load()).RANKING).toEqual(own)
  bundle.remove()
})

test.each([
  ['a name that ranking lacks', { NO_SUCH_NUMBER: 0 }, 'NO_SUCH_NUMBER'],
  ['a list in the place of a number', { K1: [0] }, 'K1']
])('an override of %s is refused, by name', async (_name, override, told) => {
  const bundle = await rankingBundle(await benchTools())
  await expect(bundle.load(override)).rejects.toThrow(told)
  bundle.remove()
})
