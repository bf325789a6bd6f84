import type { Attempt } from '../../src/contract/connection.ts'
import type { StoredAttempt } from '../storage/connector-storage.ts'

/** An attempt as the wire shows it at `now`: one whose time is over is so whether anybody has noted it or not. */
export function wireAttempt(attempt: StoredAttempt, now: number): Attempt {
  const over = attempt.status === 'waiting' && attempt.expiresAt <= now
  const status = over ? 'expired' : attempt.status
  const detail = attempt.detail ?? (status === 'expired' ? EXPIRED : null)
  return { status, connection_id: attempt.connectionId ?? null, detail }
}

const EXPIRED = 'nobody consented in time: begin again'
