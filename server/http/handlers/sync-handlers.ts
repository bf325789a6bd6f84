import type { Handlers } from '../handler.ts'
import type { HandlerWorld } from './handler-world.ts'

type SyncHandlers = Pick<
  Handlers,
  | 'syncConnection'
  | 'listRuns'
  | 'getRun'
  | 'listItems'
  | 'retryItem'
  | 'getSchedule'
  | 'pauseConnection'
  | 'resumeConnection'
>

/** When connections sync, and what came of it. */
export function syncHandlers({ connectors: { syncs } }: HandlerWorld): SyncHandlers {
  return {
    syncConnection: async ({ params }) => ({ status: 200, json: await syncs.request(params.connection_id) }),
    listRuns: async ({ params, query }) => ({ status: 200, json: await syncs.runs(params.connection_id, query) }),
    async getRun({ params }) {
      return { status: 200, json: await syncs.run(params.connection_id, params.run_id) }
    },
    async listItems({ params, query: { status, after, limit } }) {
      return { status: 200, json: await syncs.items(params.connection_id, { status, after, limit }) }
    },
    async retryItem({ params }) {
      return { status: 200, json: await syncs.retry(params.connection_id, params.item_id) }
    },
    getSchedule: async ({ params }) => ({ status: 200, json: await syncs.schedule(params.connection_id) }),
    pauseConnection: async ({ params }) => ({ status: 200, json: await syncs.setPaused(params.connection_id, true) }),
    resumeConnection: async ({ params }) => ({ status: 200, json: await syncs.setPaused(params.connection_id, false) })
  }
}
