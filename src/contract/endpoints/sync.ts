import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Guid, Text } from '../plain-shapes.ts'
import { ITEM_STATUSES, SyncItem, SyncRun, SyncSchedule } from '../sync-run.ts'

const params = z.strictObject({ connection_id: Guid })

/** Parses a limit from a query, where it is text. */
const limit = (most: number, usual: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number of at least 1')
    .transform(Number)
    .refine((value) => value <= most, `must be at most ${most}`)
    .default(usual)

const connection = {
  connection: ({ params: { connection_id } }: { params: { connection_id: string } }) => connection_id
}

export const syncConnection = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/sync',
    summary: 'Sync a connection now',
    about: 'Returns at once; the sync runs in the background. Returns `409` if a sync is running or already requested.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'The sync will start.', json: z.object({ message: Text }) }],
    faults: ['usage', 'conflict']
  },
  connection
)

export const listRuns = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/runs',
    summary: 'List the syncs of a connection',
    access: 'read',
    params,
    query: z.strictObject({ limit: limit(1000, 20) }),
    replies: [{ status: 200, about: 'The runs, newest first.', json: z.array(SyncRun) }],
    faults: []
  },
  connection
)

export const getRun = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/runs/{run_id}',
    summary: 'Show a sync',
    access: 'read',
    params: params.extend({ run_id: Guid }),
    replies: [{ status: 200, about: 'The current state of the run.', json: SyncRun }],
    faults: []
  },
  connection
)

export const listItems = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/items',
    summary: 'List the items of a connection',
    access: 'read',
    params,
    query: z.strictObject({
      status: z.enum(ITEM_STATUSES).optional(),
      limit: limit(1000, 100),
      after: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .meta({ description: 'The id of the last item on the previous page.' })
    }),
    replies: [{ status: 200, about: 'The items, ordered by id.', json: z.array(SyncItem) }],
    faults: []
  },
  connection
)

export const retryItem = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/items/{item_id}/retry',
    summary: 'Retry a failed item now',
    access: 'edit',
    params: params.extend({ item_id: z.string().min(1).max(4096) }),
    replies: [{ status: 200, about: 'The item, which is now due.', json: SyncItem }],
    faults: ['conflict']
  },
  connection
)

export const getSchedule = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/schedule',
    summary: 'Show the schedule of a connection',
    access: 'read',
    params,
    replies: [{ status: 200, about: 'The current schedule.', json: SyncSchedule }],
    faults: []
  },
  connection
)

export const pauseConnection = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/pause',
    summary: 'Pause the regular syncs of a connection',
    about: 'A running sync continues to its end, and a requested one still runs.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'The updated schedule.', json: SyncSchedule }],
    faults: ['conflict']
  },
  connection
)

export const resumeConnection = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/resume',
    summary: 'Resume the regular syncs of a connection',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'The updated schedule.', json: SyncSchedule }],
    faults: ['conflict']
  },
  connection
)
