import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { blockText, FRAMES, isKnownBlock } from '../../../../server/providers/notes/page-text.ts'
import { readPageText } from '../../../../server/providers/notes/read.ts'
import { Block } from '../../../../server/providers/notes/wire.ts'
import type { SyncCall } from '../../../../server/providers/port/provider.ts'
import { objectsIn, recordings } from '../../sandbox/notes/recordings.ts'
import { ADA, notesWorld } from './notes-kit.ts'

const ID = '01234567-89ab-cdef-0123-456789abcdef'
const DESCRIPTION = '../shared/fixtures/notion-openapi/notion-openapi.json'

const RICH = { rich_text: [{ type: 'text', plain_text: 'words', href: null }] }

function toBlock(type: string, content: unknown = {}, more: Record<string, unknown> = {}): Block {
  return Block.parse({ object: 'block', id: ID, type, has_children: false, [type]: content, ...more })
}

/**
 * All types of developers.notion.com/reference/block: a content with words, and whether these are taken. The others
 * have no words of their own.
 */
const TYPES: readonly (readonly [type: string, content: unknown, taken: boolean])[] = [
  ...[...'123'].map((level) => [`heading_${level}`, RICH, true] as const),
  ...['paragraph', 'bulleted_list_item', 'numbered_list_item', 'to_do', 'toggle', 'quote', 'callout', 'code'].map(
    (type) => [type, RICH, true] as const
  ),
  ['table_row', { cells: [RICH.rich_text] }, true],
  ['equation', { expression: 'words' }, true],
  ...['bookmark', 'embed', 'link_preview'].map((type) => [type, { url: 'https://words.example' }, true] as const),
  ...['image', 'video', 'audio', 'pdf', 'file'].map((type) => [type, { caption: RICH.rich_text }, true] as const),
  ...['child_page', 'child_database'].map((type) => [type, { title: 'words' }, true] as const),
  ...['column_list', 'column', 'table', 'synced_block', 'template', 'divider', 'breadcrumb', 'table_of_contents'].map(
    (type) => [type, {}, false] as const
  ),
  ['link_to_page', { type: 'page_id', page_id: ID }, false]
]

test.each(TYPES)('takes the words of a %s, or knows that it has none', (type, content, taken) => {
  const block = toBlock(type, content)
  expect(isKnownBlock(block)).toBe(true)
  expect(blockText(block).includes('words')).toBe(taken)
})

test('knows every type of block in the recordings and in the published description', ({ skip }) => {
  const recorded = recordings()
  skip(recorded === undefined, 'the shared fixtures are missing')
  const blocks = (recorded ?? [])
    .flatMap(({ reply }) => objectsIn(reply))
    .filter(({ kind }) => kind.startsWith('block/'))
  const types = new Set(blocks.map(({ object }) => String(object.type)))
  expect([...types].sort()).toEqual(['child_database', 'child_page', 'paragraph'])
  for (const { object } of blocks) expect(isKnownBlock(Block.parse(object))).toBe(true)

  const described = JSON.parse(readFileSync(DESCRIPTION, 'utf8')).components.schemas
  const named = Object.keys(described).flatMap((name) => /^(\w+)BlockRequest$/.exec(name)?.[1] ?? [])
  expect(named.sort()).toEqual(['bulletedListItem', 'paragraph'])
  for (const type of named.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))
    expect(TYPES.map(([known]) => known).concat([...FRAMES])).toContain(type)
})

/** Reads a page whose text lacks one block, which Notion returns as given. */
async function readWith(reply: () => Response) {
  const world = await notesWorld(ADA)
  world.around(() => async (request) => {
    if (!request.url.endsWith('/markdown')) return reply()
    const page = { object: 'page_markdown', markdown: 'Above.', truncated: false, unknown_block_ids: [ID] }
    return Response.json(page)
  })
  return await readPageText(world.call() as SyncCall, ID)
}

const ofBlock = (block: Block) => () => Response.json(block)

test('gives a reason for a block that Notion does not support or does not return', async () => {
  const gone = { object: 'error', status: 404, code: 'object_not_found', message: 'Could not find block.' }
  for (const reply of [ofBlock(toBlock('unsupported')), () => Response.json(gone, { status: 404 })])
    expect(await readWith(reply)).toMatchObject({
      text: 'Above.',
      cut: 'only a part of the page is read: Notion does not return some of its blocks'
    })
})

test('gives a reason for a block of an unknown type without rich text, and takes that of others', async () => {
  expect(await readWith(ofBlock(toBlock('ai_block', { answer: 'words' })))).toMatchObject({
    text: 'Above.',
    cut: 'only a part of the page is read: the type of some of its blocks is unknown, ai_block'
  })
  const known = await readWith(ofBlock(toBlock('ai_block', RICH)))
  expect(known.text).toBe('Above.\nwords')
  expect(known.cut).toBeUndefined()
})
