import type { EventRecord } from '../../contract/snapshot.ts'
import { readTimes } from '../time/read-times.ts'

/** Maximum number of dates per section of text. */
const DATES_MAX = 20

/** Maximum length of the statement around a date, in UTF-16 code units. */
const STATEMENT_UNITS_MAX = 300

/**
 * Finds numeric dates in a text of any language: "La piscine ouvre le 5.6.2021." The statement is the sentence as
 * written; whether the event is past or future is unknown.
 */
export function findNumericDates(text: string, { start, end }: { start: number; end: number }): EventRecord[] {
  return readTimes(text, { from: start, to: end })
    .filter((time) => time.precision === 'day' && IN_FIGURES.test(text.slice(time.start, time.end)))
    .slice(0, DATES_MAX)
    .map(({ start: from, end: to, startedAt, endedAt }) => ({
      statement: findSentenceAround(text, { from, to }, { start, end }),
      ...(startedAt === undefined ? {} : { started_at: startedAt }),
      ...(endedAt === undefined ? {} : { ended_at: endedAt }),
      precision: 'day',
      rule: 'time.in-figures',
      span: [from, to],
      confidence: 0.6
    }))
}

const IN_FIGURES = /^[\d./-]+$/

type Place = { from: number; to: number }

function findSentenceAround(text: string, { from, to }: Place, { start, end }: { start: number; end: number }): string {
  const before = text.slice(Math.max(start, from - STATEMENT_UNITS_MAX / 2), from)
  const after = text.slice(to, Math.min(end, to + STATEMENT_UNITS_MAX / 2))
  const head = before.slice(Math.max(...SENTENCE_ENDS.map((mark) => before.lastIndexOf(mark) + 1)))
  const ends = SENTENCE_ENDS.map((mark) => after.indexOf(mark)).filter((at) => at >= 0)
  return (head + text.slice(from, to) + after.slice(0, Math.min(after.length, ...ends))).trim()
}

const SENTENCE_ENDS = ['. ', '! ', '? ', '。', '！', '？', '\n']
