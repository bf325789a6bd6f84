import type { Tense } from './time-expression.ts'

/**
 * Whether a piece of text looks ahead or back, as far as single words tell: enough to say which Friday is meant. Who
 * has tagged words knows better.
 */
export function tenseOf(text: string): Tense | undefined {
  if (AHEAD.test(text)) return 'future'
  return BACK.test(text) ? 'past' : undefined
}

const AHEAD =
  /\b(?:will|won['’]t|shall|going to|gonna|plan(?:s|ned|ning)? (?:to|on|for)|looking forward|can['’]t wait|upcoming|scheduled|about to|let['’]s|due|deadline|hop(?:e|ing) to|see you)\b|['’]ll\b/i

const BACK =
  /\b(?:was|were|had|did|didn['’]t|went|got|made|took|came|saw|met|gave|found|left|bought|ate|began|won|lost|told|said|felt|ran|wrote|(?!(?:n|f|s|w|sp|ind|br|exc|proc|succ)eed\b|hundred\b)[a-z]{2,}ed)\b/i
