import type { EventRecord, FactRecord } from '../../../src/contract/snapshot.ts'
import { findEvents } from '../../../src/memory/events/find-events.ts'
import { readSentences } from '../../../src/memory/language/read-sentences.ts'

/** The time of the test's sentences: a Wednesday. */
const AT = '2023-03-15T10:30:00.000Z'

type Said = { at?: string | undefined; speaker?: string | undefined; facts?: FactRecord[] }

/** Returns the events of a text, by default spoken by Ada on that day. */
export function eventsIn(text: string, said: Said = {}): EventRecord[] {
  const { at, speaker, facts } = { at: AT, speaker: 'Ada', facts: [], ...said }
  return findEvents({ source: { text, at, speaker, title: undefined }, sentences: readSentences(text), facts })
}

/** Formats the events as `aspect from/to: statement`, with days instead of times. */
export function toldIn(text: string, said: Said = {}): string[] {
  return eventsIn(text, said).map(({ aspect, started_at, ended_at, statement }) => {
    const range = started_at || ended_at ? ` ${started_at?.slice(0, 10) ?? '…'}/${ended_at?.slice(0, 10) ?? '…'}` : ''
    return `${aspect ?? 'now'}${range}: ${statement}`
  })
}
