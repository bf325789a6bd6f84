import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const NOTE = [
  '---',
  'title: Coffee brewing',
  'type: note',
  'permalink: coffee/brewing',
  'tags: [coffee]',
  '---',
  '# Coffee brewing',
  '',
  '## Observations',
  '- [method] Pour over brings out the fruit #brewing (from a class)',
  '- [x] buy filters',
  '',
  '## Relations',
  '- relates_to [[Tea]]',
  '- needs [[Harbour water|water]] (soft)'
].join('\n')

testFormat('basic_memory', {
  files: {
    'coffee/brewing.md': NOTE,
    'Tea.md': '---\ntitle: Tea\npermalink: tea\n---\nGreen tea needs eighty degrees.'
  },
  phrases: ['Pour over brings out the fruit', 'Green tea needs eighty degrees']
})

test('takes observations and relations as given facts, but not tasks', async () => {
  const { items } = await convertTree(findFormat('basic_memory'), treeOf({ 'brewing.md': NOTE, 'z.md': 'z' }))
  const given = linesOf(items).flatMap((line) => line.given ?? [])
  expect(given).toEqual([
    { subject: 'Coffee brewing', predicate: 'method', value: 'Pour over brings out the fruit' },
    { subject: 'Coffee brewing', predicate: 'relates_to', value: 'Tea' },
    { subject: 'Coffee brewing', predicate: 'needs', value: 'Harbour water' }
  ])
})

test('gives notes the same ids as the format of Markdown', async () => {
  const files = { 'brewing.md': NOTE, 'z.md': 'z' }
  const [own, plain] = await Promise.all(
    ['basic_memory', 'markdown'].map(async (id) => linesOf((await convertTree(findFormat(id), treeOf(files))).items))
  )
  const bare = (lines = own) => lines?.map(({ given: _given, ...line }) => line)
  expect(bare(own)).toEqual(bare(plain))
})
