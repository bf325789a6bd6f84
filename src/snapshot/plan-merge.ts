import type { SnapshotHeader } from '../contract/snapshot.ts'
import type { Sink } from './file/replace-file.ts'
import type { Source } from './file/source.ts'
import type { Form } from './read-snapshot.ts'
import { assertSound, type Survey, surveySnapshot } from './survey.ts'
import { createRecordTable, type RecordTable } from './table/record-table.ts'
import { type Canonical, writeCanonical } from './write-canonical.ts'

export type MergeSources = {
  inputs: readonly Source[]
  /** The common ancestor, for a three-way merge. */
  base?: Source | undefined
  form?: Form | undefined
  skipDamaged?: boolean | undefined
}

export type MergePlan = {
  table: RecordTable
  headers: SnapshotHeader[]
  surveys: Survey[]
  /** Number of known ids that each input added to those before it. */
  added: number[]
  form: Form
  /** Known ids that one side has dropped since the base, with `compact --drop-forgets`. */
  letGo: ReadonlySet<string>
}

/**
 * Reads the inputs of a merge and plans its result. A merge is the union of lines: commutative, associative,
 * idempotent. A base changes only one thing: if one side has neither a memory line nor a forget line for an id that the
 * base had forgotten, that side dropped it on purpose, and the other side does not bring it back.
 *
 * @throws Fault `invalid_snapshot` if an input is damaged or has lost lines, unless `skipDamaged` is set.
 */
export function planMerge({ inputs, base, form, skipDamaged }: MergeSources): MergePlan {
  const paths = inputs.map(({ path }) => path)
  return planMergeOfSurveys({
    surveys: inputs.map((source) => surveySnapshot(source)),
    base: base && surveySnapshot(base),
    paths,
    form,
    skipDamaged
  })
}

export type MergeSurveys = Pick<MergeSources, 'form' | 'skipDamaged'> & {
  surveys: Survey[]
  paths: readonly string[]
  base?: Survey | undefined
}

/** Plans the merge of surveyed files. The table of the first one absorbs the others. */
export function planMergeOfSurveys({ surveys, base, paths, form, skipDamaged }: MergeSurveys): MergePlan {
  const letGo = base === undefined ? new Set<string>() : findDroppedIds(base.table, surveys)
  if (!skipDamaged) for (const [i, survey] of surveys.entries()) assertSound(paths[i] ?? '', survey)
  const table = surveys[0]?.table ?? createRecordTable()
  const added = surveys.map((survey, source) => {
    if (source === 0) return table.ids.size
    const before = table.ids.size
    table.absorb(survey.table.part, { source, lines: 0 })
    return table.ids.size - before
  })
  return {
    table,
    surveys,
    added,
    headers: surveys.flatMap((survey) => survey.reading.headers),
    form: form ?? surveys[0]?.reading.form ?? 'jsonl',
    letGo
  }
}

/** Writes the merged snapshot in canonical form. */
export function writeMerge(sink: Sink, plan: MergePlan, inputs: readonly Source[]): Canonical {
  const { table, headers, form, letGo } = plan
  return writeCanonical(sink, {
    table,
    headers,
    form,
    sources: inputs,
    ...(letGo.size > 0 ? { isDropped: (id) => letGo.has(id.toString('hex')) } : {})
  })
}

function findDroppedIds(base: RecordTable, surveys: readonly Survey[]): Set<string> {
  const letGo = new Set<string>()
  for (let id = 0; id < base.ids.size; id++) {
    if (base.forget(id) < 0) continue
    const isGone = surveys.some(({ table }) => table.ids.find(base.ids.keys, id * 16) < 0)
    if (isGone) letGo.add(base.ids.keys.toString('hex', id * 16, id * 16 + 16))
  }
  return letGo
}
