import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Count, Flag, Guid, Text } from '../plain-shapes.ts'
import { SnapshotObject } from '../snapshot.ts'

/** Lines that an export left out because they are damaged, the first of them by name. `missing`: memories without any line. */
export const LeftOut = z.object({
  count: Count,
  missing: Count,
  lines: z.array(z.object({ seq: Count, id: Text, reason: Text }))
})

/** The last line of an export that comes as lines. It is never kept in a file: without it the transfer is broken. */
export const ExportEnd = z.object({
  type: z.literal('end'),
  /** Lines that came, header left out. */
  records: Count,
  root_hash: Text,
  /** Where damaged lines were to be skipped. */
  left_out: LeftOut.optional()
})

export const exportSnapshot = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/device-memory/snapshot/export',
    summary: 'Export a collection as a snapshot',
    about:
      'With `Accept: application/jsonl` the snapshot comes as its lines, ended by a line `{"type":"end","records":n,"root_hash":…}` that is not part of it: without that line the transfer is broken. Every line is verified first: where some are damaged, the reply is a problem `damaged_storage` that names them. With `skip_damaged` they are left out, and `left_out` (in the reply, or in the line of the end) says how many and which.',
    access: 'read',
    body: { json: z.strictObject({ collection_id: Guid, skip_damaged: Flag.optional() }) },
    replies: [
      {
        status: 200,
        about: 'The snapshot and its root hash.',
        json: z.object({ snapshot: SnapshotObject, root_hash: Text, left_out: LeftOut.optional() }),
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

export type LeftOut = z.infer<typeof LeftOut>
export type ExportEnd = z.infer<typeof ExportEnd>
