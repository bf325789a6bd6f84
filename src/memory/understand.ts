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

/** What the extractor derives from a text. Empty lists are omitted. */
export type Understanding = Pick<MemoryRecord, 'extractor' | 'facts' | 'procedures' | 'events'>

export type Understand = (source: TextSource) => Understanding

/** Maximum number of entries of each kind per memory; the first ones of the text are kept. */
const ENTRIES_MAX = 300

/**
 * Maximum length of running text that is read as sentences, in UTF-16 code units. A text of this length, about a book,
 * exceeds `ENTRIES_MAX` anyway.
 */
const UNITS_MAX = 500_000

/**
 * Extracts facts, procedures and events from a text. Pure and deterministic: the same source gives the same result on
 * any machine, at any time. Time grows with the text, and the number of entries is bounded. Loading this module takes
 * about 100 ms, so it is loaded for storing and never for searching.
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

/** An uninterrupted part of a text by one speaker. */
type Voice = { source: TextSource; sentences: Sentence[] }

type Stretch = { start: number; end: number }

/**
 * Splits a text by speaker; only a transcript has several. Only English running text is read as sentences; sections in
 * other languages are returned unread in `foreign`.
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

/** Returns the range of a block's running text, at most `units` long. */
function readSection(block: Block, units: number): Stretch | undefined {
  if (block.kind !== 'prose' && block.kind !== 'item') return undefined
  const { start, end } = block.kind === 'item' ? block.content : block
  return { start, end: Math.min(end, start + units) }
}

/** Reads the sentences of a section without its annotations. */
function readSentencesOf(text: string, { start, end }: Stretch): Sentence[] {
  const annotations = findAnnotations(text, start, end)
  if (annotations.length === 0) return readSentences(text, start, end)
  const starts = [start, ...annotations.map((annotation) => annotation.end)]
  return starts.flatMap((from, i) => readSentences(text, from, annotations[i]?.start ?? end))
}

/** Builds one member of the record with its entries in text order, or an empty object for an empty list. */
function listFields<Name extends 'facts' | 'procedures' | 'events'>(
  name: Name,
  entries: Entry[]
): Partial<Understanding> {
  const ordered = entries.filter(isWritable).sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1])
  return ordered.length === 0 ? {} : { [name]: ordered.slice(0, ENTRIES_MAX) }
}

type Entry = { span: [number, number] }

/** Rejects text cut through a surrogate pair, which no line can contain. */
function isWritable(entry: Entry): boolean {
  return (Object.values(entry) as unknown[]).flat().every((value) => typeof value !== 'string' || value.isWellFormed())
}
