import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { detectFormat, findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { archiveOf, batchOf, convertTree, linesOf, treeOf, zipBytes } from '../ingest-kit.ts'

const ID = (digit: string): string => digit.repeat(32)

const EXPORT = {
  [`Harbour ${ID('a')}.md`]: [
    '# Harbour and its ships',
    '',
    `The blue boat has berth seven. See [the crew](Harbour%20${ID('a')}/Crew%20${ID('b')}.csv).`,
    `![mast](Harbour%20${ID('a')}/mast.png)`
  ].join('\n'),
  [`Harbour ${ID('a')}/mast.png`]: 'x',
  [`Harbour ${ID('a')}/bill.txt`]: 'The mast costs nine hundred.',
  [`Harbour ${ID('a')}/Crew ${ID('b')}.csv`]: '\ufeffName,Role\nAnn Lee,Captain\n',
  [`Harbour ${ID('a')}/Crew ${ID('b')}_all.csv`]: '\ufeffName,Role\nAnn Lee,Captain\nBen Okafor,"Cook, since May"\n',
  [`Harbour ${ID('a')}/Crew ${ID('b')}/Ann Lee ${ID('c')}.md`]: '# Ann Lee\n\nRole: Captain\n\nAnn steers the ferry.',
  [`Empty ${ID('d')}.md`]: '',
  [`Rooms ${ID('e')}.html`]: '<html><head><title>Rooms</title></head><body><p>The attic is dry.</p></body></html>',
  'index.html': '<ul><li>Harbour</li></ul>'
}

testFormat('notion', {
  files: EXPORT,
  phrases: [
    'The blue boat has berth seven',
    'Cook, since May',
    'Ann steers the ferry',
    'The attic is dry',
    'nine hundred'
  ]
})

test('shows links as words, and merges rows that are pages', async () => {
  const { items, report } = await convertTree(findFormat('notion'), treeOf(EXPORT))
  const lines = linesOf(items)
  expect(lines).toContainEqual(
    expect.objectContaining({
      raw_text: '# Harbour and its ships\n\nThe blue boat has berth seven. See the crew.',
      conversation: `notion:${ID('a')}`,
      metadata: expect.objectContaining({ title: 'Harbour and its ships', url: `https://www.notion.so/${ID('a')}` })
    })
  )
  expect(lines).toContainEqual(expect.objectContaining({ raw_text: 'Name: Ben Okafor; Role: Cook, since May' }))
  expect(report.kinds).toMatchObject({
    page: { seen: 4, taken: 3, merged: 0, left_out: 1 },
    row: { seen: 2, taken: 1, merged: 1, left_out: 0 },
    document: { seen: 1, taken: 1 },
    file: { seen: 3, taken: 0, merged: 1, left_out: 2 }
  })
})

test('gives the same lines for an archive whose parts are archives', async () => {
  const entries = Object.entries(EXPORT)
  const parts = [zipBytes(entries.slice(0, 4)), zipBytes(entries.slice(4))] as const
  const nested = await batchOf(
    archiveOf([
      ['Export-1-Part-1.zip', parts[0]],
      ['Export-1-Part-2.zip', parts[1]]
    ])
  )
  const plain = await batchOf(archiveOf(entries))
  expect(nested.report.format).toBe('notion')
  expect(nested.report.kinds.page).toEqual(plain.report.kinds.page)
  expect(nested.report.taken).toBeGreaterThanOrEqual(plain.report.taken)
})

test('is not detected in a folder of notes', async () => {
  expect((await detectFormat(treeOf({ 'Harbour.md': 'x', 'abc.md': 'y' }))).facts.id).toBe('markdown')
})

const FIXTURE = '../shared/fixtures/ingest/obsidian-importer/notion-testspace.zip'

test('takes every page of a public export', async ({ skip }) => {
  skip(!existsSync(FIXTURE), 'the public fixtures are not installed')
  const { report } = await batchOf(FIXTURE)
  expect(report).toMatchObject({ format: 'notion', kinds: { page: { seen: 4, taken: 4 } } })
})
