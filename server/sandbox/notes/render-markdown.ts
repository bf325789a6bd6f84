import type { NoteBlock, NotePage } from './content.ts'
import { pageUrl, type RichText, toBareId } from './views.ts'

type Rendered = { markdown: string; unknown: string[] }

/** Maximum number of rendered blocks: developers.notion.com/reference/retrieve-page-markdown says about 20,000. */
const BLOCKS_MAX = 20_000

/**
 * Renders blocks as enhanced Markdown (developers.notion.com/guides/data-apis/enhanced-markdown), and lists those that
 * it does not support (developers.notion.com/guides/data-apis/working-with-markdown-content).
 */
export function renderMarkdown(page: NotePage, blocks: readonly NoteBlock[]): Rendered {
  const unknown: string[] = []
  let left = BLOCKS_MAX
  return { markdown: blocks.flatMap((block) => lines(block, 0)).join('\n'), unknown }

  function lines(block: NoteBlock, depth: number): string[] {
    const tabs = '\t'.repeat(depth)
    left -= 1
    if (left < 0 || UNRENDERED.has(block.type)) {
      unknown.push(block.id)
      return [`${tabs}<unknown url="${pageUrl(page)}#${toBareId(block.id)}" alt="${block.type}"/>`]
    }
    const [open, close] = toFrame(block)
    const own = open === undefined ? [] : open.split('\n').map((line) => `${tabs}${line}`)
    const inside = block.type === 'table' ? rows(block) : below(block.children, depth + 1)
    return [
      ...own,
      ...inside.map((line) => (block.type === 'table' ? `${tabs}${line}` : line)),
      ...(close === undefined ? [] : [`${tabs}${close}`])
    ]
  }

  function below(blocks: readonly NoteBlock[], depth: number): string[] {
    return blocks.flatMap((block) => lines(block, depth))
  }
}

const UNRENDERED: ReadonlySet<string> = new Set([
  'bookmark',
  'embed',
  'link_preview',
  'breadcrumb',
  'template',
  'unsupported'
])

/** Returns the lines before the children of a block, and the line after them. */
function toFrame(block: NoteBlock): [open?: string | undefined, close?: string] {
  const { type, content, id } = block
  const text = () => inline(content.rich_text as RichText[])
  switch (type) {
    case 'heading_1':
    case 'heading_2':
    case 'heading_3':
      return [`${'#'.repeat(Number(type.at(-1)))} ${text()}`]
    case 'bulleted_list_item':
      return [`- ${text()}`]
    case 'numbered_list_item':
      return [`1. ${text()}`]
    case 'to_do':
      return [`- [${content.checked === true ? 'x' : ' '}] ${text()}`]
    case 'quote':
      return [`> ${text()}`]
    case 'callout':
      return [`<callout icon="💡">\n\t${text()}`, '</callout>']
    case 'toggle':
      return [`<details>\n<summary>${text()}</summary>`, '</details>']
    case 'code':
      return [`\`\`\`${content.language}\n${literal(content.rich_text as RichText[])}\n\`\`\``]
    case 'equation':
      return [`$$\n${content.expression}\n$$`]
    case 'divider':
      return ['---']
    case 'table':
      return ['<table header-row="true">', '</table>']
    case 'image':
      return [`![](https://files.example/signed/${toBareId(id)}?expires=3600)`]
    case 'column_list':
      return ['<columns>', '</columns>']
    case 'column':
      return ['<column>', '</column>']
    case 'synced_block':
      return [`<synced_block url="https://app.notion.com/p/${toBareId(id)}">`, '</synced_block>']
    case 'child_page':
      return [`<page url="${pageUrl({ id })}">${escapeMarks(String(content.title))}</page>`]
    case 'child_database':
      return [`<database url="${pageUrl({ id })}" inline="false">${escapeMarks(String(content.title))}</database>`]
    default:
      return [text() === '' ? '<empty-block/>' : text()]
  }
}

function rows(table: NoteBlock): string[] {
  return table.children.flatMap(({ content }) => [
    '<tr>',
    ...(content.cells as RichText[][]).map((cell) => `<td>${inline(cell)}</td>`),
    '</tr>'
  ])
}

function inline(pieces: readonly RichText[]): string {
  return pieces
    .map(({ plain_text: text, href, annotations, type }) => {
      if (type === 'equation') return `$\`${text}\`$`
      if (annotations.code === true) return `\`${text}\``
      const shown = annotations.bold === true ? `**${escapeMarks(text)}**` : escapeMarks(text)
      return href === null ? shown : `[${shown}](${href})`
    })
    .join('')
}

function literal(pieces: readonly RichText[]): string {
  return pieces.map(({ plain_text: text }) => text).join('')
}

function escapeMarks(text: string): string {
  return text.replace(/[\\*~`$[\]<>{}|^]/g, '\\$&').replaceAll('\n', '<br>')
}
