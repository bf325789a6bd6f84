import { FAULTS, type FaultCode } from './faults.ts'

/** The code of an error in an HTTP reply. HTTP has no command line, so `usage` is called `invalid_request` there. */
export type ProblemCode = Exclude<FaultCode, 'usage'> | 'invalid_request'

/** All codes of problems, also those that no endpoint uses. */
export const PROBLEM_CODES = (Object.keys(FAULTS) as FaultCode[]).map(toProblemCode)

/** Returns the code under which a fault appears in an HTTP reply. */
export function toProblemCode(code: FaultCode): ProblemCode {
  return code === 'usage' ? 'invalid_request' : code
}

/** Returns the fault code for the `code` of a problem. Returns undefined for a code that this version does not know. */
export function fromProblemCode(code: unknown): FaultCode | undefined {
  if (code === 'invalid_request') return 'usage'
  return typeof code === 'string' && Object.hasOwn(FAULTS, code) ? (code as FaultCode) : undefined
}
