import type { MemoryRecord } from '../contract/snapshot.ts'
import { findEvents } from './events/find-events.ts'
import { findNumericDates } from './events/find-numeric-dates.ts'
import { EXTRACTOR_VERSION } from './extractor-version.ts'
import { findFacts } from './facts/find-facts.ts'
import { isEnglish } from './language/is-english.ts'
import { readSentences } from './language/read-sentences.ts'
import type { TextSource } from './language/text-source.ts'
import type { Sentence } from './language/token.ts'
import { findProcedures } from './procedures/find-procedures.ts'
import type { Block } from './structure/block.ts'
import { buildBlockFacts } from './structure/build-block-facts.ts'
import { buildAnnotationFacts, findAnnotations } from './structure/find-annotations.ts'
import { readBlocks } from './structure/read-blocks.ts'

/** What the extractor makes of a text. Empty lists are left out. */
export type Understanding = Pick<MemoryRecord, 'extractor' | 'facts' | 'procedures' | 'events'>

export type Understand = (source: TextSource) => Understanding

/** Entries of each kind that one memory may hold: the first ones of the text. */
const ENTRIES_MAX = 300

/** So much running text is read as sentences, in UTF-16 code units: a book's worth, which has more than so many entries. */
const UNITS_MAX = 500_000

/**
 * Text to what is known from it. Pure and deterministic: the same source gives the same, on any machine, at any time;
 * in time that grows with the text, and with a bounded number of entries.
 * Loading this module takes about 100 ms: whoever stores loads it, whoever searches never does.
 */
export function understand(source: TextSource): Understanding {
  const blocks = readBlocks(source.text)
  const { voices, foreign } = readText(source, blocks)
  const sentences = voices.flatMap((voice) => voice.sentences)
  const told = voices.map((voice) => ({ ...voice, facts: findFacts(voice.sentences, voice.source) }))
  const facts = [
    ...buildBlockFacts(blocks, source),
    ...buildAnnotationFacts(source),
    ...told.flatMap((voice) => voice.facts)
  ]
  return {
    extractor: EXTRACTOR_VERSION,
    ...listFields('facts', facts),
    ...listFields('procedures', findProcedures({ source, blocks, sentences })),
    ...listFields('events', [
      ...told.flatMap(findEvents),
      ...foreign.flatMap((stretch) => findNumericDates(source.text, stretch))
    ])
  }
}

/** What one person says in one go. */
type Voice = { source: TextSource; sentences: Sentence[] }

type Stretch = { start: number; end: number }

/**
 * The voices of a text: a written-down talk has several, any other text one. Only running text is read as sentences, and
 * only by the rules of its language, which is English; stretches in others are given as they are.
 */
function readText(source: TextSource, blocks: readonly Block[]): { voices: Voice[]; foreign: Stretch[] } {
  const voices: Voice[] = []
  const foreign: Stretch[] = []
  let left = UNITS_MAX
  for (const block of blocks) {
    if (left <= 0) break
    const speaker = (block.kind === 'prose' || block.kind === 'item' ? block.speaker : undefined) ?? source.speaker
    let voice = voices.at(-1)
    if (voice === undefined || voice.source.speaker !== speaker) {
      voice = { source: { ...source, speaker }, sentences: [] }
      voices.push(voice)
    }
    const stretch = readSection(block, left)
    left -= block.end - block.start
    if (stretch === undefined) continue
    if (!isEnglish(source.text.slice(stretch.start, stretch.end))) foreign.push(stretch)
    else for (const sentence of readSentencesOf(source.text, stretch)) voice.sentences.push(sentence)
  }
  return { voices, foreign }
}

/** Running text of a block, `units` of it at most. */
function readSection(block: Block, units: number): Stretch | undefined {
  if (block.kind !== 'prose' && block.kind !== 'item') return undefined
  const { start, end } = block.kind === 'item' ? block.content : block
  return { start, end: Math.min(end, start + units) }
}

/** Without what stands in it as annotation. */
function readSentencesOf(text: string, { start, end }: Stretch): Sentence[] {
  const annotations = findAnnotations(text, start, end)
  if (annotations.length === 0) return readSentences(text, start, end)
  const starts = [start, ...annotations.map((annotation) => annotation.end)]
  return starts.flatMap((from, i) => readSentences(text, from, annotations[i]?.start ?? end))
}

/** A member of the record, its entries in the order of the text; none for an empty list. */
function listFields<Name extends 'facts' | 'procedures' | 'events'>(
  name: Name,
  entries: Entry[]
): Partial<Understanding> {
  const ordered = entries.filter(isWritable).sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])
  return ordered.length === 0 ? {} : { [name]: ordered.slice(0, ENTRIES_MAX) }
}

type Entry = { span: [number, number] }

/** A cut through a surrogate pair would make a text that no line can hold. */
function isWritable(entry: Entry): boolean {
  return (Object.values(entry) as unknown[]).flat().every((value) => typeof value !== 'string' || value.isWellFormed())
}
