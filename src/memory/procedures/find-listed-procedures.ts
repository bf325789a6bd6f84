import type { TextSource } from '../language/text-source.ts'
import type { Sentence } from '../language/token.ts'
import type { ItemBlock } from '../structure/block.ts'
import { toPlainWords } from '../structure/topic.ts'
import { type DocumentPart, selectSentences } from './document-part.ts'
import { isImperative } from './is-imperative.ts'
import type { ProcedureDraft, ProcedureRule } from './procedure-draft.ts'
import { HOW_TO_HEADINGS, RULE_HEADINGS } from './procedure-words.ts'
import { findHead } from './spoken.ts'

/** Maximum number of steps of one how-to; further ones are omitted. */
export const STEPS_MAX = 50

/**
 * Finds how-tos and rules in one part of a text: a numbered list of instructions, a list under a title that announces
 * steps, a series of instructions below such a title, and the items of a list of rules.
 */
export function findListedProcedures(
  source: TextSource,
  part: DocumentPart,
  sentences: readonly Sentence[]
): ProcedureDraft[] {
  if (part.ranges.length > RANGES_MAX) return []
  const read = selectSentences(part.ranges, sentences)
  if (part.items.length === 0) return readUnderHeading(source, part, read)
  if (part.title !== undefined && isRuleTitle(part.title)) return readListedRules(source, part)
  const runs = splitTopRuns(part.items)
  return runs.flatMap((run) =>
    readStepList(source, { ...part, items: run }, new Map(part.items.map((item, n) => [item, read[n]])))
  )
}

/** A longer list is treated as data. */
const RANGES_MAX = 300
const STEP_UNITS_MAX = 300
const ITEM_RULE_UNITS_MAX = 200

/** Share of items that must begin with an instruction for a list to count as steps. */
const TITLED_SHARE = 0.5
const UNTITLED_SHARE = 0.6

function readStepList(
  { text, title: about }: TextSource,
  part: DocumentPart,
  read: Map<ItemBlock, Sentence[] | undefined>
): ProcedureDraft[] {
  const steps = part.items.slice(0, STEPS_MAX)
  const [first, last] = [steps[0], steps.at(-1)]
  if (first === undefined || last === undefined || steps.length < 2) return []
  const share = steps.filter((item) => isInstructing(read.get(item))).length / steps.length
  const isTitled = part.title !== undefined && isHowToTitle(part.title)
  const isCounted = first.ordered && !/^\p{L}{4}/u.test(first.marker)
  const isNamed = first.ordered && !isCounted
  const rule = chooseListRule({ isTitled, isNamed, isCounted, share })
  if (rule === undefined) return []
  const words = steps.map(({ content }) =>
    toPlainWords(text.slice(content.start, Math.min(content.end, content.start + 1_000)))
  )
  if (words.some((step) => step.length > STEP_UNITS_MAX)) return []
  const statement = toPlainWords(buildStatement(part, about) ?? words[0] ?? '')
  return [{ rule, statement, steps: words, start: part.titleRange?.start ?? first.start, end: last.end }]
}

/** Builds the statement; `Method` below `Rye bread` becomes `Rye bread: Method`. */
function buildStatement({ title, above }: DocumentPart, about: string | undefined): string | undefined {
  const whole = above ?? about
  if (title === undefined || whole === undefined || title === whole) return title ?? whole
  return title.includes(' ') ? title : `${whole}: ${title}`
}

type ListLook = { isTitled: boolean; isNamed: boolean; isCounted: boolean; share: number }

function chooseListRule({ isTitled, isNamed, isCounted, share }: ListLook): ProcedureRule | undefined {
  if (isNamed || (isTitled && (isCounted || share >= TITLED_SHARE)))
    return isTitled ? 'how-to.titled-list' : 'how-to.step-list'
  return isCounted && share >= UNTITLED_SHARE ? 'how-to.step-list' : undefined
}

function isInstructing(sentences: Sentence[] | undefined): boolean {
  const tokens = sentences?.[0]?.tokens
  return tokens !== undefined && isImperative(tokens, findHead(tokens))
}

/** Returns the items of the top level, split where the kind of list changes or the numbers restart. */
function splitTopRuns(items: readonly ItemBlock[]): ItemBlock[][] {
  const runs: ItemBlock[][] = []
  let last: ItemBlock | undefined
  for (const item of items) {
    if (item.depth > 0) continue
    const startsAnew = last === undefined || last.ordered !== item.ordered || /^\(?1[.)]/.test(item.marker)
    if (startsAnew) runs.push([])
    runs.at(-1)?.push(item)
    last = item
  }
  return runs
}

/** "How to descale the kettle" above "Fill it with vinegar. Boil it. Rinse it twice." */
function readUnderHeading(
  { text }: TextSource,
  { title, titleRange }: DocumentPart,
  read: Sentence[][]
): ProcedureDraft[] {
  if (title === undefined || titleRange === undefined || !isHowToTitle(title)) return []
  const sentences = read.flat()
  const first = sentences.findIndex(({ tokens }) => isImperative(tokens, findHead(tokens)))
  const rest = first < 0 ? [] : sentences.slice(first)
  const end = rest.findIndex(({ tokens }) => !isImperative(tokens, findHead(tokens)))
  const steps = rest.slice(0, end < 0 ? STEPS_MAX : Math.min(end, STEPS_MAX))
  const last = steps.at(-1)
  if (first > 1 || steps.length < 2 || last === undefined) return []
  const words = steps.map(({ start, end: to }) => toPlainWords(text.slice(start, to)))
  return [{ rule: 'how-to.under-heading', statement: title, steps: words, start: titleRange.start, end: last.end }]
}

/** "House rules" above "- Shoes off at the door" */
function readListedRules({ text }: TextSource, { items }: DocumentPart): ProcedureDraft[] {
  return items.slice(0, STEPS_MAX).flatMap(({ content }): ProcedureDraft[] => {
    if (content.end - content.start > ITEM_RULE_UNITS_MAX) return []
    const statement = toPlainWords(text.slice(content.start, content.end)).replace(/[.!;]$/, '')
    return statement.endsWith('?') ? [] : [{ rule: 'rule.listed', statement, start: content.start, end: content.end }]
  })
}

/**
 * Checks whether a title announces steps: `How to reset the router`, `To bake bread`, `Recipe for rye bread`,
 * `Installation`.
 */
function isHowToTitle(words: string): boolean {
  const lower = words
    .toLowerCase()
    .replace(/[:：.]$/, '')
    .split(/[\s,/()-]+/)
  if (lower.length > TITLE_WORDS_MAX || isRuleTitle(words)) return false
  const [first, second] = lower
  if (first === 'how' && (second === 'to' || second === 'i' || second === 'we')) return true
  if (first === 'to' && lower.length > 1 && second !== 'do' && second !== 'buy') return true
  if (
    (first === 'comment' || first === 'cómo' || first === 'como' || first === 'wie' || first === 'как') &&
    lower.length > 1
  )
    return true
  if (lower.some((word, at) => word === 'how' && lower[at + 1] === 'to')) return true
  return lower.some((word) => HOW_TO_HEADINGS.has(word)) || /(?:做法|步骤|步驟|手順|作り方)/.test(words)
}

/** Checks whether a title announces rules: `House rules`, `Guidelines for reviews`, `Regeln`. */
function isRuleTitle(words: string): boolean {
  const lower = words.toLowerCase().split(/[\s,:/()-]+/)
  return lower.length <= TITLE_WORDS_MAX && lower.some((word) => RULE_HEADINGS.has(word))
}

const TITLE_WORDS_MAX = 12
