import * as z from 'zod'

/** The members of replies that are used here (developers.notion.com/reference). Other members are allowed. */

/** Parsed with or without dashes, and normalized to the form with dashes. */
export const ObjectId = z
  .string()
  .regex(/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i)
  .transform(normalizeId)

const Time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time')

/** Names the member that has its value, as in `{"type": "page_id", "page_id": …}`. */
const Tagged = z.looseObject({ type: z.string() })

/** `archived` is the older name of `in_trash`. */
const trash = { in_trash: z.boolean().optional(), archived: z.boolean().optional() }

export const Page = z.looseObject({
  object: z.literal('page'),
  id: ObjectId,
  created_time: Time,
  last_edited_time: Time,
  ...trash,
  parent: Tagged,
  properties: z.record(z.string(), Tagged),
  url: z.string().optional()
})

export const DataSource = z.looseObject({
  object: z.literal('data_source'),
  id: ObjectId,
  /** Rich text. */
  title: z.unknown().optional(),
  /** The types of its columns by name. */
  properties: z.record(z.string(), z.unknown()).optional(),
  ...trash
})

const Other = z.looseObject({ object: z.string().refine((name) => name !== 'page' && name !== 'data_source') })

export const Database = z.looseObject({
  object: z.literal('database'),
  id: ObjectId,
  ...trash,
  parent: Tagged.optional(),
  data_sources: z.array(z.looseObject({ id: ObjectId }))
})

export const Block = z.looseObject({
  object: z.literal('block'),
  id: ObjectId,
  type: z.string(),
  has_children: z.boolean(),
  parent: Tagged.optional(),
  ...trash
})

export const PageMarkdown = z.looseObject({
  object: z.literal('page_markdown'),
  markdown: z.string(),
  truncated: z.boolean(),
  unknown_block_ids: z.array(ObjectId)
})

export const Comment = z.looseObject({
  object: z.literal('comment'),
  created_time: Time,
  rich_text: z.unknown(),
  /** The name of the author, whether a person or an integration. */
  display_name: z.looseObject({ resolved_name: z.string().nullish() }).nullish()
})

export const BotUser = z.looseObject({
  object: z.literal('user'),
  id: ObjectId,
  name: z.string().nullish(),
  bot: z.looseObject({ workspace_id: ObjectId.optional(), workspace_name: z.string().nullish() }).optional()
})

export const SearchReply = createListSchema(z.union([Page, DataSource, Other]))
export const CommentsReply = createListSchema(Comment)
export const BlocksReply = createListSchema(Block)

/**
 * `request_status` tells whether a query ended at the limit of results:
 * developers.notion.com/reference/query-a-data-source.
 */
export const RowsReply = createListSchema(z.union([Page, DataSource, Other])).extend({
  request_status: z.looseObject({ type: z.string() }).optional()
})

export type Page = z.infer<typeof Page>
export type Block = z.infer<typeof Block>
export type DataSource = z.infer<typeof DataSource>
export type Comment = z.infer<typeof Comment>
export type Database = z.infer<typeof Database>
export type Tagged = z.infer<typeof Tagged>

/** Reports whether an object is in the trash. */
export function isTrashed({ in_trash, archived }: { in_trash?: boolean | undefined; archived?: boolean | undefined }) {
  return in_trash ?? archived ?? false
}

/** Returns the value of a tagged object, if it is a text. */
export function readTagged(tagged: Tagged | undefined): string | undefined {
  const value = tagged?.[tagged.type]
  return typeof value === 'string' ? value : undefined
}

/** Normalizes an id to the form with dashes, which URLs of pages do not use. */
export function normalizeId(id: string): string {
  const hex = id.replaceAll('-', '').toLowerCase()
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function createListSchema<S extends z.ZodType>(result: S) {
  return z.looseObject({
    object: z.literal('list'),
    results: z.array(result),
    next_cursor: z.string().nullable(),
    has_more: z.boolean()
  })
}
