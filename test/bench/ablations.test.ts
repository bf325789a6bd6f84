import { expect, test } from 'vitest'

type Ablation = { name: string; override: object }
type Bundle = { load(override?: object): Promise<{ RANKING: object }>; remove(): void }
type BenchTools = {
  ablationsOf(ranking: object): Ablation[]
  bundleSource(exports: string, external: string[]): Promise<Bundle>
}

/** Loads the bench scripts, which are plain JavaScript. */
async function benchTools(): Promise<BenchTools> {
  const files = ['./ablations.mjs', './load-source.mjs']
  const [ablations, source] = await Promise.all(files.map((file) => import(new URL(file, import.meta.url).href)))
  return { ...ablations, ...source }
}

async function rankingBundle({ bundleSource }: BenchTools): Promise<Bundle> {
  return bundleSource(`export { RANKING } from './src/search/rank/ranking-constants.ts'`, [])
}

test('changes existing ranking parameters in each ablation, and lists none twice', async () => {
  const tools = await benchTools()
  const bundle = await rankingBundle(tools)
  const { RANKING } = await bundle.load()
  const ablations = tools.ablationsOf(RANKING)
  for (const { override } of ablations) expect((await bundle.load(override)).RANKING).not.toEqual(RANKING)
  expect(new Set(ablations.map(({ name }) => name)).size).toBe(ablations.length)
  bundle.remove()
})

test('disables the weights of evidence together and one by one, without listing them', async () => {
  const { ablationsOf } = await benchTools()
  const listed = ablationsOf({}).length
  expect(ablationsOf({ EVIDENCE: { ONE_SIGN: 0.5, OTHER: 0.2 } }).slice(listed)).toEqual([
    { name: 'all further evidence', override: { EVIDENCE: { ONE_SIGN: 0, OTHER: 0 } } },
    { name: 'ONE_SIGN', override: { EVIDENCE: { ONE_SIGN: 0 } } },
    { name: 'OTHER', override: { EVIDENCE: { OTHER: 0 } } }
  ])
})

test('applies an override only to its own load', async () => {
  const bundle = await rankingBundle(await benchTools())
  const own = (await bundle.load()).RANKING
  expect((await bundle.load({ K1: 9 })).RANKING).toEqual({ ...own, K1: 9 })
  expect((await bundle.load()).RANKING).toEqual(own)
  bundle.remove()
})

test.each([
  ['a name that ranking lacks', { NO_SUCH_NUMBER: 0 }, 'NO_SUCH_NUMBER'],
  ['a list instead of a number', { K1: [0] }, 'K1']
])('refuses an override of %s by its name', async (_name, override, told) => {
  const bundle = await rankingBundle(await benchTools())
  await expect(bundle.load(override)).rejects.toThrow(told)
  bundle.remove()
})
