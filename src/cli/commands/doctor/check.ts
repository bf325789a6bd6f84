import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { refusalFault } from '../../input/read-file-bytes.ts'

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

/** A look at one thing. Where there is several things of the kind, one may see several. */
export type Check = {
  about: Finding['about']
  check: string
  /** It asks settings, and so is left out where those are no good. */
  needs?: 'settings'
  run(context: Context): Promise<CheckResult | readonly CheckResult[]>
}

export type CheckResult = Pick<Finding, 'state' | 'message'> & { hint?: string | undefined }

/** It is as it should be. */
export function ok(message: string): CheckResult {
  return { state: 'ok', message }
}

/** It works, and somebody should look at it. */
export function warning(message: string, hint?: string): CheckResult {
  return { state: 'warning', message, hint }
}

/** Commands fail because of it. */
export function problem(message: string, hint?: string): CheckResult {
  return { state: 'problem', message, hint }
}

/** Runs checks one after another. One that meets a fault has found a problem, and the others go on. */
export async function runChecks(context: Context, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { about, check, run } of checks) {
    const seen = await run(context).catch(toCheckResult)
    for (const { state, message, hint } of [seen].flat())
      findings.push({ about, check, state, message, hint: hint ?? null })
  }
  return findings
}

/** The same for checks that need what those before them looked at: the first that finds a problem ends them. */
export async function runUntilProblem(context: Context, checks: readonly Check[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const check of checks) {
    findings.push(...(await runChecks(context, [check])))
    if (findings.some(({ state }) => state === 'problem')) break
  }
  return findings
}

/** What a fault is here. Anything else is thrown, the end of the program too. */
export function toCheckResult(error: unknown): CheckResult {
  const fault = refusalFault(error)
  if (!(fault instanceof Fault) || fault.code === 'cancelled') throw error
  return problem(fault.message, fault.hint)
}
