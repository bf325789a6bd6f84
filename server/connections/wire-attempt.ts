import type { Attempt } from '../../src/contract/connection.ts'
import { reconnectCommand } from '../providers/reconnect-words.ts'
import type { StoredAttempt } from '../storage/connector-storage.ts'

/** An attempt as the wire shows it at `now`: one whose time is over is so whether anybody has noted it or not. */
export function wireAttempt(attempt: StoredAttempt, now: number): Attempt {
  const over = attempt.status === 'waiting' && attempt.expiresAt <= now
  const status = over ? 'expired' : attempt.status
  const detail = attempt.detail ?? (status === 'expired' ? expiredDetail(attempt) : null)
  return { status, connection_id: attempt.connectionId ?? null, detail }
}

/** Of one that somebody came back with, the grant was kept aside for a person, or the server stopped while it worked at it. */
function expiredDetail({ usedAt, provider, collectionId }: StoredAttempt): string {
  const why =
    usedAt === undefined
      ? 'nobody consented in time'
      : 'the consent was not confirmed, or this server stopped meanwhile'
  return `${why}; begin again with ${reconnectCommand({ provider, collectionId })}`
}
