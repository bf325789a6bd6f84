import type { Fault } from '../../src/contract/faults.ts'
import type { Ids, Log } from '../../src/ports.ts'
import type { Metrics } from './metrics.ts'
import { PAGE_STYLES } from './pages/page-styles.ts'
import { problemReply } from './reply/problem-reply.ts'
import { addSecurityHeaders } from './reply/security-headers.ts'

export type RefuserParts = { world: { ids: Ids; log: Log }; metrics: Metrics }

const REQUEST_ID_BYTES = 16

/** What is said to who sent something that is no request of HTTP: it is a refusal like any other. */
export function createRefuser({ world, metrics }: RefuserParts): (fault: Fault) => Response {
  return (fault) => {
    const requestId = world.ids.randomHex(REQUEST_ID_BYTES)
    const reply = problemReply(fault, requestId)
    reply.headers.set('x-request-id', requestId)
    addSecurityHeaders(reply.headers, { styles: PAGE_STYLES, hasForm: false })
    metrics.answered({ route: 'none', method: 'other', status: reply.status, seconds: 0 })
    world.log.debug({ requestId, status: reply.status, reason: fault.message }, 'no request')
    return reply
  }
}
