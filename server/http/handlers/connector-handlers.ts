import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { toWireAttempt } from '../../connections/to-wire-connection.ts'
import type { ConsentOutcome } from '../../oauth/consent/consent-outcome.ts'
import type { EnabledProvider } from '../../oauth/wire/enabled-provider.ts'
import type { Handlers } from '../handler.ts'
import { type ConsentPage, renderConsentPage, type Settled } from '../pages/consent-page.ts'
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

/** Creates the handlers that connect, list, configure and disconnect accounts at providers. */
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
    listConnections: async ({ query }) => ({ status: 200, json: await connections.list(query.collection_id, query) }),
    getConnection: async ({ params, query }) => ({
      status: 200,
      json: await connections.get(params.connection_id, query)
    }),
    async listFolders({ params, query, signal }) {
      const json = await connections.folders(params.connection_id, { parentId: query.parent_id, signal })
      return { status: 200, json }
    },
    async listChannels({ params, signal }) {
      return { status: 200, json: await connections.channels(params.connection_id, { signal }) }
    },
    async updateConfig({ params, query, body, signal }) {
      return { status: 200, json: await connections.configure(params.connection_id, body, { ...query, signal }) }
    },
    async disconnect({ params, query, body }) {
      const asked = { byQuery: query.delete_memories, byBody: body?.delete_memories }
      return { status: 200, json: await connections.disconnect(params.connection_id, asked) }
    }
  }
}

type ConsentHandlers = Pick<Handlers, 'receiveCallback' | 'confirmConsent'>

/**
 * Creates the handlers of the consent pages. The replies are for a person, and contain no secret except a ticket in a
 * form.
 */
export function consentHandlers(world: HandlerWorld): ConsentHandlers {
  const { oauth } = world.connectors
  return {
    receiveCallback: async ({ params: { provider }, search }) =>
      await renderOutcome(world, provider, () => oauth.receive(provider, search)),
    confirmConsent: async ({ params: { provider }, body: { ticket, decision } }) =>
      await renderOutcome(world, provider, () => oauth.confirm(provider, { ticket, approved: decision === 'approve' }))
  }
}

async function renderOutcome(
  { storage, connectors, clock }: HandlerWorld,
  provider: string,
  settle: () => Promise<ConsentOutcome>
): Promise<ConsentPage> {
  const enabled = connectors.enabled.get(provider as ProviderId)
  const settled: Settled = enabled ? showAsExpired(await settle(), clock.now()) : { outcome: 'no_provider' }
  const selects = enabled?.provider.facts.selection
  const service = enabled && nameService(enabled)
  if (!('attempt' in settled))
    return renderConsentPage(settled, { service, selects, collectionName: undefined, keyName: undefined })
  const { collectionId, keyId } = settled.attempt
  const [collection, keys] = await Promise.all([storage.findCollection(collectionId), storage.listKeys()])
  const keyName = keys.find(({ id }) => id === keyId)?.name
  return renderConsentPage(settled, { service, selects, collectionName: collection?.name, keyName })
}

/** Treats an attempt that was swept after its time as expired: it was never used, and its person came too late. */
function showAsExpired(outcome: ConsentOutcome, now: number): ConsentOutcome {
  const isLate = outcome.outcome === 'replayed' && toWireAttempt(outcome.attempt, now).status === 'expired'
  return isLate ? { outcome: 'expired', attempt: outcome.attempt } : outcome
}

/** Returns the name of a service. Marks the sandbox, so that a person does not take it for the real service. */
function nameService({ provider, sandbox }: EnabledProvider): string {
  return sandbox ? `${provider.facts.service} (sandbox)` : provider.facts.service
}

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

/** Creates the handlers of schedules, runs and items of connections. */
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

/** Creates the handlers of the vault. */
export function vaultHandlers({ connectors }: HandlerWorld): Pick<Handlers, 'rotateVaultKey'> {
  return {
    async rotateVaultKey() {
      const { keyId, resealed } = await connectors.rotate()
      return { status: 200, json: { key_id: keyId, resealed } }
    }
  }
}
