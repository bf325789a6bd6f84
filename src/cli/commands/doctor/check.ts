import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { refusalFault } from '../../input/read-file-bytes.ts'

/** The result of one check: its subject, its state and a fix. */
export type Finding = {
  about: 'device' | 'server'
  check: string
  state: 'ok' | 'warning' | 'problem'
  /** What the check found, in a few words. */
  message: string
  /** The command or action that fixes it. */
  hint: string | null
}

/** A check of one subject, which returns one or several results. */
export type Check = {
  about: Finding['about']
  check: string
  /** The check reads settings, so it is skipped if they are invalid. */
  needs?: 'settings'
  run(context: Context): Promise<CheckResult | readonly CheckResult[]>
}

export type CheckResult = Pick<Finding, 'state' | 'message'> & { hint?: string | undefined }

/** Reports that nothing is wrong. */
export function ok(message: string): CheckResult {
  return { state: 'ok', message }
}

/** Reports something that works but needs attention. */
export function warning(message: string, hint?: string): CheckResult {
  return { state: 'warning', message, hint }
}

/** Reports something that makes commands fail. */
export function problem(message: string, hint?: string): CheckResult {
  return { state: 'problem', message, hint }
}

/** Runs checks one after another. A `Fault` becomes a problem and does not end the run. */
export async function runChecks(context: Context, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { about, check, run } of checks) {
    const seen = await run(context).catch(toCheckResult)
    for (const { state, message, hint } of [seen].flat())
      findings.push({ about, check, state, message, hint: hint ?? null })
  }
  return findings
}

/** Runs checks that build on one another and stops after the first problem. */
export async function runUntilProblem(context: Context, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of checks) {
    findings.push(...(await runChecks(context, [check])))
    if (findings.some(({ state }) => state === 'problem')) break
  }
  return findings
}

/** Converts a `Fault` to a problem. Rethrows anything else, and also a cancellation. */
export function toCheckResult(error: unknown): CheckResult {
  const fault = refusalFault(error)
  if (!(fault instanceof Fault) || fault.code === 'cancelled') throw error
  return problem(fault.message, fault.hint)
}
