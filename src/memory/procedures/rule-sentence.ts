import type { Token } from '../language/token.ts'

/** A sentence whose first word that counts is token `head`; a rule in it would begin at `from` and end before `to`. */
export type RuleSentence = { tokens: readonly Token[]; head: number; from: number; to: number }
