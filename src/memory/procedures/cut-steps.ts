import type { Token } from '../language/token.ts'
import { withoutMarks } from './clause-end.ts'
import { isImperative } from './imperative.ts'
import { NEXT_WORDS } from './procedure-words.ts'
import { headOf } from './spoken.ts'

/** A stretch of a sentence that may be one step. `isNext`: it says that it comes after another one. */
export type Step = { from: number; to: number; isStep: boolean; isNext: boolean }

/**
 * Cuts the rest of a sentence into steps: "boil the water, **then** add the salt **and** stir". A cut is made where a word
 * says that something comes next, and where another instruction begins.
 */
export function cutSteps(tokens: readonly Token[], start: number): Step[] {
  const steps: Step[] = []
  let from = start
  for (let at = start; at <= tokens.length; at++) {
    if (at < tokens.length && (at === from || !cutsHere(tokens, at))) continue
    const step = stepOf(tokens, from, at)
    if (step !== undefined) steps.push(step)
    from = at
  }
  return steps
}

/** A comma, semicolon or `and` before a step, or the word that announces one. */
function cutsHere(tokens: readonly Token[], at: number): boolean {
  const { lower = '', text = '' } = tokens[at] ?? {}
  if (text === ';' || text === '.' || text === ':') return true
  if (isNextWord(tokens, at)) return !JOINTS.has(tokens[at - 1]?.lower ?? '')
  if (!JOINTS.has(lower)) return false
  if (JOINTS.has(tokens[at - 1]?.lower ?? '')) return false
  const after = JOINTS.has(tokens[at + 1]?.lower ?? '') ? at + 2 : at + 1
  return isNextWord(tokens, after) || (tokens[after]?.tag === 'VERB' && isImperative(tokens, after))
}

const JOINTS: ReadonlySet<string> = new Set([',', 'and'])

/** `then`, `finally`, `next`, `after that` */
function isNextWord(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower ?? ''
  if (lower === 'after') return ['that', 'this'].includes(tokens[at + 1]?.lower ?? '')
  return NEXT_WORDS.has(lower) && !(lower === 'next' && tokens[at + 1]?.lower === 'to')
}

/** A stretch without the marks and the words that only order it. */
function stepOf(tokens: readonly Token[], start: number, end: number): Step | undefined {
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
  const to = withoutMarks(tokens, from, end)
  return { from, to, isNext, isStep: isImperative(tokens, headOf(tokens, from)) }
}
