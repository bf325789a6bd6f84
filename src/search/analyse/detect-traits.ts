/** Properties of a text that questions ask for, as bits of one number. */
export const TRAITS = {
  /** A time: `yesterday`, `last May`, `2023`, `the 3rd`. */
  TIME: 1,
  /** A duration: `five years`, `since`. */
  DURATION: 2,
  /** A quantity, in digits or words. */
  NUMBER: 4,
  /** A name: a capital within a sentence, or text in quotation marks. */
  NAME: 8
} as const

/** Detects the traits of a text from its beginning. Recognises English words, and digits in any language. */
export function detectTraits(text: string): number {
  const start = text.length > UNITS_MAX ? text.slice(0, UNITS_MAX) : text
  let traits = 0
  if (TIME.test(start)) traits |= TRAITS.TIME
  if (DURATION.test(start)) traits |= TRAITS.DURATION
  if (NUMBER.test(start)) traits |= TRAITS.NUMBER
  if (NAME.test(start)) traits |= TRAITS.NAME
  return traits
}

const UNITS_MAX = 4000

const TIME = new RegExp(
  `\\b(?:${[
    'yesterday',
    'today',
    'tonight',
    'tomorrow',
    'ago',
    'last',
    'next',
    'recently',
    'lately',
    'since',
    'soon',
    'this (?:week|weekend|month|year|morning|afternoon|evening|spring|summer|fall|autumn|winter)',
    '(?:mon|tues|wednes|thurs|fri|satur|sun)days?',
    'weekends?',
    '(?:day|week|month|year)s?',
    'january',
    'february',
    'march \\d',
    'april',
    '(?:in|of|since|until|early|late) may',
    'may \\d',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
    '\\d{4}',
    '\\d{1,2}(?:st|nd|rd|th)'
  ].join('|')})\\b`,
  'i'
)

const DURATION = /\b(?:(?:second|minute|hour|day|week|month|year|decade)s?|since|a while|a long time|forever)\b/i

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|couple|few|several|both|once|twice)\b/i

/** Excludes `I` and the first word of a sentence. */
const NAME = /[\p{Ll}\p{N},;:'’"”)] (?!I\b)\p{Lu}\p{L}|["“«„][^"“”«»„]{2,60}["”»“]/u

/** Result of `gradeQuestion` for a text that ends in a question mark. */
export const ENDS_IN_QUESTION = 2

/**
 * Returns 2 for a text that ends in a question mark, 1 for one that contains a question, 0 otherwise. A long text counts
 * as a statement, even if it ends in a question.
 */
export function gradeQuestion(text: string): 0 | 1 | 2 {
  if (text.length > QUESTION_UNITS_MAX || !QUESTION.test(text)) return 0
  return QUESTION_END.test(text.slice(-TAIL_UNITS)) ? ENDS_IN_QUESTION : 1
}

/** The longest question, in UTF-16 code units. From 120 to 160, chats rank alike; 300 costs them up to four points. */
const QUESTION_UNITS_MAX = 160

/** A question mark, except in an address: a space, a closing sign or the end follows. */
const QUESTION = /[？؟⁇՞]|\?(?=[\s"'”’»)\]!?]|$)/
const QUESTION_END = /[?？؟⁇՞]["'”’»)!?\s]*$/
const TAIL_UNITS = 16

/**
 * Returns the traits that answers to an English question have, as bits (see `TRAITS`); 0 if it asks for none of them.
 */
export function detectQuestionTraits(question: string): number {
  let traits = 0
  for (const [pattern, trait] of ASKED) if (pattern.test(question)) traits |= trait
  return traits
}

const ASKED: readonly [RegExp, number][] = [
  [/\bwhen\b|\b(?:what|which) (?:date|day|week|month|year|time)\b/i, TRAITS.TIME],
  [/\bhow (?:long|often)\b/i, TRAITS.DURATION],
  [/\bhow (?:many|much)\b/i, TRAITS.NUMBER],
  [/\b(?:who|whom|whose|which|where|names?|called)\b|\bwhat (?:is|was|are|were) the title\b/i, TRAITS.NAME],
  [/\bwhat (?:city|country|place|state|town|company|street)\b/i, TRAITS.NAME]
]
