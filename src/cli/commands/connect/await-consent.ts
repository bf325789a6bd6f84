import type { Client } from '../../../client/client.ts'
import type { Attempt } from '../../../contract/connection.ts'
import { Fault, type FaultCode } from '../../../contract/faults.ts'
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
  { authUrl, state, resume, again, waitMs }: Begun & { waitMs: number }
): Promise<string> {
  const { clock, terminal } = context.world
  if (authUrl !== undefined) await tellWhere(context, authUrl, state)
  const start = clock.ticks()
  const waited = (): number => clock.ticks() - start
  const progress = context.person ? await terminal.progress(waitingText(0)) : undefined
  try {
    for (;;) {
      const attempt = await client.getAttempt({ query: { state } })
      if (attempt.status !== 'waiting') return connectionOf(attempt, again)
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

/** How a consent may end that came to nothing, and what is said where the server says nothing. */
const ENDED: Readonly<Record<string, [FaultCode, string]>> & { failed: [FaultCode, string] } = {
  denied: ['consent_denied', 'the consent was denied'],
  expired: ['still_pending', 'nobody consented in time'],
  failed: ['consent_failed', 'the consent did not come about']
}

function waitingText(ms: number): string {
  return `waiting for the consent at the address above (${Math.floor(ms / 1000)} s; Ctrl-C stops waiting)`
}

function connectionOf({ status, connection_id, detail }: Attempt, again: string): string {
  if (status === 'completed' && connection_id !== null) return connection_id
  const [code, otherwise] = ENDED[status] ?? ENDED.failed
  // What a server says about it may name the command already.
  const message = (detail ?? otherwise).replace(/; begin again with .*$/s, '')
  throw new Fault(code, message, { hint: `begin again: ${again}`, next: [again] })
}

function notInTime(waitMs: number, resume: string): Fault {
  return new Fault('still_pending', `nobody consented within ${waitMs / 1000} s`, {
    hint: `the consent can still be given: ${resume}`,
    next: [resume]
  })
}
