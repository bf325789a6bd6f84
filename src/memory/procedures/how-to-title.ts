import { HOW_TO_HEADINGS, RULE_HEADINGS } from './procedure-words.ts'

/** Whether words announce steps: `How to reset the router`, `To bake bread`, `Recipe for rye bread`, `Installation`. */
export function isHowToTitle(words: string): boolean {
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

/** Whether words announce rules: `House rules`, `Guidelines for reviews`, `Regeln`. */
export function isRuleTitle(words: string): boolean {
  const lower = words.toLowerCase().split(/[\s,:/()-]+/)
  return lower.length <= TITLE_WORDS_MAX && lower.some((word) => RULE_HEADINGS.has(word))
}

const TITLE_WORDS_MAX = 12
