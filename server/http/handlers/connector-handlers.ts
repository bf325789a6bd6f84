import type { Handlers } from '../handler.ts'
import { type HandlerWorld, requireCaller } from './handler-world.ts'

type ConnectorHandlers = Pick<
  Handlers,
  | 'listProviders'
  | 'connectProvider'
  | 'getAttempt'
  | 'listConnections'
  | 'getConnection'
  | 'listFolders'
  | 'listChannels'
  | 'updateConfig'
  | 'disconnect'
>

/** Accounts at providers, from the wish to link one to its end. */
export function connectorHandlers({ connectors }: HandlerWorld): ConnectorHandlers {
  const { connections, enabled } = connectors
  return {
    listProviders: async () => ({ status: 200, json: [...enabled.keys()] }),
    async connectProvider(call) {
      const { params, body } = call
      const { keyId } = requireCaller(call)
      const asked = { provider: params.provider, collectionId: body.collection_id, keyId, config: body.config }
      return { status: 200, json: await connections.begin(asked) }
    },
    getAttempt: async ({ query }) => ({ status: 200, json: await connections.attempt(query.state) }),
    listConnections: async ({ query }) => ({ status: 200, json: await connections.list(query.collection_id) }),
    getConnection: async ({ params }) => ({ status: 200, json: await connections.get(params.connection_id) }),
    async listFolders({ params, query, signal }) {
      const json = await connections.folders(params.connection_id, { parentId: query.parent_id, signal })
      return { status: 200, json }
    },
    async listChannels({ params, signal }) {
      return { status: 200, json: await connections.channels(params.connection_id, { signal }) }
    },
    async updateConfig({ params, body, signal }) {
      return { status: 200, json: await connections.configure(params.connection_id, body, signal) }
    },
    async disconnect({ params, query, body }) {
      const asked = { byQuery: query.delete_memories, byBody: body?.delete_memories }
      return { status: 200, json: await connections.disconnect(params.connection_id, asked) }
    }
  }
}
