import { quoteLine } from '../../output/card.ts'
import type { Line, Look } from '../../output/line.ts'

/** A line of a server's log for eyes: when, how bad, what, and the rest as `name=value`. One that is no JSON stands behind the quote mark. */
export function shownLogLine(line: string): Line {
  const entry = parsed(line)
  if (entry === undefined) return quoteLine([line])
  const { level, time, msg, pid: _pid, hostname: _host, ...rest } = entry
  const fields = Object.entries(rest).map(([name, value]) => `${name}=${shownValue(value)}`)
  return [
    { text: `${shownTime(time)} `, look: 'dim' },
    { text: `${String(level ?? '')} `, look: lookOf(level) },
    String(msg ?? ''),
    { text: fields.length === 0 ? '' : `  ${fields.join(' ')}`, look: 'dim' }
  ]
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/** To the millisecond, in UTC. */
function shownTime(time: unknown): string {
  const date = typeof time === 'number' || typeof time === 'string' ? new Date(time) : undefined
  return date === undefined || Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 23).replace('T', ' ')
}

function shownValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function lookOf(level: unknown): Look {
  return level === 'error' || level === 50 ? 'bad' : 'plain'
}
