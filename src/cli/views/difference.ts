import type { DiffReport, FactBrief, MemoryBrief } from '../../device/types.ts'
import { cutText } from '../output/fit-text.ts'
import type { Line, Look, Page } from '../output/line.ts'
import { shortId, shortTime } from '../output/short-forms.ts'

/** A difference for eyes: a line each, `+` for what B has more, `-` for what it lacks. */
export function diffLines(report: DiffReport, page: Page): Line[] {
  if (report.equal) return [['no difference']]
  const { memories, facts } = report
  return [
    ...memories.added.map((one) => marked('+', 'good', memoryText(one))),
    ...memories.gone.map((one) => marked('-', 'bad', memoryText(one))),
    ...memories.forgotten.map((one) => marked('x', 'dim', `${memoryText(one)} (forgotten)`)),
    ...memories.changed.map((one) => marked('~', 'note', `${memoryText(one)} (changed)`)),
    ...facts.added.map((one) => marked('+', 'good', `fact ${factText(one)}`)),
    ...facts.gone.map((one) => marked('-', 'bad', `fact ${factText(one)}`)),
    ...facts.revalued.map((one) =>
      marked('~', 'note', `fact ${one.subject} · ${one.predicate}: ${one.from.join(', ')} → ${one.to.join(', ')}`)
    )
  ].map(([mark, look, text]): Line => [{ text: `${mark} `, look }, cutText(text, page.columns - 2, page.width)])
}

/** The same as rows: what happened, to which kind of thing, its id or subject, and what it says. */
export function diffRows({ memories, facts }: DiffReport): unknown[][] {
  const kinds = ['added', 'gone', 'forgotten', 'changed'] as const
  return [
    ...kinds.flatMap((kind) => memories[kind].map((one) => [kind, 'memory', one.id, one.at, one.speaker, one.text])),
    ...facts.added.map((one) => ['added', 'fact', one.subject, one.predicate, one.value]),
    ...facts.gone.map((one) => ['gone', 'fact', one.subject, one.predicate, one.value]),
    ...facts.revalued.map((one) => ['revalued', 'fact', one.subject, one.predicate, one.from, one.to])
  ]
}

function marked(mark: string, look: Look, text: string): [string, Look, string] {
  return [mark, look, text]
}

function memoryText(one: MemoryBrief): string {
  return `${shortId(one.id)}  ${shortTime(one.at)}  ${one.speaker === null ? '' : `${one.speaker}: `}${one.text}`
}

function factText(one: FactBrief): string {
  return `${one.subject} · ${one.predicate} · ${one.value}`
}
