import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Guid } from '../identifiers.ts'
import { Count, Text } from '../plain-shapes.ts'
import { SnapshotObject } from '../snapshot.ts'

/** The last line of an export that comes as lines. It is never kept in a file: without it the transfer is broken. */
export const ExportEnd = z.object({
  type: z.literal('end'),
  /** Lines that came, header left out. */
  records: Count,
  root_hash: Text
})

export const exportSnapshot = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/device-memory/snapshot/export',
    summary: 'Export a collection as a snapshot',
    about:
      'With `Accept: application/jsonl` the snapshot comes as its lines, ended by a line `{"type":"end","records":n,"root_hash":…}` that is not part of it: without that line the transfer is broken.',
    access: 'read',
    body: { json: z.strictObject({ collection_id: Guid }) },
    replies: [
      {
        status: 200,
        about: 'The snapshot and its root hash.',
        json: z.object({ snapshot: SnapshotObject, root_hash: Text }),
        lines: true
      }
    ],
    faults: []
  },
  ({ body: { collection_id } }) => [collection_id]
)

export const importSnapshot = defineEndpoint({
  method: 'POST',
  path: '/v1/device-memory/snapshot/import',
  summary: 'Import a snapshot into an ephemeral collection',
  about:
    'The collection is that of the key alone and is deleted by itself, after an hour unless the server says otherwise.',
  access: 'authenticated',
  body: { json: z.strictObject({ snapshot: SnapshotObject }), holdsSnapshot: true, lines: true },
  replies: [
    { status: 201, about: 'The id of the ephemeral collection.', json: z.object({ ephemeral_collection_id: Guid }) }
  ],
  faults: []
})

export type ExportEnd = z.infer<typeof ExportEnd>
