import { formatTime } from '../parse-iso-time.ts'

/** A value without the time at its end, and when that time begins; undefined if the words alone do not determine it. */
export type StatedTime = {
  rest: string
  from: string | undefined
  /** It has held from that time until the statement: `since`. */
  isLasting: boolean
}

/**
 * Parses the time at the end of a value: `Rome in May`, stated in June 2024, is `Rome` from the first of May 2024. `at`
 * is the time of the statement, undefined if unknown. Months and days without a year are the most recent ones before
 * it.
 */
export function parseStatedTime(value: string, at: string | undefined): StatedTime | undefined {
  if (!MAYBE.test(value)) return undefined
  const match = TAIL.exec(value)
  const { rest, preposition = '', ago, last, time = '' } = match?.groups ?? {}
  if (rest === undefined) return undefined
  const isLasting = preposition.toLowerCase() === 'since'
  if (ago !== undefined || last !== undefined) return { rest, from: parseRelative(ago ?? last ?? '', at), isLasting }
  return { rest, from: parseAbsolute(time, at), isLasting }
}

/** Cheap check of the last letters, because almost no value ends with a time. */
const MAYBE = /(?:\d(?:st|nd|rd|th)?|ago|yesterday|year|month|week|[a-z]{2}y|uary|ch|il|e|st|er)$/i

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)'
const YEAR = '(?:1[89]|20)\\d\\d'
const DAY = '(?:3[01]|[12]\\d|0?[1-9])(?:st|nd|rd|th)?'
const TIME = [
  `${YEAR}-\\d\\d(?:-\\d\\d)?`,
  YEAR,
  `${MONTH}(?:,? ${YEAR})?`,
  `${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?`,
  `${MONTH} ${DAY}(?:,? ${YEAR})?`
].join('|')
const TAIL = new RegExp(
  `^(?<rest>.{0,200}\\S),? (?:(?<preposition>in|on|since|from|as of) (?:early |mid |late )?(?<time>${TIME})` +
    '|(?<ago>(?:\\d{1,3}|an?|one|two|three|four|five|six) (?:day|week|month|year)s? ago)|(?<last>yesterday|last (?:week|month|year)))$',
  'i'
)

const NUMBERS: ReadonlyMap<string, number> = new Map(
  ['', 'one', 'two', 'three', 'four', 'five', 'six'].map((word, number) => [word, number])
)
const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 }

/** Parses `two years ago` and `last month` to the day, or to the start of the month or year. */
function parseRelative(words: string, at: string | undefined): string | undefined {
  if (at === undefined) return undefined
  const parts = words.toLowerCase().split(' ')
  if (parts[0] === 'yesterday') return subtractDays(at, 1)
  const unit = (parts[1] ?? '').replace(/s$/, '')
  const count = parts[0] === 'last' ? 1 : (NUMBERS.get(parts[0] ?? '') ?? (Number(parts[0]) || 1))
  const days = DAYS[unit]
  if (days !== undefined) return subtractDays(at, days * count)
  const date = new Date(at)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return unit === 'year' ? toStart(year - count, 0, 1) : toStart(year, month - count, 1)
}

function subtractDays(at: string, days: number): string | undefined {
  const date = new Date(at)
  return toStart(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - days)
}

/** Parses a date in words or numbers to the start of the year, month or day that it names. */
function parseAbsolute(words: string, at: string | undefined): string | undefined {
  const year = new RegExp(YEAR).exec(words)?.[0]
  const name = /[a-z]{3,}/i.exec(words.replace(/\d+(?:st|nd|rd|th)|\bof\b/gi, ' '))?.[0]
  if (name === undefined) {
    const [numbers = 0, month = 1, day = 1] = words.split('-').map(Number)
    return toStart(numbers, month - 1, day)
  }
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase())
  const day = Number(/\d{1,2}/.exec(words.replace(new RegExp(YEAR), ' '))?.[0] ?? 1)
  if (year !== undefined) return toStart(Number(year), month, day)
  if (at === undefined) return undefined
  const said = Number(at.slice(0, 4))
  const thisYear = toStart(said, month, day)
  return thisYear !== undefined && thisYear <= at ? thisYear : toStart(said - 1, month, day)
}

function toStart(year: number, month: number, day: number): string | undefined {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return formatTime(date.getTime())
}
