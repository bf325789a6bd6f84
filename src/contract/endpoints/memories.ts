import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { GROUPS, LIMIT_DEFAULT, LIMIT_MAX, MEMORY_KINDS } from '../groups.ts'
import { MemoryResponse } from '../memory-response.ts'
import { Guid } from '../plain-shapes.ts'
import { MemoryId, Metadata, SnapshotObject } from '../snapshot.ts'

const COLLECTIONS_MAX = 100

/** The snapshot of a stateless call. The engine reads its records. */
const snapshot = SnapshotObject.optional().meta({
  description: 'A snapshot, instead of a collection. The server does not keep it.'
})

/** ISO 8601 with or without an offset, or a date alone. The command line accepts the same. */
const TimeText = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()])

const describeTime = (what: string) => TimeText.meta({ description: `${what} ISO 8601; without an offset it is UTC.` })

const FilterText = z.string().min(1).max(1024)

export const StoreBody = z
  .strictObject({
    collection_id: Guid.optional().meta({ description: 'The collection that stores the memory.' }),
    snapshot,
    raw_text: z
      .string()
      .min(1)
      .meta({
        description: 'The text to remember, verbatim.',
        examples: ['Ada moved to Lisbon in May.']
      }),
    metadata: Metadata.optional().meta({
      description:
        'Stored and returned unchanged. If they have the right type, the server reads `at`, `speaker`, `conversation`, `position`, `title` and `url` from it.'
    })
  })
  .refine(({ collection_id, snapshot }) => (collection_id === undefined) !== (snapshot === undefined), {
    error: 'give exactly one of `collection_id` and `snapshot`'
  })
  .meta({ oneOf: [{ required: ['collection_id'] }, { required: ['snapshot'] }] })

export const SearchBody = z
  .strictObject({
    collection_ids: z
      .array(Guid)
      .min(1)
      .max(COLLECTIONS_MAX)
      .optional()
      .meta({ description: 'The collections to search. Their memories are ranked together.' }),
    snapshot,
    query: z.string().meta({
      description: 'A question or search terms, in natural language.',
      examples: ['Where does Ada live?']
    }),
    limit: z
      .int()
      .min(1)
      .max(LIMIT_MAX)
      .default(LIMIT_DEFAULT)
      .meta({ description: 'The maximum number of entries per group.' }),
    groups: z
      .array(z.enum(GROUPS))
      .min(1)
      .optional()
      .meta({ description: 'Return only these groups; the others are empty.' }),
    as_of: describeTime('Valid time: what held then, as known today.').optional(),
    known_at: describeTime('Transaction time: only memories stored by then count.').optional(),
    since: describeTime('Only memories from this time on.').optional(),
    until: describeTime('Only memories before this time.').optional(),
    speaker: FilterText.optional().meta({
      description: 'Only memories of this speaker: one or more words of the name, in any case.'
    }),
    conversation: FilterText.optional().meta({ description: 'Only memories of this conversation.' }),
    source: FilterText.optional().meta({
      description: 'Only memories from this provider, format, file or folder, by their metadata.'
    }),
    kind: z
      .enum(MEMORY_KINDS)
      .optional()
      .meta({ description: 'Only memories from which something of this kind was extracted.' }),
    explain: z.boolean().default(false).meta({ description: 'Add an `explanation` to each entry.' })
  })
  .refine(({ collection_ids, snapshot }) => (collection_ids === undefined) !== (snapshot === undefined), {
    error: 'give exactly one of `collection_ids` and `snapshot`'
  })
  .meta({ oneOf: [{ required: ['collection_ids'] }, { required: ['snapshot'] }] })

export const storeMemory = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/memories',
    summary: 'Store a text, in a collection or in a snapshot',
    about:
      'With `collection_id`, the memory is durable when the reply arrives. The id is derived from the content, so storing the same text again changes nothing. With `snapshot`, the server keeps nothing and returns the updated snapshot.',
    access: 'edit',
    body: { json: StoreBody, holdsSnapshot: true },
    replies: [
      { status: 201, about: 'Stored in the collection.', json: z.object({ memory_id: MemoryId }) },
      { status: 200, about: 'The snapshot with the new memory.', json: z.object({ snapshot: SnapshotObject }) }
    ],
    faults: []
  },
  ({ body: { collection_id } }) => (collection_id === undefined ? [] : [collection_id])
)

export const searchMemories = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/memories/search',
    summary: 'Search collections or a snapshot',
    about:
      'Several collections are ranked together. With `snapshot`, the server keeps nothing. An offline search of the exported file gives the same ranking.',
    access: 'read',
    body: { json: SearchBody, holdsSnapshot: true },
    replies: [{ status: 200, about: 'Four groups, each best first.', json: MemoryResponse }],
    faults: []
  },
  ({ body: { collection_ids } }) => collection_ids ?? []
)

export type StoreBody = z.infer<typeof StoreBody>
export type SearchBody = z.infer<typeof SearchBody>
