import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { GROUPS, LIMIT_DEFAULT, LIMIT_MAX, MEMORY_KINDS } from '../groups.ts'
import { MemoryResponse } from '../memory-response.ts'
import { Guid } from '../plain-shapes.ts'
import { MemoryId, Metadata, SnapshotObject } from '../snapshot.ts'

const COLLECTIONS_MAX = 100

/** What a call says to a service that keeps nothing: a snapshot. Its records are read by the engine. */
const snapshot = SnapshotObject.optional().meta({ description: 'A snapshot in place of collections: nothing is kept.' })

/** ISO 8601 with or without an offset, or a date alone. The command line accepts the same. */
const TimeText = z.union([z.iso.datetime({ offset: true, local: true }), z.iso.date()])

const describeTime = (what: string) => TimeText.meta({ description: `${what} ISO 8601; without an offset it is UTC.` })

const FilterText = z.string().min(1).max(1024)

export const StoreBody = z
  .strictObject({
    collection_id: Guid.optional().meta({ description: 'Where it is kept.' }),
    snapshot,
    raw_text: z
      .string()
      .min(1)
      .meta({
        description: 'What is to be remembered, in its own words.',
        examples: ['Ada moved to Lisbon in May.']
      }),
    metadata: Metadata.optional().meta({
      description:
        'Kept and given back as it is. Of it are read, where of the right type: `at`, `speaker`, `conversation`, `position`, `title`, `url`.'
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
      .meta({ description: 'Collections that are searched as one.' }),
    snapshot,
    query: z.string().meta({
      description: 'A question or words, in natural language.',
      examples: ['Where does Ada live?']
    }),
    limit: z.int().min(1).max(LIMIT_MAX).default(LIMIT_DEFAULT).meta({ description: 'Entries per group.' }),
    groups: z.array(z.enum(GROUPS)).min(1).optional().meta({ description: 'Only these groups; the others are empty.' }),
    as_of: describeTime('Valid time: what held then, as known today.').optional(),
    known_at: describeTime('Transaction time: only memories stored by then count.').optional(),
    since: describeTime('Only memories said at this time or later.').optional(),
    until: describeTime('Only memories said before this time.').optional(),
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
    explain: z.boolean().default(false).meta({ description: 'Adds `explanation` to each entry.' })
  })
  .refine(({ collection_ids, snapshot }) => (collection_ids === undefined) !== (snapshot === undefined), {
    error: 'give exactly one of `collection_ids` and `snapshot`'
  })
  .meta({ oneOf: [{ required: ['collection_ids'] }, { required: ['snapshot'] }] })

export const storeMemory = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/memories',
    summary: 'Remember a text, in a collection or in a snapshot that is sent along',
    about:
      'With `collection_id` it is durable when the reply comes, and saying the same again changes nothing: the id follows from the content. With `snapshot` nothing is kept: the updated snapshot is the reply.',
    access: 'edit',
    body: { json: StoreBody, holdsSnapshot: true },
    replies: [
      { status: 201, about: 'Stored in the collection.', json: z.object({ memory_id: MemoryId }) },
      { status: 200, about: 'The snapshot with the memory in it.', json: z.object({ snapshot: SnapshotObject }) }
    ],
    faults: []
  },
  ({ body: { collection_id } }) => (collection_id === undefined ? [] : [collection_id])
)

export const searchMemories = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/memories/search',
    summary: 'Search collections, or a snapshot that is sent along',
    about:
      'Several collections are ranked as one. With `snapshot` nothing is kept. The ranking is the one that searching the exported file offline gives.',
    access: 'read',
    body: { json: SearchBody, holdsSnapshot: true },
    replies: [{ status: 200, about: 'Four groups, each best first.', json: MemoryResponse }],
    faults: []
  },
  ({ body: { collection_ids } }) => collection_ids ?? []
)

export type StoreBody = z.infer<typeof StoreBody>
export type SearchBody = z.infer<typeof SearchBody>
