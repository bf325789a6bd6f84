import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Count, Guid, Name, Text } from '../plain-shapes.ts'
import { Time, TimeOrNull } from '../snapshot.ts'

/** A set of memories with permissions of its own. */
export const Collection = z.object({
  id: Guid,
  name: Text,
  created_at: Time,
  expires_at: TimeOrNull.meta({ description: 'When it is deleted by itself: only of one that an import made.' }),
  memories: Count.meta({ description: 'Live ones.' })
})

/** What became of the lines of a snapshot that went into a collection. */
export const Restored = z.object({
  records: Count.meta({ description: 'Lines that were read, headers left out.' }),
  stored: Count,
  known: Count.meta({ description: 'There already, word for word or in a better line.' }),
  forgotten: Count.meta({ description: 'Not stored since the collection has forgotten them.' })
})

/** What a deletion says when it is done. */
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
    about: 'The one guaranteed cleanup: nothing of the collection is kept, and its id is never used again.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'It is gone.', json: Done }],
    faults: []
  },
  ({ params: { collection_id } }) => [collection_id]
)

export const restoreRecords = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/collections/{collection_id}/records',
    summary: 'Put the lines of a snapshot into a collection',
    about:
      'The way back from a file. A snapshot is a set of lines, so a part of one will do (each with a header line), and sending it again changes nothing. Nothing is stored unless every line is sound.',
    access: 'edit',
    params,
    body: { lines: true },
    replies: [{ status: 200, about: 'What became of the lines.', json: Restored }],
    faults: []
  },
  ({ params: { collection_id } }) => [collection_id]
)

export type Collection = z.infer<typeof Collection>
export type Restored = z.infer<typeof Restored>
