/** How sure a procedure of each rule is: the share of such procedures that a reader would call so. */
export const PROCEDURE_CONFIDENCE = {
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
