import { expect, test } from 'vitest'
import { toPageItem } from '../../../../server/providers/notes/page-item.ts'
import { blockText, readMarkdown } from '../../../../server/providers/notes/page-text.ts'

import { Block, Page } from '../../../../server/providers/notes/wire.ts'

const HEX = '0123456789abcdef0123456789abcdef'
const ID = '01234567-89ab-cdef-0123-456789abcdef'
const OTHER = 'fedcba98-7654-3210-fedc-ba9876543210'

function textOf(markdown: string): string {
  return readMarkdown(markdown, new Map()).text
}

/** Enhanced Markdown and its plain text. */
const LINES: readonly [string, string][] = [
  ['# Heading {color="red"}', '# Heading'],
  ['Some **bold**, *slanted* and ~~struck~~ words', 'Some bold, slanted and struck words'],
  [
    '\\*no mark\\*, \\$5, \\{a\\}, \\<b\\>, a\\|b, \\[c\\], 2\\^10, C:\\\\x',
    '*no mark*, $5, {a}, <b>, a|b, [c], 2^10, C:\\x'
  ],
  ['`code with * and <b>`', 'code with * and <b>'],
  ['see [the plan](https://plans.example/a) now', 'see the plan (https://plans.example/a) now'],
  ['see [a page](https://www.notion.so/abc) now', 'see a page now'],
  ['[https://a.example](https://a.example)', 'https://a.example'],
  ['with $`\\alpha^2`$ in it', 'with \\alpha^2 in it'],
  ['<span color="red">red</span> <span underline="true">line</span>', 'red line'],
  ['one<br>two', 'one\ntwo'],
  [
    'asked <mention-user url="https://x">Ada</mention-user> on <mention-date start="2026-03-01" end="2026-03-02"/>',
    'asked Ada on 2026-03-01 → 2026-03-02'
  ],
  ['said so[^https://src.example]', 'said so'],
  ['- [x] done\n- [ ] open\n\t- below', '- [x] done\n- [ ] open\n  - below'],
  ['<details>\n<summary>More</summary>\n\tinside\n</details>', 'More\n  inside'],
  ['<callout icon="💡" color="blue_bg">\n\tMind the gap\n</callout>', 'Mind the gap'],
  ['::: callout {icon="💡"}\nMind the gap\n:::', 'Mind the gap'],
  ['<columns>\n\t<column>\n\t\tleft\n\t</column>\n</columns>', 'left'],
  ['```js\nconst a = **1** // <b>\n```', '```js\nconst a = **1** // <b>\n```'],
  ['$$\nE = mc^2 * {x}\n$$', 'E = mc^2 * {x}'],
  [
    '<table header-row="true">\n<tr>\n<td>a</td>\n<td>**b** \\| c</td>\n</tr>\n<tr>\n<td></td>\n<td>d</td>\n</tr>\n</table>',
    'a | b | c\n | d'
  ],
  ['![A mast](https://files.example/signed?x=1)', 'A mast'],
  ['<file src="https://files.example/signed">Plan.pdf</file>', 'Plan.pdf'],
  ['<empty-block/>\n<table_of_contents/>\n---\nend', 'end'],
  ['<meeting-notes>\n\tTalk\n</meeting-notes>', 'Talk']
]

test.for(LINES)('converts %j to %j', ([markdown, text]) => {
  expect(textOf(markdown)).toBe(text)
})

test('finds pages and databases in a text, but not mentioned ones', () => {
  const found = readMarkdown(
    `<page url="https://app.notion.com/p/Some-title-${HEX}?pvs=4">Below \\*it\\*</page>
\t<database url="{{https://www.notion.so/${OTHER.replaceAll('-', '')}}}" inline="true">Rows</database>
text with <mention-page url="https://www.notion.so/${HEX.toUpperCase()}">a page</mention-page>`,
    new Map()
  )
  expect(found.pages).toEqual([ID])
  expect(found.databases).toEqual([OTHER])
  expect(found.text).toBe('Below *it*\n  Rows\ntext with a page')
})

test('inserts blocks that are not rendered at their place, or at the end', () => {
  const missing = new Map([
    [ID, ['https://a.example']],
    [OTHER, ['last']]
  ])
  const markdown = `first\n\t<unknown url="https://app.notion.com/p/${'9'.repeat(32)}#${HEX}" alt="bookmark"/>\nthen`
  expect(readMarkdown(markdown, missing).text).toBe('first\n  https://a.example\nthen\nlast')
})

test('handles a hundred thousand characters of marks quickly', () => {
  for (const mark of ['*', '[', '<a ', '`', '$', '\\', '![', '{a="', '<td>', '`'.repeat(3)])
    expect(textOf(mark.repeat(20_000)).length).toBeLessThan(100_001)
})

const rich = (text: string, href: string | null = null) => [{ type: 'text', plain_text: text, href }]

/** Types of blocks with their content and text. */
const BLOCKS: readonly [string, unknown, string][] = [
  ['paragraph', { rich_text: rich('Hello', 'https://a.example') }, 'Hello (https://a.example)'],
  ['heading_2', { rich_text: rich('Part') }, '## Part'],
  ['to_do', { rich_text: rich('Buy'), checked: true }, '- [x] Buy'],
  ['quote', { rich_text: rich('Said') }, '> Said'],
  ['code', { rich_text: rich('a = 1\nb'), language: 'python', caption: [] }, '```python\na = 1\nb\n```'],
  ['equation', { expression: 'a^2' }, 'a^2'],
  ['table_row', { cells: [rich('a'), rich(''), rich('c')] }, 'a |  | c'],
  ['bookmark', { url: 'https://a.example', caption: rich('A') }, 'A (https://a.example)'],
  ['embed', { url: 'https://a.example', caption: [] }, 'https://a.example'],
  ['image', { type: 'file', file: { url: 'https://signed.example' }, caption: rich('Mast') }, 'Mast'],
  ['file', { type: 'file', name: 'Plan.pdf', caption: [] }, 'Plan.pdf'],
  ['child_page', { title: 'Below' }, 'Below'],
  ['synced_block', { synced_from: null }, ''],
  ['unsupported', {}, ''],
  ['something_new', { rich_text: rich('still said') }, 'still said'],
  ['something_new', { cells: 'odd', rich_text: 7 }, ''],
  ['constructor', { rich_text: rich('odd') }, 'odd'],
  ['paragraph', 'no object', '']
]

test.for(BLOCKS)('reads a block %s with %j as %j', ([type, content, text]) => {
  const block = { object: 'block', id: ID, type, has_children: false, [type]: content }
  expect(blockText(Block.parse(block))).toBe(text)
})

function page(properties: Record<string, unknown>, parent: object = { type: 'data_source_id', data_source_id: OTHER }) {
  const times = { created_time: '2026-03-01T10:00:00.000Z', last_edited_time: '2026-03-02T10:00:00.000Z' }
  return Page.parse({ object: 'page', id: ID, ...times, parent, properties, url: 'https://app.notion.com/p/x' })
}

test('builds an item with title, URL, time and a version that depends on its text', () => {
  const properties = {
    Name: { type: 'title', title: rich('Unit 7') },
    State: { type: 'status', status: { name: 'Lab' } }
  }
  const row = { row: { table: 'Units', lines: ['State: Lab'] } }
  const item = toPageItem(page(properties), { text: 'Came loose.' }, row)
  expect(item).toMatchObject({
    id: ID,
    title: 'Unit 7',
    url: 'https://app.notion.com/p/x',
    parts: [{ text: '# Units\n## Unit 7\n\nState: Lab\n\nCame loose.', at: Date.parse('2026-03-02T10:00:00.000Z') }]
  })
  expect(toPageItem(page(properties), { text: 'Came loose.' }, row).version).toBe(item.version)
  expect(toPageItem(page(properties), { text: 'Came off.' }, row).version).not.toBe(item.version)
  expect(toPageItem(page({}, { type: 'workspace' }), { text: '' }).parts).toEqual([])
})

test('uses the title as the text of an empty page', () => {
  const title = { type: 'title', title: rich('Keys are under the mat') }
  const item = toPageItem(page({ Name: title }, { type: 'workspace' }), { text: '' })
  expect([item.title, item.parts.map(({ text }) => text)]).toEqual([
    'Keys are under the mat',
    ['Keys are under the mat']
  ])
  expect(toPageItem(page({ Name: title }), { text: 'Not any more.' }).parts[0]?.text).not.toContain('mat')
})
