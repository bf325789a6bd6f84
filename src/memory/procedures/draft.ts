import type { ProcedureRecord } from '../../contract/snapshot.ts'
import type { Token } from '../language/token.ts'
import { PROCEDURE_CONFIDENCE, type ProcedureRule } from './procedure-confidence.ts'

/** A procedure that a rule found: its statement, and the tokens it came from. */
export type Draft = { rule: ProcedureRule; statement: string; start: number; end: number; steps?: string[] }

/** In UTF-16 code units: longer statements are texts. */
const STATEMENT_UNITS_MAX = 400
const STATEMENT_UNITS_MIN = 5

/** The record of a draft; undefined where its statement is too short or long to be one. */
export function procedureOf({ rule, statement, start, end, steps }: Draft): ProcedureRecord | undefined {
  if (statement.length > STATEMENT_UNITS_MAX || statement.length < STATEMENT_UNITS_MIN) return undefined
  const kind = rule.startsWith('how-to') ? 'how_to' : rule.startsWith('preference') ? 'preference' : 'rule'
  const record: ProcedureRecord = { kind, statement, rule, span: [start, end], confidence: PROCEDURE_CONFIDENCE[rule] }
  return steps === undefined ? record : { ...record, steps }
}

/** The text from one token to before another, in one line. */
export function wordsOf(text: string, tokens: readonly Token[], { from, to }: { from: number; to: number }): string {
  const start = tokens[from]?.start ?? 0
  return text.slice(start, tokens[to - 1]?.end ?? start).replace(/\s+/g, ' ')
}

/** The span of tokens. */
export function spanOf(
  tokens: readonly Token[],
  { from, to }: { from: number; to: number }
): { start: number; end: number } {
  const start = tokens[from]?.start ?? 0
  return { start, end: tokens[to - 1]?.end ?? start }
}
