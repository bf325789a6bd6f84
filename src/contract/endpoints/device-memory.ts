import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Count, Flag, Guid, Text } from '../plain-shapes.ts'
import { SnapshotObject } from '../snapshot.ts'

/**
 * The damaged lines that an export left out, the first ones by name. `missing`: the number of memories without any
 * line.
 */
export const LeftOut = z.object({
  count: Count,
  missing: Count,
  lines: z.array(z.object({ seq: Count, id: Text, reason: Text }))
})

/**
 * The last line of an export that is sent as lines. It is not part of the snapshot; without it the transfer is
 * incomplete.
 */
export const ExportEnd = z.object({
  type: z.literal('end'),
  /** The number of lines that were sent, without the header. */
  records: Count,
  root_hash: Text,
  /** Present if damaged lines were to be skipped. */
  left_out: LeftOut.optional()
})

export const exportSnapshot = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/device-memory/snapshot/export',
    summary: 'Export a collection as a snapshot',
    about:
      'With `Accept: application/jsonl`, the server streams the lines of the snapshot, then one line `{"type":"end","records":n,"root_hash":…}`. That line is not part of the snapshot; without it the transfer is incomplete. The server verifies every line first. If lines are damaged, it replies with a problem `damaged_storage` that names them. With `skip_damaged`, it leaves them out, and `left_out` (in the reply or in the last line) lists them. With `after`, the server sends only lines that are newer than this sequence number, and the header has `collection_seq` and `collection_epoch`, the number and the `epoch` to use next time; the number of lines and the root hash are those of the whole export. If the collection has not assigned that number in that epoch, because the database was restored from a backup, the reply is `410`: export without `after`.',
    access: 'read',
    body: {
      json: z.strictObject({
        collection_id: Guid,
        skip_damaged: Flag.optional(),
        after: Count.optional(),
        epoch: Text.optional()
      })
    },
    replies: [
      {
        status: 200,
        about: 'The snapshot and its root hash.',
        json: z.object({ snapshot: SnapshotObject, root_hash: Text, left_out: LeftOut.optional() }),
        lines: true
      }
    ],
    faults: ['gone']
  },
  ({ body: { collection_id } }) => [collection_id]
)

export const importSnapshot = defineEndpoint({
  method: 'POST',
  path: '/v1/device-memory/snapshot/import',
  summary: 'Import a snapshot into an ephemeral collection',
  about:
    'Only the key that imported the collection and admins can access it. It deletes itself, after one hour by default.',
  access: 'authenticated',
  body: { json: z.strictObject({ snapshot: SnapshotObject }), holdsSnapshot: true, lines: true },
  replies: [
    { status: 201, about: 'The id of the ephemeral collection.', json: z.object({ ephemeral_collection_id: Guid }) }
  ],
  faults: []
})

export type LeftOut = z.infer<typeof LeftOut>
export type ExportEnd = z.infer<typeof ExportEnd>
