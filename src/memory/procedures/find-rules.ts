import { withoutMarks } from './clause-end.ts'
import { type Draft, spanOf, wordsOf } from './draft.ts'
import { ONE_OFF_WORDS } from './procedure-words.ts'
import { RULES } from './rule-rules.ts'
import type { Spoken } from './spoken.ts'
import { thirdPerson } from './third-person.ts'

/** What a sentence says is always, never, or under some condition to be done. What holds for one day is no rule. */
export function findRules(spoken: Spoken): Draft[] {
  const { text, tokens, head, isAside, speaker } = spoken
  if (isAside || tokens.some(({ lower }) => ONE_OFF_WORDS.has(lower))) return []
  const from = ruleStart(spoken)
  const to = withoutMarks(tokens, from, tokens.length)
  if (to - from < 2 || to - from > RULE_TOKENS_MAX) return []
  const rule = RULES.find(({ holds }) => holds({ tokens, head, from, to }))?.rule
  if (rule === undefined) return []
  const isPractice = rule === 'rule.practice'
  const statement = isPractice ? thirdPerson({ text, tokens, from, to, speaker }) : wordsOf(text, tokens, { from, to })
  return [{ rule, statement, ...spanOf(tokens, { from, to }) }]
}

/** Longer sentences explain. */
const RULE_TOKENS_MAX = 40

/** A rule's own `always` or `please` is part of it; `and`, `well` or a mark before it is not. */
function ruleStart({ tokens, head }: Spoken): number {
  let at = head
  while (at > 0 && KEPT.has(tokens[at - 1]?.lower ?? '')) at--
  return at
}

const KEPT: ReadonlySet<string> = new Set(['please', 'generally', 'usually', 'normally', 'ideally', 'no'])
