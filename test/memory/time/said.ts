import { readTimes } from '../../../src/memory/time/read-times.ts'
import type { Tense, TimeExpression } from '../../../src/memory/time/time-expression.ts'

/** When the test's sentences are said: a Wednesday. */
const AT = '2023-03-15T10:30:00.000Z'

/** Times as `[words] from/to precision kind relation`, midnights and seconds left out. */
export function said(text: string, { at = AT, tense }: { at?: string | undefined; tense?: Tense } = {}): string {
  return readTimes(text, { at, tense })
    .map((time) => shown(text, time))
    .join(' · ')
}

/** The same for somebody who does not know when it was said. */
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
