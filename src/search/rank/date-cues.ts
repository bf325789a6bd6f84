/** A part of a date that a query names: a year, a month of the year, or a day of the month. */
export type DateCue = { part: 'year' | 'month' | 'day'; value: number; name: string }

/** The parts of dates in a query: `8 May 2023`, `May 8th`, `in May`, `2023-05-08`, `2023`. Each part once. */
export function dateCues(query: string): DateCue[] {
  const cues = new Map<string, DateCue>()
  const note = (part: DateCue['part'], value: number): void => {
    const name = `${part}:${value}`
    cues.set(name, { part, value, name })
  }
  for (const [, year, month, day] of query.matchAll(ISO_DATE)) {
    note('month', Number(month))
    if (day !== undefined) note('day', Number(day))
    if (year !== undefined) note('year', Number(year))
  }
  for (const found of query.matchAll(MONTH_WITH_COMPANY)) {
    const { word = '', before, after } = found.groups ?? {}
    const day = before ?? after
    if (day === undefined && !standsForMonth(query, found.index, word)) continue
    note('month', monthNumber(word))
    if (day !== undefined) note('day', Number(day))
  }
  for (const [year] of query.matchAll(YEAR)) note('year', Number(year))
  return [...cues.values()]
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const MONTH_NAMES =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
const DAY = '0?[1-9]|[12]\\d|3[01]'

const ISO_DATE = /\b(\d{4})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?\b/g
const MONTH_WITH_COMPANY = new RegExp(
  `(?:\\b(?<before>${DAY})(?:st|nd|rd|th)?(?: of)? )?\\b(?<word>${MONTH_NAMES})\\b(?:\\.? (?<after>${DAY})(?:st|nd|rd|th)?\\b(?![:\\d]))?`,
  'gi'
)
const YEAR = /\b(?:1[89]|2[01])\d\d\b/g

/** Words that are months only in company, since they are other words as well. */
const OTHER_WORDS = /^(?:may|march|mar|dec|sept?)$/i
const BEFORE_MONTH =
  /\b(?:in|on|of|since|until|till|by|before|after|during|from|to|last|next|this|early|late|mid)[ -]$/i
const YEAR_NEXT = /^,? (?:1[89]|2[01])\d\d\b/

function standsForMonth(query: string, at: number, word: string): boolean {
  if (!OTHER_WORDS.test(word)) return true
  return BEFORE_MONTH.test(query.slice(Math.max(0, at - 12), at)) || YEAR_NEXT.test(query.slice(at + word.length))
}

function monthNumber(word: string): number {
  return MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1
}
