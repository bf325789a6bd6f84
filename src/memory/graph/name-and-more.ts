import { statedTime } from './stated-time.ts'

/** What somebody left for good, with the time that is said of it; undefined where more is said than when and for what. */
export function whatWasLeft(value: string): string | undefined {
  const rest = statedTime(value, undefined)?.rest ?? value
  const { name, after = '' } = NAME_AND_MORE.exec(rest)?.groups ?? {}
  if (name === undefined || !(after === '' || FOR_GOOD.test(after) || isForAnother(after))) return undefined
  return `${name}${value.slice(rest.length)}`
}

/** Whether a name can be that of a place that somebody moved to: no version of a program, and no date. */
export function mayBePlace(value: string): boolean {
  return !NUMBERED.test(value) && !DATE.test(value)
}

/** Whether a name can be that of an employer, by what is said with it: nobody is joined for lunch who employs. */
export function mayBeEmployer(value: string): boolean {
  const { name, after = '' } = NAME_AND_MORE.exec(value)?.groups ?? {}
  return name === undefined || !FOR_A_WHILE.test(after)
}

/** Not `for Easter`. */
function isForAnother(after: string): boolean {
  const other = FOR_ANOTHER.exec(after)?.groups?.other
  return other !== undefined && !DATE.test(other)
}

/** Whether a value ends with a time of somebody's early life: `Rome as a child`. What was then tells little of now. */
export function isOfYouth(value: string): boolean {
  return OF_YOUTH.test(value.slice(-YOUTH_UNITS))
}

const YOUTH_UNITS = 60
const OF_YOUTH =
  / (?:as an? (?:(?:very |quite )?(?:young|little|small) )?(?:child|kid|boy|girl|baby|toddler|teen|teenager|youngster|schoolboy|schoolgirl|young man|young woman)|(?:as children|as kids|in (?:my|his|her|our|their) (?:youth|childhood|teens)))$/iu

const CAPITALS = '["“]?[\\p{Lu}\\p{N}][^\\s,;]*'
const NAME_AND_MORE = new RegExp(
  `^(?<name>(?:[Tt]he )?${CAPITALS}(?: (?:(?:of|and|the|de|da|del|van|von|der|la|le|&) ){0,2}${CAPITALS}){0,8})(?<after>.*)$`,
  'su'
)

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'
const MONTH = '(?:january|february|march|april|may|june|july|august|september|october|november|december)'
const FEAST = '(?:christmas|easter|thanksgiving|halloween|new year)'

/** `last spring`, `after ten years`. */
const FOR_GOOD = new RegExp(
  `^,? (?:for good|forever|today|(?:on |last |this )${DAY}|(?:last|this) (?:spring|summer|autumn|fall|winter|week|month|year)` +
    '|after [a-z0-9]+ (?:months|years))$',
  'i'
)

/** `for Northwind`, `to join Northwind`. */
const FOR_ANOTHER = /^ (?:for|to join) ["“]?(?<other>\p{Lu}.*)$/su

/** `Windows 11`, `Postgres 16.2`; not `Oslo 2 years ago`. */
const NUMBERED = /^(?:\p{Lu}[^\s,]* ){1,4}v?\d[\d.]*(?! ?(?:years?|months?|weeks?|days?)\b)(?=$|[ ,])/u

const DATE = new RegExp(`^(?:next |the )?(?:${DAY}|${MONTH}|${FEAST})\\b`, 'i')

/** What is done for some hours: `for lunch`, `at the bar`, `yesterday to watch a film`. */
const FOR_A_WHILE = new RegExp(
  `(?:^| )(?:for|at|with|during|while|via|over|to (?!work|lead|head|run|build|become)|on (?!\\d|the \\d|${DAY}|${MONTH})) ?\\S`,
  'i'
)
