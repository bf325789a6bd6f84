import * as z from 'zod'
import { Count, Flag, Guid, Text, TextOrNull } from './plain-shapes.ts'
import { Time, TimeOrNull } from './snapshot.ts'

/** The possible outcomes of a run. */
const RUN_OUTCOMES = ['succeeded', 'partial', 'failed', 'parked', 'stopped', 'interrupted'] as const

const count = Count

/** One sync of a connection, from its claim to its end. */
export const SyncRun = z.object({
  id: Guid,
  connection_id: Guid,
  trigger: z.enum(['schedule', 'manual']),
  started_at: Time,
  ended_at: TimeOrNull.meta({ description: 'Null while the run is in progress.' }),
  outcome: z.enum(RUN_OUTCOMES).nullable().meta({
    description:
      'partial: the run finished, but items failed or a selected folder or channel is missing; parked: the provider demands a pause; stopped: the selection was changed, or the connection or the server ended; interrupted: the server was lost. Null while the run is in progress.'
  }),
  seen: count.meta({ description: 'The number of items that the provider listed.' }),
  created: count,
  updated: count,
  unchanged: count,
  deleted: count,
  failed: count,
  skipped: count.meta({
    description: 'The number of items that are not synced, such as a video or a selected folder that is missing.'
  }),
  reasons: z.array(z.object({ reason: Text, count })).meta({
    description: 'Why items failed, were skipped, or were synced only in part; the most frequent reason first.'
  }),
  error: TextOrNull.meta({ description: 'Why the run ended early, or which part of the selection is missing.' })
})

export const ITEM_STATUSES = ['synced', 'failed', 'skipped'] as const

/** What a provider counts as one: a file, a message, a mail, a page. */
export const SyncItem = z.object({
  id: z.string().meta({ description: 'The identifier at the provider.' }),
  title: TextOrNull,
  url: TextOrNull,
  status: z.enum(ITEM_STATUSES),
  memories: count,
  error: TextOrNull.meta({ description: 'Why the item failed or was skipped, or that only a part of it is synced.' }),
  tries: count.meta({ description: 'The number of consecutive failed attempts.' }),
  next_try_at: TimeOrNull,
  cooling_down: z
    .boolean()
    .meta({ description: 'The end of the cooldown, which starts when all retries have failed.' }),
  changed_at: Time
})

/** The schedule of a connection. */
export const SyncSchedule = z.object({
  state: z.enum(['pending', 'idle', 'queued', 'running', 'paused', 'revoked']).meta({
    description: 'The current state. paused: the connection does not sync until it is resumed or a sync is requested.'
  }),
  paused: Flag,
  interval_seconds: count,
  next_sync_at: TimeOrNull,
  running: SyncRun.nullable(),
  last_run: SyncRun.nullable().meta({ description: 'The newest run that has ended.' })
})

export type SyncRun = z.infer<typeof SyncRun>
export type SyncItem = z.infer<typeof SyncItem>
export type SyncSchedule = z.infer<typeof SyncSchedule>
