import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Count, Guid, Name, Text } from '../plain-shapes.ts'
import { Time, TimeOrNull } from '../snapshot.ts'

/** A set of memories with its own permissions. */
export const Collection = z.object({
  id: Guid,
  name: Text,
  created_at: Time,
  expires_at: TimeOrNull.meta({ description: 'When the collection deletes itself. Null unless an import created it.' }),
  memories: Count.meta({ description: 'The number of memories that exist now.' })
})

/** The result of restoring the lines of a snapshot into a collection. */
export const Restored = z.object({
  records: Count.meta({ description: 'The number of lines that were read, without headers.' }),
  stored: Count,
  known: Count.meta({
    description: 'The number of lines that the collection already had, in the same or a better version.'
  }),
  forgotten: Count.meta({
    description: 'The number of lines that were not stored because the collection has forgotten their memories.'
  })
})

/** The last line of a reply with changes. Without it, the reply is incomplete. */
export const ChangesEnd = z.object({
  type: z.literal('end'),
  /** The number of lines before this one. */
  records: Count,
  /** The sequence number from which the next request continues. */
  seq: Count,
  /** The epoch of that number, if it has one. */
  epoch: Text.optional()
})

/** The confirmation of a deletion. */
export const Done = z.object({ message: Text })

const params = z.strictObject({ collection_id: Guid })

export const createCollection = defineEndpoint({
  method: 'POST',
  path: '/v1/collections',
  summary: 'Create a collection',
  access: 'admin',
  body: { json: z.strictObject({ name: Name }) },
  replies: [{ status: 201, about: 'The new collection.', json: Collection }],
  faults: []
})

export const listCollections = defineEndpoint({
  method: 'GET',
  path: '/v1/collections',
  summary: 'List the collections that the key may read',
  access: 'authenticated',
  replies: [{ status: 200, about: 'Oldest first.', json: z.array(Collection) }],
  faults: []
})

export const getCollection = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/collections/{collection_id}',
    summary: 'Show a collection',
    access: 'read',
    params,
    replies: [{ status: 200, about: 'The collection.', json: Collection }],
    faults: []
  },
  ({ params: { collection_id } }) => [collection_id]
)

export const deleteCollection = defineEndpoint(
  {
    method: 'DELETE',
    path: '/v1/collections/{collection_id}',
    summary: 'Delete a collection with all its memories',
    about: 'The only guaranteed cleanup: the server keeps nothing of the collection and never uses its id again.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'The collection was deleted.', json: Done }],
    faults: []
  },
  ({ params: { collection_id } }) => [collection_id]
)

export const restoreRecords = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/collections/{collection_id}/records',
    summary: 'Restore the lines of a snapshot into a collection',
    about:
      'Restores a collection from a file. A snapshot is a set of lines, so it can be sent in parts, each with a header line, and sending a part again changes nothing. If any line is damaged, nothing is stored.',
    access: 'edit',
    params,
    body: { lines: true },
    replies: [{ status: 200, about: 'The number of lines that were stored, known and forgotten.', json: Restored }],
    faults: []
  },
  ({ params: { collection_id } }) => [collection_id]
)

/** Parses a number from a query, where it is text. */
const wholeNumber = (most: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, 'must be a whole number of at least 0')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`)

/** Maximum number of seconds that a request waits for a change. */
const WAIT_SECONDS_MAX = 30

export const readChanges = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/collections/{collection_id}/changes',
    summary: 'Read the changes of a collection',
    about:
      'Replies with the lines of a snapshot that are newer than the sequence number `after`, oldest first, then one line `{"type":"end","records":n,"seq":…,"epoch":…}`. Pass that `seq` as `after` and that `epoch` in the next request. Without that line, the reply is incomplete: send the request again. A `memory` line replaces an earlier line with the same `id`, and a `forget` line deletes the memory `target`. A line that was replaced before it was read is not sent. With `wait`, a request without changes waits for one. If the collection has not assigned that number in that epoch, because the database was restored from a backup, the reply is `410`: discard what you have and start again with `after=0`.',
    access: 'read',
    params,
    query: z.strictObject({
      after: wholeNumber(Number.MAX_SAFE_INTEGER)
        .default(0)
        .meta({ description: 'The sequence number to continue from. 0 sends the whole collection.' }),
      epoch: z.string().max(64).optional().meta({ description: 'The epoch that came with that number.' }),
      wait: wholeNumber(WAIT_SECONDS_MAX)
        .default(0)
        .meta({ description: 'The number of seconds to wait for a change.' })
    }),
    replies: [{ status: 200, about: 'The changes, one a line, then the end line.', text: 'application/jsonl' }],
    faults: ['gone']
  },
  ({ params: { collection_id } }) => [collection_id]
)

export type ChangesEnd = z.infer<typeof ChangesEnd>
export type Collection = z.infer<typeof Collection>
export type Restored = z.infer<typeof Restored>
