/** 2 for a text that ends in a question mark, 1 for one that asks on the way, 0 for one that does not ask. */
export function questionGrade(text: string): 0 | 1 | 2 {
  if (!QUESTION.test(text)) return 0
  return QUESTION_END.test(text.slice(-TAIL_UNITS)) ? 2 : 1
}

/** A mark of a question, not the one within an address: what follows is a space, a closing sign or the end. */
const QUESTION = /[？؟⁇՞]|\?(?=[\s"'”’»)\]!?]|$)/
const QUESTION_END = /[?？؟⁇՞]["'”’»)!?\s]*$/
const TAIL_UNITS = 16
