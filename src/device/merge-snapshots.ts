import { Fault } from '../contract/faults.ts'
import { replaceFile } from '../snapshot/file/replace-file.ts'
import { openSource, resolveSnapshotPath, type Source } from '../snapshot/file/source.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import { planMergeOfSurveys, writeMerge } from '../snapshot/plan-merge.ts'
import { putLossesAside } from '../snapshot/put-aside.ts'
import { createHeader } from '../snapshot/record/create-header.ts'
import { type Survey, surveyDamaged, surveyInParts, surveySnapshot } from '../snapshot/survey.ts'
import { describeOddities } from '../snapshot/verify-snapshot.ts'
import { describeSetAside } from './compact-file.ts'
import type { DeviceOptions, MergeOptions, MergeReport } from './device.ts'
import { createSurveyHelp, type DeviceWorld, stopIfAborted, withSystemFaults } from './device-world.ts'

/**
 * Merges snapshots into `output`, which may be one of them. Its lock is held from the first read to the end.
 * @throws Fault `exists` if the output exists and is not an input, unless `force` is set; `invalid_snapshot` for an
 * input that is damaged or has lost lines, unless `skipDamaged` is set; `usage` without inputs. In these cases nothing
 * is written.
 */
export async function mergeSnapshots(
  world: DeviceWorld,
  options: MergeOptions & DeviceOptions & { signal?: AbortSignal }
): Promise<MergeReport> {
  const { files } = world
  if (options.inputs.length === 0)
    throw new Fault('usage', 'no snapshots to merge: expected at least one input', {
      hint: 'to merge two snapshots: memctl device merge A.mem.jsonl B.mem.jsonl'
    })
  return withSystemFaults(`merge into ${options.output}`, async () => {
    const inputs = options.inputs.map((path) => resolveSnapshotPath(files, path))
    const output =
      files.findEntry(options.output) === undefined ? options.output : resolveSnapshotPath(files, options.output)
    if (files.findEntry(output) !== undefined && !inputs.includes(output) && !options.force) {
      throw new Fault('exists', `${output} already exists and is not an input of this merge`, {
        hint: 'add it to the inputs, or overwrite it with --force'
      })
    }
    return withLock(world, { path: output, waitMs: options.lockWaitMs, signal: options.signal }, () => {
      stopIfAborted(options.signal, 'nothing was written')
      return mergeOpened(world, { ...options, inputs, output })
    })
  })
}

async function mergeOpened(world: DeviceWorld, options: MergeOptions & { signal?: AbortSignal }): Promise<MergeReport> {
  const { files } = world
  const help = createSurveyHelp(world, options.signal, 'nothing was written')
  const sources: Source[] = []
  const open = (path: string): Source => {
    const source = openSource(files, path)
    sources.push(source)
    return source
  }
  try {
    const inputs = options.inputs.map(open)
    const base = options.base === undefined ? undefined : open(options.base)
    const surveys: Survey[] = []
    for (const input of inputs)
      surveys.push(await (options.skipDamaged ? surveyDamaged(input) : surveyInParts(input, help)))
    const plan = planMergeOfSurveys({
      surveys,
      base: base && surveySnapshot(base),
      paths: options.inputs,
      form: options.format,
      skipDamaged: options.skipDamaged
    })
    if (plan.headers.length === 0) plan.headers.push(createHeader(world))
    const aside = inputs.map((input, i) =>
      input.path === options.output ? putLossesAside(files, input, plan.surveys[i] as Survey) : 0
    )
    const mode = files.find(options.output)?.mode ?? 0o600
    const fill = (sink: Parameters<typeof writeMerge>[0]) => ({
      ...writeMerge(sink, plan, inputs),
      bytes: sink.written
    })
    const written = replaceFile(files, { path: options.output, mode }, fill)
    const notes = describeSetAside(options.output, Math.max(0, ...aside))
    for (const [i, { reading }] of plan.surveys.entries()) {
      notes.push(...describeOddities(reading).map((note) => `${options.inputs[i]}: ${note}`))
    }
    return {
      output: options.output,
      memories: written.memories,
      forgotten: written.forgotten,
      added: plan.added,
      bytes: written.bytes,
      root_hash: written.rootHash,
      notes
    }
  } finally {
    for (const source of sources) source.close()
  }
}
