import type { ProcedureRecord } from '../../../src/contract/snapshot.ts'
import { readSentences } from '../../../src/memory/language/read-sentences.ts'
import type { TextSource } from '../../../src/memory/language/text-source.ts'
import { findProcedures } from '../../../src/memory/procedures/find-procedures.ts'
import { listProseRanges } from '../../../src/memory/structure/block.ts'
import { readBlocks } from '../../../src/memory/structure/read-blocks.ts'

/** Returns the procedures of a text, read as whole memories are. */
export function proceduresIn(text: string, more: Partial<TextSource> = {}): ProcedureRecord[] {
  const source: TextSource = { text, at: undefined, speaker: undefined, title: undefined, ...more }
  const blocks = readBlocks(text)
  const sentences = listProseRanges(blocks).flatMap(({ start, end }) => readSentences(text, start, end))
  return findProcedures({ source, blocks, sentences })
}

/** Formats rule and statement of each procedure as one line. */
export function linesIn(text: string, speaker?: string): string[] {
  return proceduresIn(text, { speaker }).map(({ rule, statement }) => `${rule}: ${statement}`)
}
