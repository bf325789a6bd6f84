import { EVALUATIONS } from '../clauses/word-classes.ts'

/** What the values of an attribute look like. `word` allows any: a status may be `broken`. */
export type ValueKind = 'name' | 'number' | 'time' | 'mail' | 'phone' | 'link' | 'word'

/**
 * Checks whether a text can be a value of an attribute. `My boss is annoying` names no boss, and `my phone is a Pixel`
 * states no number. For an unknown kind, only clear judgements and conditions are rejected.
 */
export function mayBeValue(value: string, kind: ValueKind | undefined): boolean {
  return kind === undefined ? !isJudgement(value) : LOOKS[kind](value)
}

const LOOKS: Readonly<Record<ValueKind, (value: string) => boolean>> = {
  name: isNamed,
  number: (value) => NUMBER.test(value),
  time: (value) => TIME.test(value),
  mail: (value) => /[^\s@]@[^\s@]/.test(value),
  phone: (value) => /^[+(]{0,2}\d/.test(value),
  link: (value) => /[^\s.][.:][^\s.]/.test(value),
  word: () => true
}

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|dozen)\b/i
const TIME =
  /\d|^the \p{L}+(?:st|nd|rd|th)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|easter|christmas|spring|summer|autumn|fall|winter|today|tonight|tomorrow|noon|midnight|morning|evening|week|weekend|month|quarter|year)\b/iu

/** Recognises an adjective of judgement or condition that does not modify a noun: `hard to spell`. */
function isJudgement(value: string): boolean {
  if (DEGREE.test(value)) return true
  const word = JUDGING.exec(value)?.groups?.word?.toLowerCase()
  return word !== undefined && (EVALUATIONS.has(word) || CONDITIONS.has(word) || ADJECTIVE.test(word))
}

/** Degree words, as in `too loud`. With an article a thing may follow: `quite a view`. */
const DEGREE =
  /^(?:very|so|too|really|quite|pretty|rather|extremely|incredibly|totally|completely|absolutely) (?!an? |the )/i

const JUDGING =
  /^(?<word>\p{L}{2,20})(?:$|[,;]| (?:and|but|or|to|for|at|in|on|of|with|from|than|about|because|since|when|if|as|today|now|again|lately|yet|enough|right|these|this)\b)/iu

const ADJECTIVE = /.{3}(?:ful|ous|less|ible)$/

const CONDITIONS: ReadonlySet<string> = new Set(
  `absent afraid alone angry annoyed asleep available away blocked broken clean clear closed cold complicated confusing correct
  damaged dangerous dead demanding different dirty down dry dull early empty expensive faulty fast finished free friendly full
  gone happy harsh horrible hot hungry ill impossible inactive incorrect invalid kind late lazy legal lonely long lost loud low
  mad messy missing new noisy old online offline open outdated out overdue poor private public quick quiet ready repetitive rich
  rude safe secret secure sick silly simple slow small smart soft sold sorry stolen strict stuck stupid sure temporary tired
  tiring tight ugly unavailable unclear unhappy unknown unusual upset vague warm weak wet wrong young`
    .trim()
    .split(/\s+/)
)

/** Checks for the form of a name, at least in the first letter. */
export function isNamed(value: string): boolean {
  return NAME.test(value)
}

const NAME = /^(?:[Tt]he )?["'“]?[\p{Lu}\p{N}]/u
