import type { Token } from '../language/token.ts'
import { classifyVerbForm } from '../language/verb-forms.ts'
import { trimMarks } from './find-clause-end.ts'
import { isImperative } from './is-imperative.ts'
import { computeSpan, joinWords, type ProcedureDraft } from './procedure-draft.ts'
import { NEXT_WORDS } from './procedure-words.ts'
import { findHead, type Spoken } from './spoken.ts'

/**
 * Finds how-tos in running sentences: "First boil the water, then add the salt. Finally turn off the heat." and "To
 * open the gate, lift the bolt and pull." A report of what was done once (`first we boiled …`) is excluded.
 */
export function findSpokenProcedures(sentences: readonly Spoken[]): ProcedureDraft[] {
  const drafts: ProcedureDraft[] = []
  for (let at = 0; at < sentences.length; ) {
    const sentence = sentences[at]
    if (sentence === undefined) break
    const told = sentence.isAside ? undefined : readSequence(sentences, at)
    const draft = told?.draft ?? (sentence.isAside ? undefined : readPurpose(sentence))
    if (draft !== undefined) drafts.push(draft)
    at = Math.max(told?.next ?? 0, at + 1)
  }
  return drafts
}

const SEQUENCE_SENTENCES_MAX = 20

/** Reads "First …, then …. Finally …": from the sentence with `first`, while instructions follow. */
function readSequence(sentences: readonly Spoken[], at: number): { draft: ProcedureDraft; next: number } | undefined {
  const opening = sentences[at]
  const start = opening === undefined ? undefined : findSequenceStart(opening)
  if (opening === undefined || start === undefined) return undefined
  const { steps, next } = readSteps(sentences, at, start)
  const last = steps.at(-1)
  if (steps.length < 2 || last === undefined || !steps.slice(1).some(({ isNext }) => isNext)) return undefined
  const words = steps.map(({ of, from, to }) => joinWords(of.text, of.tokens, { from, to }))
  const aim = readAim(opening) ?? readTitleBefore(sentences[at - 1], opening)
  const span = { start: aim?.start ?? opening.tokens[0]?.start ?? 0, end: computeSpan(last.of.tokens, last).end }
  return {
    draft: { rule: 'how-to.sequence', statement: aim?.words ?? formatSentence(opening), steps: words, ...span },
    next
  }
}

function formatSentence({ text, tokens }: Spoken): string {
  return joinWords(text, tokens, { from: 0, to: trimMarks(tokens, 0, tokens.length) })
}

type ToldStep = Step & { of: Spoken }

/** Reads the instructions from token `start` of a sentence through the sentences of its paragraph. */
function readSteps(sentences: readonly Spoken[], at: number, start: number): { steps: ToldStep[]; next: number } {
  const steps: ToldStep[] = []
  for (let next = at; next < at + SEQUENCE_SENTENCES_MAX; next++) {
    const spoken = sentences[next]
    if (spoken === undefined || spoken.isAside || spoken.range !== sentences[at]?.range) return { steps, next }
    const cut = splitSteps(spoken.tokens, next === at ? start : 0)
    const end = cut.findIndex(({ isStep }) => !isStep)
    for (const step of end < 0 ? cut : cut.slice(0, end)) steps.push({ ...step, of: spoken })
    if (end >= 0) return { steps, next }
  }
  return { steps, next: at + SEQUENCE_SENTENCES_MAX }
}

/** Returns the token after `first`, which may follow `To …,`. */
function findSequenceStart({ tokens }: Spoken): number | undefined {
  const comma = tokens[0]?.lower === 'to' ? tokens.findIndex(({ text }) => text === ',') + 1 : 0
  const word = tokens[comma]?.lower
  if (word === 'first' || word === 'firstly') {
    const isAll = tokens[comma + 1]?.lower === 'of' && tokens[comma + 2]?.lower === 'all'
    return comma + (isAll ? 3 : 1)
  }
  const isStart = (word === 'start' || word === 'begin') && tokens[comma + 1]?.lower === 'by'
  return isStart ? comma + 2 : undefined
}

/** "**To open the gate**, lift the bolt and pull." */
function readPurpose(spoken: Spoken): ProcedureDraft | undefined {
  const aim = readAim(spoken)
  if (aim === undefined) return undefined
  const { tokens, text } = spoken
  const steps = splitSteps(tokens, aim.next)
  if (steps.length === 0 || !steps.every(({ isStep }) => isStep)) return undefined
  const to = trimMarks(tokens, 0, tokens.length)
  const words = steps.map(({ from, to: end }) => joinWords(text, tokens, { from, to: end }))
  return {
    rule: 'how-to.purpose',
    statement: joinWords(text, tokens, { from: aim.from, to }),
    steps: words,
    ...computeSpan(tokens, { from: aim.from, to })
  }
}

type Aim = { words: string; start: number; from: number; next: number }

/**
 * Reads `To open the gate`, `In order to …` or `If you want to …` at the start of a sentence, and what follows its
 * comma.
 */
function readAim({ tokens, text, head: from }: Spoken): Aim | undefined {
  const to = findAimVerb(tokens, from)
  if (to === undefined) return undefined
  const comma = tokens.findIndex(({ text: sign }, at) => at > to && sign === ',')
  const verb = tokens[to]
  if (verb === undefined || comma < 0 || comma + 1 >= tokens.length || NO_AIMS.has(verb.lower)) return undefined
  if (classifyVerbForm(verb.lower) !== 'base' || verb.tag === 'DET' || verb.tag === 'PRON' || verb.tag === 'PROPN')
    return undefined
  const must = tokens[comma + 1]?.lower === 'you' && MUST.has(tokens[comma + 2]?.lower ?? '')
  const next = must ? skipMust(tokens, comma + 2) : comma + 1
  const isFirst = tokens[next]?.lower === 'first'
  if (!isFirst && !isImperative(tokens, findHead(tokens, next))) return undefined
  return { words: joinWords(text, tokens, { from, to: comma }), start: tokens[from]?.start ?? 0, from, next }
}

/** Verbs of idioms that state no aim: "to be honest, …", "to tell you the truth, …". */
const NO_AIMS: ReadonlySet<string> = new Set(
  'be|tell|say|start|begin|sum|summarize|clarify|recap|conclude|my|me|us|you'.split('|')
)
const MUST: ReadonlySet<string> = new Set(['must', 'should', 'need', 'have', 'can'])

function skipMust(tokens: readonly Token[], at: number): number {
  return tokens[at + 1]?.lower === 'to' ? at + 2 : at + 1
}

/** Returns the verb of the aim. */
function findAimVerb(tokens: readonly Token[], from: number): number | undefined {
  const words = tokens.slice(from, from + 4).map(({ lower }) => lower)
  if (words[0] === 'to') return from + 1
  if (words[0] === 'in' && words[1] === 'order' && words[2] === 'to') return from + 3
  return words[0] === 'if' && words[1] === 'you' && words[2] === 'want' && words[3] === 'to' ? from + 4 : undefined
}

/** Reads the sentence that introduces the steps: "Here is how to prune roses." */
function readTitleBefore(before: Spoken | undefined, first: Spoken): Aim | undefined {
  if (before === undefined || before.isAside || before.tokens.length > TITLE_TOKENS_MAX) return undefined
  const gap = (first.tokens[0]?.start ?? 0) - (before.tokens.at(-1)?.end ?? 0)
  const how = before.tokens.findIndex(({ lower }, at) => lower === 'how' && before.tokens[at + 1]?.lower === 'to')
  const isTo = before.tokens[0]?.lower === 'to' && before.tokens.at(-1)?.text === ':'
  const from = isTo ? 0 : how
  if (from < 0 || gap > GAP_UNITS_MAX) return undefined
  const to = trimMarks(before.tokens, from, before.tokens.length)
  const start = before.tokens[from]?.start ?? 0
  return { words: joinWords(before.text, before.tokens, { from, to }), start, from, next: to }
}

const TITLE_TOKENS_MAX = 24
const GAP_UNITS_MAX = 8

/** A part of a sentence that may be one step. `isNext` is true if it says that it follows another one. */
type Step = { from: number; to: number; isStep: boolean; isNext: boolean }

/**
 * Splits the rest of a sentence into steps: "boil the water, **then** add the salt **and** stir". A step begins at a
 * word such as `then` and wherever another instruction begins.
 */
function splitSteps(tokens: readonly Token[], start: number): Step[] {
  const steps: Step[] = []
  let from = start
  for (let at = start; at <= tokens.length; at++) {
    if (at < tokens.length && (at === from || !isStepBoundary(tokens, at))) continue
    const step = toStep(tokens, from, at)
    if (step !== undefined) steps.push(step)
    from = at
  }
  return steps
}

/** Recognises a comma, semicolon or `and` before a step, or the word that announces one. */
function isStepBoundary(tokens: readonly Token[], at: number): boolean {
  const { lower = '', text = '' } = tokens[at] ?? {}
  if (text === ';' || text === '.' || text === ':') return true
  if (isNextWord(tokens, at)) return !JOINTS.has(tokens[at - 1]?.lower ?? '')
  if (!JOINTS.has(lower)) return false
  if (JOINTS.has(tokens[at - 1]?.lower ?? '')) return false
  const after = JOINTS.has(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1
  return isNextWord(tokens, after) || (tokens[after]?.tag === 'VERB' && isImperative(tokens, after))
}

const JOINTS: ReadonlySet<string> = new Set([',', 'and'])

/** Recognises `then`, `finally`, `next`, `after that`. */
function isNextWord(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower ?? ''
  if (lower === 'after') return ['that', 'this'].includes(tokens[at + 1]?.lower ?? '')
  return NEXT_WORDS.has(lower) && !(lower === 'next' && tokens[at + 1]?.lower === 'to')
}

/** Returns a part without its marks and ordering words. */
function toStep(tokens: readonly Token[], start: number, end: number): Step | undefined {
  let from = start
  let isNext = false
  for (; from < end; from++) {
    const token = tokens[from]
    if (token === undefined) break
    if (isNextWord(tokens, from)) isNext = true
    else if (isNext && (token.lower === 'that' || token.lower === 'this') && tokens[from - 1]?.lower === 'after')
      continue
    else if (token.tag !== 'PUNCT' && !JOINTS.has(token.lower) && token.lower !== 'you') break
  }
  if (from >= end) return undefined
  const to = trimMarks(tokens, from, end)
  return { from, to, isNext, isStep: isImperative(tokens, findHead(tokens, from)) }
}
