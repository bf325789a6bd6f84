import * as z from 'zod'
import { Count, Flag, Guid, Text, TextOrNull } from './plain-shapes.ts'
import { Time, TimeOrNull } from './snapshot.ts'

/** How a run ended. */
const RUN_OUTCOMES = ['succeeded', 'partial', 'failed', 'parked', 'stopped', 'interrupted'] as const

const count = Count

/** One sync of a connection, from its claim to its end. */
export const SyncRun = z.object({
  id: Guid,
  connection_id: Guid,
  trigger: z.enum(['schedule', 'manual']),
  started_at: Time,
  ended_at: TimeOrNull.meta({ description: 'Null while it runs.' }),
  outcome: z.enum(RUN_OUTCOMES).nullable().meta({
    description:
      'partial: to its end, with items that failed or something selected that is not there; parked: the provider demands a pause; stopped: the selection was changed, or the connection or the server ended; interrupted: its server went away. Null while it runs.'
  }),
  seen: count.meta({ description: 'Items that the provider told of.' }),
  created: count,
  updated: count,
  unchanged: count,
  deleted: count,
  failed: count,
  skipped: count.meta({
    description: 'Items that are not taken in, as a video, or a selected folder that is not there.'
  }),
  reasons: z
    .array(z.object({ reason: Text, count }))
    .meta({ description: 'Why items failed, were skipped or are synced only in part, the most frequent first.' }),
  error: TextOrNull.meta({ description: 'Why the run ended early, or what of the selection is not there.' })
})

export const ITEM_STATUSES = ['synced', 'failed', 'skipped'] as const

/** What a provider counts as one: a file, a message, a mail, a page. */
export const SyncItem = z.object({
  id: z.string().meta({ description: 'As the provider has it.' }),
  title: TextOrNull,
  url: TextOrNull,
  status: z.enum(ITEM_STATUSES),
  memories: count,
  error: TextOrNull.meta({ description: 'Why it failed or was skipped, or that only a part of it is synced.' }),
  tries: count.meta({ description: 'Failed tries in a row.' }),
  next_try_at: TimeOrNull,
  cooling_down: z.boolean().meta({ description: 'All retries failed: it waits for its cooldown to end.' }),
  changed_at: Time
})

/** When a connection syncs. */
export const SyncSchedule = z.object({
  state: z.enum(['pending', 'idle', 'queued', 'running', 'paused', 'revoked']).meta({
    description: 'What it does now. paused: nothing, until it is resumed or asked to.'
  }),
  paused: Flag,
  interval_seconds: count,
  next_sync_at: TimeOrNull,
  running: SyncRun.nullable(),
  last_run: SyncRun.nullable().meta({ description: 'The newest that has ended.' })
})

export type SyncRun = z.infer<typeof SyncRun>
export type SyncItem = z.infer<typeof SyncItem>
export type SyncSchedule = z.infer<typeof SyncSchedule>
