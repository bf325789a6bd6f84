import * as z from 'zod'
import type { Block } from '../wire.ts'
import { plainText, withTarget } from './rich-text.ts'

/**
 * What a block says by itself, without what stands in it: developers.notion.com/reference/block. A kind that is not known says what its
 * `rich_text` says, if it has one, and nothing else.
 */
export function blockText(block: Block): string {
  const content: Content = ContentOf.safeParse(block[block.type]).data ?? {}
  const write = Object.hasOwn(WRITERS, block.type) ? WRITERS[block.type] : undefined
  return write === undefined ? plainText(content.rich_text) : write(content)
}

/** Blocks that only hold others, which stand where they would without it. */
export const FRAMES: ReadonlySet<string> = new Set([
  ...['column_list', 'column', 'synced_block', 'table', 'tab', 'template', 'meeting_notes', 'transcription']
])

const ContentOf = z.looseObject({
  rich_text: z.unknown().optional(),
  caption: z.unknown().optional(),
  cells: z.array(z.unknown()).optional().catch(undefined),
  checked: z.boolean().optional().catch(undefined),
  expression: z.string().optional().catch(undefined),
  language: z.string().nullish().catch(undefined),
  title: z.unknown().optional(),
  name: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined)
})

type Content = Partial<z.infer<typeof ContentOf>>

const heading = (level: number) => (content: Content) => prefixed(`${'#'.repeat(level)} `, content)
const nothing = () => ''
/** Addresses of files are signed for an hour and would differ each time. */
const named = ({ caption, name }: Content) => plainText(caption) || name || ''
const linked = ({ caption, url }: Content) => withTarget(plainText(caption), url)
const titled = ({ title }: Content) => (typeof title === 'string' ? title : plainText(title))

const WRITERS: Readonly<Record<string, (content: Content) => string>> = {
  heading_1: heading(1),
  heading_2: heading(2),
  heading_3: heading(3),
  heading_4: heading(4),
  bulleted_list_item: (content) => prefixed('- ', content),
  numbered_list_item: (content) => prefixed('1. ', content),
  to_do: (content) => prefixed(content.checked ? '- [x] ' : '- [ ] ', content),
  quote: (content) => prefixed('> ', content),
  code: ({ rich_text, language, caption }) =>
    [`\`\`\`${language ?? ''}`, plainText(rich_text), '```', plainText(caption)].join('\n').trimEnd(),
  equation: ({ expression }) => expression ?? '',
  table_row: ({ cells }) => (cells ?? []).map(plainText).join(' | '),
  bookmark: linked,
  embed: linked,
  link_preview: linked,
  image: named,
  video: named,
  audio: named,
  pdf: named,
  file: named,
  child_page: titled,
  child_database: titled,
  meeting_notes: titled,
  transcription: titled,
  synced_block: nothing,
  unsupported: nothing
}

function prefixed(prefix: string, { rich_text }: Content): string {
  const text = plainText(rich_text)
  return text === '' ? '' : `${prefix}${text}`
}
