import * as z from 'zod'
import { defineEndpoint } from '../endpoint.ts'
import { Guid, Text } from '../plain-shapes.ts'
import { ITEM_STATUSES, SyncItem, SyncRun, SyncSchedule } from '../sync-run.ts'

const params = z.strictObject({ connection_id: Guid })

/** As a query has it. */
const limit = (most: number, usual: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'a number from 1')
    .transform(Number)
    .refine((value) => value <= most, `${most} at most`)
    .default(usual)

const connection = {
  connection: ({ params: { connection_id } }: { params: { connection_id: string } }) => connection_id
}

export const syncConnection = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/sync',
    summary: 'Sync a connection now',
    about: 'Answers at once; the sync runs by itself. `409` where one is under way or asked for already.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'It will begin in a moment.', json: z.object({ message: Text }) }],
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
    replies: [{ status: 200, about: 'Newest first.', json: z.array(SyncRun) }],
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
    replies: [{ status: 200, about: 'As it stands.', json: SyncRun }],
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
      after: z.string().min(1).max(4096).optional().meta({ description: 'The id that the page before ended with.' })
    }),
    replies: [{ status: 200, about: 'In the order of their ids.', json: z.array(SyncItem) }],
    faults: []
  },
  connection
)

export const retryItem = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/items/{item_id}/retry',
    summary: 'Try a failed item again now',
    access: 'edit',
    params: params.extend({ item_id: z.string().min(1).max(4096) }),
    replies: [{ status: 200, about: 'The item, which is due.', json: SyncItem }],
    faults: ['conflict']
  },
  connection
)

export const getSchedule = defineEndpoint(
  {
    method: 'GET',
    path: '/v1/connectors/{connection_id}/schedule',
    summary: 'When a connection syncs',
    access: 'read',
    params,
    replies: [{ status: 200, about: 'As it stands.', json: SyncSchedule }],
    faults: []
  },
  connection
)

export const pauseConnection = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/pause',
    summary: 'Stop the regular syncs of a connection',
    about: 'One that runs goes on to its end; one that is asked for still runs.',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'As it stands now.', json: SyncSchedule }],
    faults: ['conflict']
  },
  connection
)

export const resumeConnection = defineEndpoint(
  {
    method: 'POST',
    path: '/v1/connectors/{connection_id}/resume',
    summary: 'Start the regular syncs of a connection again',
    access: 'edit',
    params,
    replies: [{ status: 200, about: 'As it stands now.', json: SyncSchedule }],
    faults: ['conflict']
  },
  connection
)
