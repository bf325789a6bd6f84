import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../context.ts'

/** What was looked at, how it is, and what mends it. */
export type Finding = {
  about: 'device' | 'server'
  check: string
  state: 'ok' | 'warning' | 'problem'
  /** What was found, a few words. */
  message: string
  /** The command or deed that mends it. */
  hint: string | null
}

export type Check = { about: Finding['about']; check: string; look(context: Context): Promise<Seen> }

export type Seen = Pick<Finding, 'state' | 'message'> & { hint?: string | undefined }

/** It is as it should be. */
export function ok(message: string): Seen {
  return { state: 'ok', message }
}

/** It works, and somebody should look at it. */
export function warning(message: string, hint?: string): Seen {
  return { state: 'warning', message, hint }
}

/** Commands fail because of it. */
export function problem(message: string, hint?: string): Seen {
  return { state: 'problem', message, hint }
}

/** Runs checks one after another. One that meets a fault has found a problem, and the others go on. */
export async function runChecks(context: Context, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { about, check, look } of checks) {
    const { state, message, hint } = await look(context).catch(seenFault)
    findings.push({ about, check, state, message, hint: hint ?? null })
  }
  return findings
}

function seenFault(error: unknown): Seen {
  if (!(error instanceof Fault) || error.code === 'cancelled') throw error
  return problem(error.message, error.hint)
}
