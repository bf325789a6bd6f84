import type { FactRecord } from '../../contract/snapshot.ts'
import { readTimes } from '../time/read-times.ts'
import type { ItemBlock, Range } from './block.ts'
import { readFieldLine } from './field-line.ts'
import { makeFact } from './make-fact.ts'
import { isKnownKey, SENTENCE_WORDS } from './read-fields.ts'
import type { Topic } from './topic.ts'

/** A text, its time in UTC, and a function that classifies its items. */
export type ListContext = { text: string; at: string | undefined; classify: ClassifyItem }

/**
 * Classifies the words of an item: a statement or an instruction has a verb, a property begins with an adjective, and
 * anything else is a name.
 */
export type ClassifyItem = (item: Range) => 'statement' | 'property' | 'name'

/** The headings above a list, see `Topic`. */
export type ListSubjects = Pick<Topic, 'words' | 'nearest' | 'above'>

/**
 * Builds the facts of a list. An item with a box is a task of its topic. Another item is a member of the set that its
 * heading names: `Guests:` above `- Ann` gives (Guests, includes, Ann), and below `Boat trip`, if the heading names an
 * attribute, (Boat trip, guests, Ann). `- Idea: a podcast` is a field of the topic. A nested item is part of the item
 * above it. Statements and steps are not members, and a sentence as heading names no set.
 */
export function buildListFacts(
  items: readonly ItemBlock[],
  subjects: ListSubjects,
  context: ListContext
): FactRecord[] {
  const parents: { depth: number; words: string }[] = []
  return items.flatMap((item) => {
    const { content, depth } = item
    const value = context.text.slice(content.start, Math.min(content.end, content.start + MEMBER_UNITS_MAX + 1))
    while ((parents.at(-1)?.depth ?? -1) >= depth) parents.pop()
    const parent = parents.at(-1)?.words.replace(LABEL_END, '')
    parents.push({ depth, words: value })
    if (item.task !== undefined) return buildTaskFacts(item, subjects, context)
    const kind = context.classify(content)
    if (kind === 'statement') return []
    if (parent !== undefined) return kind === 'name' ? buildPartFact(value, item, parent) : []
    return buildItemFact({ item, value, kind }, subjects, context)
  })
}

type NamedItem = { item: ItemBlock; value: string; kind: 'property' | 'name' }

function buildItemFact({ item, value, kind }: NamedItem, subjects: ListSubjects, context: ListContext): FactRecord[] {
  const labelled = buildLabelledFact(item, subjects, context)
  if (labelled !== undefined) return labelled
  if (!isMember(value)) return []
  return kind === 'property' ? buildPropertyFact(value, item, subjects) : buildMemberFact(value, item, subjects)
}

/** `- pegs` below `- tent` gives (tent, includes, pegs). */
function buildPartFact(value: string, span: Range, whole: string): FactRecord[] {
  if (!isSet(whole) || !isMember(value)) return []
  return makeFacts({ subject: whole, predicate: 'includes', value, rule: 'list.part', span })
}

function makeFacts(parts: Parameters<typeof makeFact>[0]): FactRecord[] {
  const fact = makeFact(parts)
  return fact === undefined ? [] : [fact]
}

function buildMemberFact(value: string, span: Range, { words: set, nearest, above }: ListSubjects): FactRecord[] {
  if (set === undefined || !isSet(set)) return []
  const title = above ?? nearest
  if (title !== undefined && title !== set && isAttribute(set))
    return makeFacts({ subject: title, predicate: set, value, rule: 'list.value', span })
  return makeFacts({ subject: set, predicate: 'includes', value, rule: 'list.member', span })
}

/** Accepts `Attendees` and `Gift ideas`: such a heading says what its items are to the topic. */
function isAttribute(set: string): boolean {
  return isKnownKey(set) || /^\p{L}{3,}[^\Ws]s$|^\p{L}{3,} \p{Ll}{3,}[^\Ws]s$/u.test(set)
}

/** `- Allergic to peanuts` below `# Mira Voss` gives (Mira Voss, is, allergic to peanuts). */
function buildPropertyFact(value: string, span: Range, { words, nearest }: ListSubjects): FactRecord[] {
  if (nearest === undefined || words !== nearest || !isSet(nearest)) return []
  const lower = value.charAt(0).toLowerCase() + value.slice(1)
  return makeFacts({ subject: nearest, predicate: 'is', value: lower, rule: 'list.property', span })
}

/**
 * `- [ ] Order tiles 📅 2026-04-01` below `# Kitchen` gives (Kitchen, open task, Order tiles) and (Order tiles, due,
 * 2026-04-01). Reads the dates of Obsidian Tasks (https://publish.obsidian.md/tasks/Reference/Task+Formats) and the
 * times of the words.
 */
function buildTaskFacts(
  { content, task, start, end }: ItemBlock,
  about: ListSubjects,
  context: ListContext
): FactRecord[] {
  const written = context.text.slice(content.start, Math.min(content.end, content.start + TASK_UNITS_MAX))
  const words = written.replace(TASK_MARKS, ' ').replace(/\s+/g, ' ').trim()
  const span = { start, end }
  const state = task === 'done' ? 'finished task' : 'open task'
  const subject = about.nearest
  const stated =
    subject === undefined || subject === words
      ? makeFacts({ subject: words, predicate: 'is', value: state, rule: 'list.task', span })
      : makeFacts({ subject, predicate: state, value: words, rule: 'list.task', span })
  const due = findDueDay(written, context.at)
  const dated =
    due === undefined ? [] : makeFacts({ subject: words, predicate: 'due', value: due, rule: 'list.due', span })
  return [...stated, ...dated]
}

const TASK_UNITS_MAX = 300

/** Dates, priorities and recurrences that Obsidian Tasks adds to the words of a task. */
const TASK_MARKS =
  /(?:[📅⏳🛫✅❌➕]\ufe0f?|\[(?:due|scheduled|start|completion|created|cancelled)::)\s*\d{4}-\d\d-\d\d\]?|[🔺⏫🔼🔽⏬]\ufe0f?|🔁[^📅⏳🛫✅➕]*|\[(?:priority|repeat)::[^\]]*\]/gu
const DUE_MARK = /(?:📅\ufe0f?|\[?due::?)\s*(\d{4}-\d\d-\d\d)/u

/** Finds the day by which a task is to be done: a marked one, or `by Friday` in its words. */
function findDueDay(written: string, at: string | undefined): string | undefined {
  const marked = DUE_MARK.exec(written)?.[1]
  if (marked !== undefined) return marked
  const times = readTimes(
    written.replace(TASK_MARKS, (mark) => ' '.repeat(mark.length)),
    { at, tense: 'future' }
  )
  const until = times.find(
    ({ start, relation }) => relation === 'until' || /\b(?:by|due|before) $/i.test(written.slice(0, start))
  )
  if (until?.precision !== 'day') return undefined
  // The end is exclusive.
  const last = until.startedAt ?? (until.endedAt && new Date(Date.parse(until.endedAt) - 1).toISOString())
  return last?.slice(0, 10)
}

/** `- Idea: a podcast about old maps` below `2026-03-05` gives (2026-03-05, idea, a podcast about old maps). */
function buildLabelledFact(
  { content, start, end }: ItemBlock,
  about: ListSubjects,
  context: ListContext
): FactRecord[] | undefined {
  const { text } = context
  const field = readFieldLine(text, content)
  if (field === undefined || field.sign !== ':') return undefined
  const predicate = text.slice(field.key.start, field.key.end)
  const words = predicate.toLowerCase().split(' ')
  const value = text.slice(field.value.start, Math.min(field.value.end, field.value.start + MEMBER_UNITS_MAX + 1))
  const isLabel = words.length <= LABEL_WORDS_MAX && !words.some((word) => SENTENCE_WORDS.has(word))
  if (about.nearest === undefined || !isLabel || value.length > MEMBER_UNITS_MAX) return []
  return makeFacts({ subject: about.nearest, predicate, value, rule: 'list.labelled', span: { start, end } })
}

const LABEL_WORDS_MAX = 3
const MEMBER_UNITS_MAX = 80
const MEMBER_WORDS_MAX = 7
const SET_WORDS_MAX = 6

/** Accepts `Guests` and `Packing list for May`, but not `How to pack`, `To pack` or `What I need`. */
function isSet(subject: string): boolean {
  const words = subject.toLowerCase().split(' ')
  if (words.length > SET_WORDS_MAX || NO_SETS.has(words[0] ?? '') || DAY.test(subject)) return false
  return words.join(' ') === 'to do' || (words[0] !== 'to' && !words.some((word) => SENTENCE_WORDS.has(word)))
}

/** Matches the heading of a diary entry, whose items are not its members. */
const DAY = /\b\d{4}-\d\d-\d\d\b|^(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i

/** Headings of steps, rules and conversation. */
const NO_SETS: ReadonlySet<string> = new Set(
  'how|steps|step|instructions|setup|installation|usage|procedure|method|directions|preparation|rules|guidelines|notes'.split(
    '|'
  )
)

/** The end of `Actions:` and `**Actions:**`. */
const LABEL_END = /[:：][*_]*$/

function isMember(words: string): boolean {
  if (words.length > MEMBER_UNITS_MAX || /[.!?。！？]$/.test(words) || LABEL_END.test(words)) return false
  return words.split(' ').length <= MEMBER_WORDS_MAX && !/^(?:i|we|you|he|she|they|it|there|this|that)\b/i.test(words)
}
