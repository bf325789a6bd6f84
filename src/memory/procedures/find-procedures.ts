import type { ProcedureRecord } from '../../contract/snapshot.ts'
import type { TextSource } from '../language/text-source.ts'
import type { Sentence } from '../language/token.ts'
import type { Block } from '../structure/block.ts'
import { splitDocument } from './document-part.ts'
import { findListedProcedures } from './find-listed-procedures.ts'
import { findPreferences } from './find-preferences.ts'
import { findRules } from './find-rules.ts'
import { findSpokenProcedures } from './find-spoken-procedures.ts'
import { type ProcedureDraft, toProcedureRecord } from './procedure-draft.ts'
import { listSpokenSentences } from './spoken.ts'

/** `sentences` are those of the blocks' prose and items, in order. */
export type ProcedureInput = { source: TextSource; blocks: readonly Block[]; sentences: readonly Sentence[] }

/** Maximum number of procedures per memory; the first ones of the text are kept. */
export const PROCEDURES_MAX = 100

/**
 * Finds how-tos, preferences and rules in a text. Questions, suppositions, quotations and accounts of one past day are
 * excluded. Instructions in a text are recorded as content and never executed.
 */
export function findProcedures({ source, blocks, sentences }: ProcedureInput): ProcedureRecord[] {
  const spoken = listSpokenSentences(source, blocks, sentences)
  const listed = splitDocument(source, blocks).flatMap((part) => findListedProcedures(source, part, sentences))
  const told = excludeTaken(listed, findSpokenProcedures(spoken))
  const taken = [...listed, ...told]
  const single = spoken.flatMap((sentence) => preferFirst(findPreferences(sentence), () => findRules(sentence)))
  return [...taken, ...excludeTaken(taken, single)]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .flatMap((draft) => toProcedureRecord(draft) ?? [])
    .slice(0, PROCEDURES_MAX)
}

/** Returns the preferences of a sentence, or its rules if there are none. */
function preferFirst(drafts: ProcedureDraft[], otherwise: () => ProcedureDraft[]): ProcedureDraft[] {
  return drafts.length > 0 ? drafts : otherwise()
}

/** Excludes drafts that begin inside a how-to, because its steps are not rules. */
function excludeTaken(taken: readonly ProcedureDraft[], drafts: readonly ProcedureDraft[]): ProcedureDraft[] {
  const spans = [...taken].sort((a, b) => a.start - b.start)
  let at = 0
  let end = 0
  return drafts.filter((draft) => {
    for (let span = spans[at]; span !== undefined && span.start <= draft.start; span = spans[++at])
      end = Math.max(end, span.end)
    return draft.start >= end
  })
}
