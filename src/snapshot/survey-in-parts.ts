import type { Threads } from '../ports.ts'
import { lossesOf } from './losses.ts'
import { formOf, type Oddities, type Reading, readSnapshot } from './read-snapshot.ts'
import type { Source } from './source.ts'
import { type Survey, surveySnapshot } from './survey.ts'
import { receivedPart, type SurveyPart } from './survey-part.ts'

/** Until a thread is under way, 40,000 lines of 350 bytes could be read. */
const PART_BYTES = 16 * 1024 * 1024
const PARTS_MAX = 4

export type SurveyHelp = {
  threads?: Threads | undefined
  /** Awaited now and then, so that the program can be stopped; rejects to stop the reading. */
  pause?: (() => Promise<void>) | undefined
  /** A part is worth a thread of its own from so many bytes on. */
  partBytes?: number
}

/**
 * Reads a file as `surveySnapshot` does, but in slices, and a large one in several threads, each a stretch of whole
 * lines. Where that cannot be, the file being in the object form or written to meanwhile, this thread reads all of it.
 */
export async function surveyInParts(
  source: Source,
  { threads, pause, partBytes = PART_BYTES }: SurveyHelp
): Promise<Survey> {
  if (formOf(source) === 'json') return surveySnapshot(source)
  const parts = Math.min((threads?.spare ?? 0) + 1, PARTS_MAX, Math.floor(source.facts.size / partBytes))
  const [end = source.facts.size, ...ends] = cutsOf(source, parts)
  const others = ends.map((to, i) => threads?.survey({ path: source.path, from: ends[i - 1] ?? end, to }))
  const settled = Promise.allSettled(others)
  const survey = await surveySlices(source, end, pause)
  for (const result of await settled) {
    const part = result.status === 'fulfilled' ? receivedPart(result.value) : undefined
    if (part === undefined || !isOfSameFile(part, source)) return surveySlices(source, source.facts.size, pause)
    survey.table.absorb(part.part, { source: 0, lines: survey.reading.lines })
    join(survey.reading, part.reading, survey.reading.lines)
  }
  return { ...survey, losses: lossesOf(survey.reading.headers, survey.table) }
}

const SLICE_BYTES = 8 * 1024 * 1024

/** Reads a file up to byte `end`, where a line ends, or the file. */
async function surveySlices(source: Source, end: number, pause: SurveyHelp['pause']): Promise<Survey> {
  const until = (to: number): Source => ({ ...source, facts: { ...source.facts, size: to } })
  let to = Math.min(afterNextLf(source, SLICE_BYTES) ?? end, end)
  const { reading, table } = surveySnapshot(until(to), undefined, end)
  while (to < end) {
    await pause?.()
    const from = { form: reading.form, offset: to, number: reading.lines + 1 }
    to = Math.min(afterNextLf(source, to + SLICE_BYTES) ?? end, end)
    join(
      reading,
      readSnapshot(until(to), (seen) => table.add(seen, 0), from),
      0
    )
  }
  return { reading, table, losses: lossesOf(reading.headers, table) }
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

/** Appends what was found in the next part of a file, whose lines were counted from `lines` on. */
function join(reading: Reading, next: Reading, lines: number): void {
  for (const header of next.headers) reading.headers.push(header)
  for (const damage of next.damaged) reading.damaged.push({ ...damage, line: damage.line + lines })
  reading.unlisted += next.unlisted
  reading.lines += next.lines
  reading.end = next.end
  reading.tail = next.tail
  for (const name of Object.keys(next.odd) as (keyof Oddities)[]) reading.odd[name] += next.odd[name]
  if (next.notCanonicalAt !== undefined) reading.notCanonicalAt ??= next.notCanonicalAt + lines
}
