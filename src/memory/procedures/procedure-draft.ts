import type { ProcedureRecord } from '../../contract/snapshot.ts'
import type { Token } from '../language/token.ts'

/** A procedure that a rule found: its statement, and the range it came from. */
export type ProcedureDraft = { rule: ProcedureRule; statement: string; start: number; end: number; steps?: string[] }

/** In UTF-16 code units. A longer statement is a text. */
const STATEMENT_UNITS_MAX = 400
const STATEMENT_UNITS_MIN = 5

/** Converts a draft to a record; undefined if its statement is too short or too long. */
export function toProcedureRecord({ rule, statement, start, end, steps }: ProcedureDraft): ProcedureRecord | undefined {
  if (statement.length > STATEMENT_UNITS_MAX || statement.length < STATEMENT_UNITS_MIN) return undefined
  const kind = rule.startsWith('how-to') ? 'how_to' : rule.startsWith('preference') ? 'preference' : 'rule'
  const record: ProcedureRecord = { kind, statement, rule, span: [start, end], confidence: PROCEDURE_CONFIDENCE[rule] }
  return steps === undefined ? record : { ...record, steps }
}

/** Returns the text from one token to before another, as one line. */
export function joinWords(text: string, tokens: readonly Token[], { from, to }: { from: number; to: number }): string {
  const start = tokens[from]?.start ?? 0
  return text.slice(start, tokens[to - 1]?.end ?? start).replace(/\s+/g, ' ')
}

/** Computes the span of a range of tokens. */
export function computeSpan(
  tokens: readonly Token[],
  { from, to }: { from: number; to: number }
): { start: number; end: number } {
  const start = tokens[from]?.start ?? 0
  return { start, end: tokens[to - 1]?.end ?? start }
}

/** Confidence of each rule: the share of its procedures that a reader would confirm. */
const PROCEDURE_CONFIDENCE = {
  'how-to.step-list': 0.85,
  'how-to.titled-list': 0.9,
  'how-to.sequence': 0.8,
  'how-to.purpose': 0.8,
  'how-to.under-heading': 0.75,
  'preference.prefer': 0.9,
  'preference.rather': 0.7,
  'preference.liking': 0.85,
  'preference.liking-of-the': 0.6,
  'preference.aversion': 0.75,
  'preference.favourite': 0.85,
  'preference.habit': 0.7,
  'preference.lasting': 0.75,
  'preference.of-another': 0.75,
  'rule.always': 0.85,
  'rule.never': 0.85,
  'rule.do-not': 0.65,
  'rule.condition': 0.7,
  'rule.trailing-condition': 0.5,
  'rule.modal': 0.7,
  'rule.remember': 0.55,
  'rule.forbidden': 0.7,
  'rule.policy': 0.75,
  'rule.practice': 0.65,
  'rule.listed': 0.75
} as const

export type ProcedureRule = keyof typeof PROCEDURE_CONFIDENCE
