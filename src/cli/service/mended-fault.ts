import { Fault } from '../../contract/faults.ts'
import type { Context } from '../context.ts'
import type { ChosenServer } from './choose-server.ts'
import { keyRemedy } from './key-remedy.ts'
import { ownWhereabouts } from './own-server.ts'

/** A key at hand; `variable` where the environment gives it. */
export type GivenKey = { key: string | undefined; variable?: string | undefined }

/**
 * The fault of a call to a server as a person can mend it, whatever the server says to programs: a key that is missing or refused,
 * and an address where nobody listens while the server of this machine does elsewhere. Others stay as they are.
 */
export async function mendedFault(
  parts: Pick<Context, 'world' | 'rooms'>,
  server: ChosenServer,
  { fault, ...given }: GivenKey & { fault: Fault }
): Promise<Fault> {
  const { code, message, retryable } = fault
  if (code === 'unauthenticated')
    return new Fault(code, message, { ...(await keyRemedy(parts, server, given)), retryable, cause: fault })
  const own = code === 'unreachable' ? await ownWhereabouts(parts, server) : undefined
  if (own === undefined) return fault
  const { hint, next } = own
  return new Fault(code, `${message}; ${own.message}`, { hint, next, retryable, cause: fault })
}
