import type { FactRecord, MemoryRecord } from '../contract/snapshot.ts'
import { EXTRACTOR_VERSION } from './extractor-version.ts'
import { factsOfSentences } from './facts/facts-of-sentences.ts'
import { readSentences } from './language/read-sentences.ts'
import type { Sentence } from './language/token.ts'
import { speaksEnglish } from './speaks-english.ts'
import type { Block } from './structure/block.ts'
import { factsOfBlocks } from './structure/facts-of-blocks.ts'
import { readBlocks } from './structure/read-blocks.ts'
import type { TextSource } from './text-source.ts'

/** What the extractor makes of a text. Empty lists are left out. */
export type Understanding = Pick<MemoryRecord, 'extractor' | 'facts' | 'procedures' | 'events'>

export type Understand = (source: TextSource) => Understanding

/**
 * Text to what is known from it. Pure and deterministic: the same source gives the same, on any machine, at any time;
 * in time that grows with the text, and with a bounded number of entries.
 * Loading this module takes about 100 ms: whoever stores loads it, whoever searches never does.
 */
export function understand(source: TextSource): Understanding {
  const blocks = readBlocks(source.text)
  const sentences = blocks.flatMap((block) => sentencesOf(source.text, block))
  const facts = inOrder([...factsOfBlocks(blocks, source), ...factsOfSentences(sentences, source)])
  return {
    extractor: EXTRACTOR_VERSION,
    ...(facts.length > 0 ? { facts: facts as MemoryRecord['facts'] } : {})
  }
}

/** Only running text is read as sentences, and only by the rules of its language, which is English. */
function sentencesOf(text: string, { kind, start, end }: Block): Sentence[] {
  const isRunning = kind === 'prose' || kind === 'item'
  return isRunning && speaksEnglish(text.slice(start, end)) ? readSentences(text, start, end) : []
}

/** As the text has them. */
function inOrder(facts: FactRecord[]): FactRecord[] {
  return facts.sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])
}
