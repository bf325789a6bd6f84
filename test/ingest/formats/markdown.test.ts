import { expect, test } from 'vitest'
import { findFormat } from '../../../src/ingest/detect-format.ts'
import { testFormat } from '../format-suite.ts'
import { convertTree, linesOf, treeOf } from '../ingest-kit.ts'

const LONG = Array.from({ length: 60 }, (_, n) => `Paragraph ${n} describes the harbour of town number ${n}.`).join(
  '\n\n'
)

const VAULT = {
  'Boat.md': [
    '---',
    'title: The blue boat',
    'aliases: [Skiff]',
    'tags: sea, boat',
    'created: 2025-03-04T10:00',
    '---',
    '# Boat',
    'I sold the boat to [[People/Ann Lee|Ann]] in May. ^b1',
    '![[boat.png]]',
    'See [[Harbour#Opening hours]] and ![[Harbour]].',
    '`[[not a link]]`'
  ].join('\n'),
  'journal/2026-01-05.md': 'Met Ben at the quay. Tomorrow we sail.\n\n- [ ] buy rope',
  'Harbour.md': `# Harbour\n\n${LONG}`,
  'empty.md': ' \n',
  'boat.png': new Uint8Array([0x89, 0x50, 0x4e, 0x47]),
  'plan.canvas': '{}'
}

testFormat('markdown', {
  files: VAULT,
  phrases: ['I sold the boat to Ann', 'Met Ben at the quay', 'the harbour of town number 41', 'buy rope']
})

async function linesOfNote(path: string, text: string, options: { zone?: string } = {}) {
  const { items } = await convertTree(findFormat('markdown'), treeOf({ [path]: text, 'z.md': 'z' }), options)
  return linesOf(items).filter(({ metadata }) => JSON.stringify(metadata).includes(path))
}

test('gives a note its path as conversation, its title, aliases and tags, and the date of its front matter', async () => {
  const [line] = await linesOfNote('Boat.md', VAULT['Boat.md'], { zone: 'Europe/Berlin' })
  expect(line).toMatchObject({
    conversation: 'markdown:input/Boat.md',
    at: '2025-03-04T09:00:00.000Z',
    metadata: {
      source: { format: 'markdown', id: 'input/Boat.md', path: 'Boat.md' },
      title: 'The blue boat',
      aliases: ['Skiff'],
      tags: ['sea', 'boat'],
      zone_guessed: true
    }
  })
})

test('shows links as Obsidian does, leaves code as it is, and removes pictures and block ids', async () => {
  const [line] = await linesOfNote('Boat.md', VAULT['Boat.md'])
  expect(line?.raw_text).toContain(
    'I sold the boat to Ann in May.\n\nSee Harbour > Opening hours and Harbour.\n`[[not a link]]`'
  )
})

test('dates a daily note by its name, and leaves other notes undated', async () => {
  expect((await linesOfNote('2026-01-05 Monday.md', 'Rain.'))[0]?.at).toBe('2026-01-05T00:00:00.000Z')
  expect((await linesOfNote('20260105123.md', 'Rain.'))[0]?.at).toBeUndefined()
})

test('keeps a time that states its zone, without a mark that it was guessed', async () => {
  const [line] = await linesOfNote('a.md', '---\ndate: 2026-01-05T10:00:00+02:00\n---\nRain.', { zone: 'Asia/Tokyo' })
  expect(line?.at).toBe('2026-01-05T08:00:00.000Z')
  expect(line?.metadata).not.toHaveProperty('zone_guessed')
})

test('takes a note whose front matter is not valid YAML as it stands', async () => {
  const [line] = await linesOfNote('a.md', '---\ntitle: [unclosed\n---\nRain on the quay.')
  expect(line?.raw_text).toContain('Rain on the quay.')
})

test('gives a note in decomposed Unicode, as macOS names files, the composed path', async () => {
  const { openTree } = await import('../../../src/ingest/tree/open-tree.ts')
  const { folderOf, ingestWorld } = await import('../ingest-kit.ts')
  const tree = await openTree(ingestWorld(), { path: folderOf({ 'Cafe\u0301.md': 'Espresso.' }) })
  expect(tree.files.map(({ path }) => path)).toEqual(['Caf\u00e9.md'])
})
