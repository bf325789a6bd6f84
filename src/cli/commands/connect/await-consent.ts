import type { Client } from '../../../client/client.ts'
import type { Attempt } from '../../../contract/connection.ts'
import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../context.ts'
import { plainLine } from '../../output/plain-text.ts'
import type { Begun } from './connect.ts'

/** How often it is asked whether the consent was given, in milliseconds. */
const LOOK_MS = 500

/**
 * Says where to consent, at once and on a line of its own, and waits for it. Resolves with the id of the connection.
 *
 * @throws Fault `consent_denied`, `consent_failed`, or `still_pending` where it was not given in time.
 */
export async function awaitConsent(
  context: Context,
  client: Client,
  { authUrl, state, resume, waitMs }: Begun & { waitMs: number }
): Promise<string> {
  const { clock, terminal } = context.world
  if (authUrl !== undefined) await tellWhere(context, authUrl, state)
  const start = clock.ticks()
  const waited = (): number => clock.ticks() - start
  const progress = context.person ? await terminal.progress(waitingText(0)) : undefined
  try {
    for (;;) {
      const attempt = await client.getAttempt({ query: { state } })
      if (attempt.status !== 'waiting') return connectionOf(attempt)
      if (waited() >= waitMs) throw notInTime(waitMs, resume)
      progress?.update(waitingText(waited()))
      await clock.wait(Math.min(LOOK_MS, waitMs - waited()), terminal.interrupted)
    }
  } catch (error) {
    if (!terminal.interrupted.aborted) throw error
    throw new Fault('cancelled', 'stopped waiting. The consent can still be given', {
      hint: resume,
      next: [resume],
      cause: error
    })
  } finally {
    progress?.stop()
  }
}

/** On stderr, which has it before anything is waited for; as an event where events are asked for. */
async function tellWhere({ answer, world }: Context, authUrl: string, state: string): Promise<void> {
  if (answer.mode === 'jsonl') return await answer.jsonLine({ event: 'consent', auth_url: authUrl, state })
  await world.terminal.errors.write(`${plainLine(authUrl)}\n`)
}

function waitingText(ms: number): string {
  return `waiting for the consent at the address above (${Math.floor(ms / 1000)} s; Ctrl-C stops waiting)`
}

function connectionOf({ status, connection_id, detail }: Attempt): string {
  if (status === 'completed' && connection_id !== null) return connection_id
  if (status === 'denied')
    throw new Fault('consent_denied', detail ?? 'the consent was denied', { hint: 'begin again: memctl connect' })
  if (status === 'expired')
    throw new Fault('still_pending', detail ?? 'nobody consented in time', { hint: 'begin again: memctl connect' })
  throw new Fault('consent_failed', detail ?? 'the consent did not come about', { hint: 'begin again: memctl connect' })
}

function notInTime(waitMs: number, resume: string): Fault {
  return new Fault('still_pending', `nobody consented within ${waitMs / 1000} s`, {
    hint: `the consent can still be given: ${resume}`,
    next: [resume]
  })
}
