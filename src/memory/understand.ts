import type { EventRecord, FactRecord, MemoryRecord } from '../contract/snapshot.ts'
import { findEvents } from './events/find-events.ts'
import { findNumericDates } from './events/find-numeric-dates.ts'
import { EXTRACTOR_VERSION } from './extractor-version.ts'
import { findFacts } from './facts/find-facts.ts'
import { joinAnswer } from './facts/join-answer.ts'
import { isEnglish } from './language/is-english.ts'
import { readSentences } from './language/read-sentences.ts'
import { repairTags } from './language/repair-tags.ts'
import type { TextSource } from './language/text-source.ts'
import type { Sentence } from './language/token.ts'
import { findProcedures } from './procedures/find-procedures.ts'
import { isImperative } from './procedures/is-imperative.ts'
import { blankMarkup, blankStruckText } from './structure/blank-markup.ts'
import type { Block, ItemBlock } from './structure/block.ts'
import { buildBlockFacts } from './structure/build-block-facts.ts'
import type { ClassifyItem } from './structure/build-list-facts.ts'
import { buildAnnotationFacts, findAnnotations } from './structure/find-annotations.ts'
import { findReferenceTimes } from './structure/find-reference-times.ts'
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
export function understand(given: TextSource): Understanding {
  const source = { ...given, text: blankStruckText(given.text) }
  const blocks = readBlocks(source.text)
  const times = findReferenceTimes(source, blocks)
  const spoken = { ...source, text: blankMarkup(source.text) }
  const { voices, foreign } = readText(spoken, blocks, times)
  const sentences = voices.flatMap((voice) => voice.sentences)
  const procedures = findProcedures({ source: spoken, blocks, sentences })
  const items = blocks.filter((block) => block.kind === 'item')
  const tasks = items.filter(({ task }) => task !== undefined)
  // Tasks and the steps of instructions say what is to be done, not what is so.
  const steps = items.filter((item) => item.ordered && procedures.some(({ span }) => isWithin(item, span)))
  const isClaimed = createOutsideCheck([...tasks, ...steps])
  const told = (isPerson({ source }) ? voices.filter(isPerson) : []).map((voice) => ({
    ...voice,
    facts: findFacts(voice.sentences, voice.source).filter(isClaimed)
  }))
  const classify = createItemClassifier(sentences)
  const facts = [
    ...(isPerson({ source }) ? buildBlockFacts(blocks, source, { times, classify }) : []),
    ...buildAnnotationFacts(source),
    ...told.flatMap((voice) => voice.facts),
    ...joinAnswers(voices)
  ]
  return {
    extractor: EXTRACTOR_VERSION,
    ...listFields('facts', facts),
    ...listFields('procedures', procedures),
    ...listFields(
      'events',
      [
        ...told.flatMap(findEvents),
        ...(isPerson({ source }) ? foreign : []).flatMap((stretch) => findNumericDates(spoken.text, stretch))
      ].map(createTaskMarker(tasks))
    )
  }
}

/** An uninterrupted part of a text by one speaker, with one time that relative dates refer to. */
type Voice = { source: TextSource; sentences: Sentence[] }

/** Joins answers of a transcript to their questions, also those of an assistant. */
function joinAnswers(voices: readonly Voice[]): FactRecord[] {
  const spoken = voices.map(({ source, sentences }) => ({ speaker: source.speaker, sentences }))
  return spoken.flatMap((voice, i) => {
    const before = spoken[i - 1]
    const isJoined = before !== undefined && isPerson(voices[i] as Voice)
    return (isJoined && joinAnswer(before, voice)) || []
  })
}

/** Checks that a text is not by an assistant: what it says is advice or an answer, and no statement of a person. */
function isPerson({ source }: { source: TextSource }): boolean {
  return source.speaker === undefined || !ASSISTANTS.has(source.speaker.toLowerCase())
}

/** Role names in the exports and interfaces of assistants. */
const ASSISTANTS: ReadonlySet<string> = new Set(
  'assistant|bot|chatbot|system|tool|chatgpt|gpt|gemini|copilot'.split('|')
)

type Stretch = { start: number; end: number }

/**
 * Splits a text by speaker; only a transcript has several. Only English running text is read as sentences; sections in
 * other languages are returned unread in `foreign`.
 */
function readText(
  source: TextSource,
  blocks: readonly Block[],
  times: readonly (string | undefined)[]
): { voices: Voice[]; foreign: Stretch[] } {
  const voices: Voice[] = []
  const foreign: Stretch[] = []
  let left = UNITS_MAX
  for (const [number, block] of blocks.entries()) {
    if (left <= 0) break
    const speaker = (block.kind === 'prose' || block.kind === 'item' ? block.speaker : undefined) ?? source.speaker
    const at = times[number]
    let voice = voices.at(-1)
    if (voice === undefined || voice.source.speaker !== speaker || voice.source.at !== at) {
      voice = { source: { ...source, speaker, at }, sentences: [] }
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

/** Creates a function that classifies items by the first sentence in them. */
function createItemClassifier(sentences: readonly Sentence[]): ClassifyItem {
  let byStart: Map<number, Sentence> | undefined
  return ({ start }) => {
    byStart ??= new Map(sentences.map((sentence) => [sentence.start, sentence]))
    const sentence = byStart.get(start)
    if (sentence === undefined) return 'name'
    const { tokens } = sentence
    const tags = repairTags(sentence)
    // `Swimming` and `Smoked trout` are names.
    const isVerb = (at: number) => !(at === 0 && /(?:ing|ed)$/.test(tokens[at]?.lower ?? ''))
    if (tags.some((tag, at) => (tag === 'VERB' || tag === 'AUX') && isVerb(at))) return 'statement'
    // `Call the plumber` is an instruction, `Call bell` a name.
    if (/^(?:DET|PRON|PROPN)$/.test(tags[1] ?? '') && isImperative(tokens, 0)) return 'statement'
    const isAdjective = tags[0] === 'ADJ' || ADJECTIVE.test(tokens[0]?.lower ?? '')
    return isAdjective && tags[1] === 'ADP' ? 'property' : 'name'
  }
}

/** The tagger takes many capitalised adjectives for names. */
const ADJECTIVE =
  /(?:[a-z]{3}(?:able|ible|less|ous|ful)|[a-z]{4}(?:ic|ive|al))$|^(?:good|bad|great|fond|keen|afraid|aware|proud|tired|short|late|close|new|free|open|ready)$/

function isWithin({ start, end }: Stretch, [from, to]: [number, number]): boolean {
  return from <= start && end <= to
}

/** Creates a function that accepts entries outside all of these ranges. */
function createOutsideCheck(ranges: readonly Stretch[]): (entry: Entry) => boolean {
  const ordered = [...ranges].sort((a, b) => a.start - b.start)
  return ({ span: [start, end] }) => {
    let low = 0
    for (let high = ordered.length; low < high; ) {
      const middle = (low + high) >>> 1
      if ((ordered[middle]?.start ?? 0) <= start) low = middle + 1
      else high = middle
    }
    const last = ordered[low - 1]
    return last === undefined || end > last.end
  }
}

/** Creates a function that marks a date within an open task as planned, and within a finished one as past. */
function createTaskMarker(tasks: readonly ItemBlock[]): (event: EventRecord) => EventRecord {
  return (event) => {
    const task = tasks.find(({ start, end }) => start <= event.span[0] && event.span[1] <= end)
    if (task === undefined || event.aspect === 'recurring') return event
    return { ...event, aspect: task.task === 'done' ? 'past' : 'planned' }
  }
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
  for (const value of Object.values(entry) as unknown[])
    if (Array.isArray(value) ? !value.every(isWellFormed) : !isWellFormed(value)) return false
  return true
}

function isWellFormed(value: unknown): boolean {
  return typeof value !== 'string' || value.isWellFormed()
}
