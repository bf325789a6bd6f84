import { expect, test } from 'vitest'
import { loadedPackages, moduleGraph } from '../tidy/lazy-graph.ts'

test('loads no extraction code for a search', async () => {
  const graph = await moduleGraph(['src/device/finder.ts'])
  const extractor = /^(wink-nlp|wink-eng-lite-web-model|chrono-node|zod)$/
  expect(loadedPackages(graph, 'src/device/finder.ts', { for: extractor, everything: true })).toEqual([])
  expect(loadedPackages(graph, 'src/device/finder.ts', { for: /^wink-/ })).not.toEqual([])
})
