import type { Threads } from '../ports.ts'
import { lossesOf } from './losses.ts'
import { formOf, type Oddities, type Reading } from './read-snapshot.ts'
import type { Source } from './source.ts'
import { type Survey, surveySnapshot } from './survey.ts'
import { receivedPart, type SurveyPart } from './survey-part.ts'

/** A part is worth a thread of its own from so many bytes on: starting one takes as long as reading some of them. */
const PART_BYTES_MIN = 6 * 1024 * 1024
const PARTS_MAX = 4

/**
 * Reads a large file in several threads, each a stretch of whole lines, and puts together what they found: the same as
 * `surveySnapshot` gives. Where that cannot be, the file being small, in the object form or written to meanwhile, this thread
 * reads all of it.
 */
export async function surveyInParts(source: Source, threads: Threads | undefined): Promise<Survey> {
  const wanted = Math.min((threads?.spare ?? 0) + 1, PARTS_MAX, Math.floor(source.facts.size / PART_BYTES_MIN))
  if (threads === undefined || wanted < 2 || formOf(source) === 'json') return surveySnapshot(source)
  const [end, ...ends] = cutsOf(source, wanted)
  if (end === undefined || ends.length === 0) return surveySnapshot(source)
  const others = ends.map((to, i) => threads.survey({ path: source.path, from: i === 0 ? end : (ends[i - 1] ?? end), to }))
  const settled = Promise.allSettled(others)
  const first = surveySnapshot({ ...source, facts: { ...source.facts, size: end } })
  const parts: SurveyPart[] = []
  for (const result of await settled) {
    if (result.status === 'rejected') return surveySnapshot(source)
    const part = receivedPart(result.value)
    if (!isOfSameFile(part, source)) return surveySnapshot(source)
    parts.push(part)
  }
  return joined(first, parts)
}

/** Where the parts end: after an LF each, the last one at the end of the file. */
function cutsOf(source: Source, parts: number): number[] {
  const { size } = source.facts
  const cuts: number[] = []
  for (let part = 1; part < parts; part++) {
    const cut = afterNextLf(source, Math.floor((size / parts) * part))
    if (cut !== undefined && cut > (cuts.at(-1) ?? 0) && cut < size) cuts.push(cut)
  }
  return [...cuts, size]
}

const STEP_BYTES = 64 * 1024

function afterNextLf(source: Source, from: number): number | undefined {
  const step = Buffer.allocUnsafe(STEP_BYTES)
  for (let at = from; ; ) {
    const got = source.read(step, at)
    if (got === 0) return undefined
    const lf = step.subarray(0, got).indexOf(0x0a)
    if (lf >= 0) return at + lf + 1
    at += got
  }
}

/** A writer that appends meanwhile does no harm; the facts then differ all the same, and this thread reads again. */
function isOfSameFile({ size, mtimeNs, ino }: SurveyPart, { facts }: Source): boolean {
  return size === facts.size && mtimeNs === facts.mtimeNs && ino === facts.ino
}

function joined(first: Survey, parts: readonly SurveyPart[]): Survey {
  const { table, reading } = first
  for (const { part, reading: next } of parts) {
    table.absorb(part, { source: 0, lines: reading.lines })
    join(reading, next)
  }
  return { table, reading, losses: lossesOf(reading.headers, table) }
}

/** Appends what was found in the next part of a file. */
function join(reading: Reading, next: Reading): void {
  for (const header of next.headers) reading.headers.push(header)
  for (const damage of next.damaged) reading.damaged.push({ ...damage, line: damage.line + reading.lines })
  reading.unlisted += next.unlisted
  reading.lines += next.lines
  reading.end = next.end
  reading.tail = next.tail
  for (const name of Object.keys(next.odd) as (keyof Oddities)[]) reading.odd[name] += next.odd[name]
}
