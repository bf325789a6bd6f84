import { readTimes } from '../../../src/memory/time/read-times.ts'
import type { Tense, TimeExpression } from '../../../src/memory/time/time-expression.ts'

/** The time of the test's sentences: a Wednesday. */
const AT = '2023-03-15T10:30:00.000Z'

/** Formats times as `[words] from/to precision kind relation`, without midnights and seconds. */
export function said(text: string, { at = AT, tense }: { at?: string | undefined; tense?: Tense } = {}): string {
  return readTimes(text, { at, tense })
    .map((time) => shown(text, time))
    .join(' · ')
}

/** Formats the times of a text whose time is unknown. */
export function saidAnyTime(text: string): string {
  return readTimes(text)
    .map((time) => shown(text, time))
    .join(' · ')
}

function shown(text: string, { start, end, startedAt, endedAt, precision, kind, relation }: TimeExpression): string {
  const range = `${short(startedAt)}/${short(endedAt)}`
  return [`[${text.slice(start, end)}]`, range, precision, kind, relation]
    .filter((part) => part !== undefined)
    .join(' ')
}

function short(time: string | undefined): string {
  return time === undefined ? '…' : time.replace(':00.000Z', '').replace('T00:00', '')
}
