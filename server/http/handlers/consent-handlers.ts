import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import { wireAttempt } from '../../connections/wire-objects.ts'
import type { ConsentOutcome } from '../../oauth/consent/consent-outcome.ts'
import type { EnabledProvider } from '../../oauth/wire/enabled-provider.ts'
import type { Handlers } from '../handler.ts'
import { type OutcomePage, outcomePage, type Settled } from '../pages/outcome-page.ts'
import type { HandlerWorld } from './handler-world.ts'

type ConsentHandlers = Pick<Handlers, 'receiveCallback' | 'confirmConsent'>

/** Where a person comes back to from a provider. What is answered is for their eyes, and has no secret but a ticket in a form. */
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
): Promise<OutcomePage> {
  const enabled = connectors.enabled.get(provider as ProviderId)
  const settled: Settled = enabled ? timely(await settle(), clock.now()) : { outcome: 'no_provider' }
  const selects = enabled?.provider.facts.selection
  const service = enabled && nameService(enabled)
  if (!('attempt' in settled))
    return outcomePage(settled, { service, selects, collectionName: undefined, keyName: undefined })
  const { collectionId, keyId } = settled.attempt
  const [collection, keys] = await Promise.all([storage.collection(collectionId), storage.keys()])
  const keyName = keys.find(({ id }) => id === keyId)?.name
  return outcomePage(settled, { service, selects, collectionName: collection?.name, keyName })
}

/** What was swept away because its time was over was not used: whoever comes then is late, and is told so. */
function timely(outcome: ConsentOutcome, now: number): ConsentOutcome {
  const isLate = outcome.outcome === 'replayed' && wireAttempt(outcome.attempt, now).status === 'expired'
  return isLate ? { outcome: 'expired', attempt: outcome.attempt } : outcome
}

/** Nobody should take a stand-in for the real service. */
function nameService({ provider, sandbox }: EnabledProvider): string {
  return sandbox ? `${provider.facts.service} (sandbox)` : provider.facts.service
}
