import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readFacts, readProcedures } from '../../src/memory/extracted.ts'
import { understand } from '../../src/memory/understand.ts'

/**
 * Pins the extraction of about 300 sentences of our own, including its errors, so that every change of a rule shows as
 * a difference to review. After the review, `npx vitest -u` with this file accepts the changes.
 */
test('extracts the recorded entries from the golden sentences', async () => {
  const lines = readFileSync(new URL('golden/sentences.txt', import.meta.url), 'utf8').split('\n')
  const sections = lines
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('== ') ? `\n${line}` : understood(line)))
  expect(sections.length).toBeGreaterThan(300)
  await expect(`${sections.join('\n').trim()}\n`).toMatchFileSnapshot('golden/understood.txt')
})

const AT = '2026-03-04T10:00:00.000Z'

function understood(line: string): string {
  const [, speaker, said] = /^(?:(Ada): )?(.*)$/.exec(line) ?? []
  const text = (said ?? '').replaceAll('\\n', '\n')
  const { facts, procedures, events } = understand({ text, at: AT, speaker, title: undefined })
  const record = { type: 'memory', id: '', at: AT, extractor: 1, text } as const
  const entries = [
    ...readFacts({ ...record, facts: facts ?? [] }).map(
      ({ subject, predicate, value, negated, modality, rule, confidence }) =>
        `fact ${[subject, predicate, value].join(' | ')}${marks(negated ? 'denied' : '', modality)} [${rule} ${share(confidence)}]`
    ),
    ...readProcedures({ ...record, procedures: procedures ?? [] }).map(
      ({ kind, statement, steps, rule, confidence }) =>
        `${kind} ${statement}${(steps ?? []).map((step) => ` > ${step}`).join('')} [${rule} ${share(confidence)}]`
    ),
    ...((events ?? []) as EventEntry[]).map(
      ({ statement, started_at, ended_at, precision, aspect, rule, confidence }) =>
        `event ${statement}${marks(aspect, precision, started_at, ended_at)} [${rule} ${share(confidence)}]`
    )
  ]
  return [line, ...entries.map((entry) => `    ${entry.replaceAll('\n', '\\n')}`)].join('\n')
}

type EventEntry = {
  statement: string
  rule: string
  started_at?: string
  ended_at?: string
  precision?: string
  aspect?: string
  confidence?: number
}

function marks(...given: readonly (string | undefined)[]): string {
  const said = given.filter((mark) => mark !== undefined && mark !== '')
  return said.length === 0 ? '' : ` (${said.join(', ')})`
}

function share(confidence: number | undefined): string {
  return confidence?.toFixed(2) ?? '-'
}
