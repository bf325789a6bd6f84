import { Fault } from '../contract/faults.ts'
import { replaceFile, type Sink } from '../snapshot/file/replace-file.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { type MergePlan, planMergeOfSurveys, writeMerge } from '../snapshot/merge.ts'
import { assertSound, type Survey, surveyInParts } from '../snapshot/survey.ts'
import { type DeviceWorld, surveyHelp } from './device-world.ts'
import type { ReceiveOptions } from './receive-snapshot.ts'

/** What the file holds now. `kept` are lines that only it had and the export had not. */
export type Placed = {
  memories: number
  forgotten: number
  bytes: number
  rootHash: string
  kept: number
}

type Placing = Pick<ReceiveOptions, 'output' | 'replacing' | 'format' | 'signal'> & { spool: string }

/**
 * Puts a received snapshot in the place of `output`, alone or united with what is there. The caller holds its lock.
 * @throws Fault `exists` as `receiveSnapshot` says; `invalid_snapshot` and others where what is there cannot be read.
 */
export async function placeReceived(world: DeviceWorld, placing: Placing): Promise<Placed> {
  const { files } = world
  const there = files.findEntry(placing.output) === undefined ? undefined : files.find(placing.output)
  const sources = [openSource(files, placing.spool)]
  try {
    const help = surveyHelp(world, placing.signal, 'nothing was written')
    const surveys = [await surveyInParts(sources[0] as Source, help)]
    if (there !== undefined && placing.replacing !== 'force') {
      const before = await readOld(placing.output, async () => {
        const source = openSource(files, placing.output)
        sources.push(source)
        return surveyInParts(source, help)
      })
      surveys.push(before)
    }
    const plan = planOf(surveys, placing)
    const kept = linesOf(plan, 1)
    if (kept > 0 && placing.replacing === 'refuse') throw wouldLose(placing.output, kept)
    if (placing.replacing === 'refuse') plan.headers.length = (surveys[0] as Survey).reading.headers.length
    const fill = (sink: Sink) => ({ ...writeMerge(sink, plan, sources), bytes: sink.written })
    const written = replaceFile(files, { path: placing.output, mode: there?.mode ?? 0o600 }, fill)
    return { ...written, kept }
  } finally {
    for (const source of sources) source.close()
  }
}

/** Reads the file that is there. What is wrong with it is told with the ways that there are here. */
async function readOld(output: string, read: () => Promise<Survey>): Promise<Survey> {
  try {
    const survey = await read()
    assertSound(output, survey)
    return survey
  } catch (error) {
    if (!(error instanceof Fault) || error.code === 'cancelled') throw error
    throw new Fault(error.code, error.message, {
      cause: error,
      hint: `memctl device verify --snapshot ${output} shows what is wrong with it; --force replaces it by the export`
    })
  }
}

/** The union; in the form that was asked for, else in that of the file that is there. */
function planOf(surveys: Survey[], { output, spool, format }: Placing): MergePlan {
  const form = format ?? surveys[1]?.reading.form ?? 'jsonl'
  return planMergeOfSurveys({ surveys, paths: [spool, output], form })
}

/** How many lines of one source the canonical form of all of them keeps. */
function linesOf({ table }: MergePlan, source: number): number {
  const { columns } = table.part
  return table.listKept().reduce((count, row) => count + (columns.source[row] === source ? 1 : 0), 0)
}

function wouldLose(output: string, lines: number): Fault {
  const what = lines === 1 ? '1 line that the export lacks' : `${lines} lines that the export lacks`
  return new Fault('exists', `${output} holds ${what}`, {
    hint: 'keep them with --merge, or drop them with --force'
  })
}
