import { splitWords } from '../language/split-words.ts'

/** Words that show whether and how a clause claims its content, in lower case. */

/** Words whose clause does not claim that its content is true. */
export const UNREAL_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    would, could, might, should, ought, can, ca, maybe, perhaps, possibly, supposed, supposedly, wish,
    wishes, wished, hope, hopes, hoping, hoped, want, wants, wanted, wanting, wanna, dream, dreamed,
    imagine, imagining, suppose, pretend, wonder, wondering, consider, considering, almost
  `)
)

/**
 * Words that make their clause hypothetical. In the other clauses of the sentence, only the past tense still claims.
 */
export const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'whether', 'lest', 'suppose', 'assuming'])

export const NEGATIONS: ReadonlySet<string> = new Set(
  splitWords(`
    not, n't, n’t, never, nobody, nothing, none, neither, nor, hardly, barely, without, cannot
  `)
)

/** Words of opinion and hearsay, which lower the confidence. */
export const OPINION_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    think, thinks, thought, guess, believe, believes, heard, probably, apparently, seems, allegedly
  `)
)

export const SUBJECT_PRONOUNS: ReadonlySet<string> = new Set(['i', 'we', 'you', 'he', 'she', 'they', 'it'])

/** Pronouns and owners of the person who speaks. */
export const SPEAKERS: ReadonlySet<string> = new Set(['i', 'we', 'my', 'our', 'me', 'us'])

/** Auxiliaries of the future. */
export const FUTURE_HELPERS: ReadonlySet<string> = new Set(['will', "'ll", '’ll', 'shall', 'gonna', 'wo'])

/** Pronouns that are an object. */
export const OBJECTS: ReadonlySet<string> = new Set(['me', 'us', 'you', 'him', 'her', 'them'])

/** Words that open a clause if a subject and a verb follow. */
export const CLAUSE_OPENERS: ReadonlySet<string> = new Set([
  ...splitWords(`
    and, but, so, or, because, although, though, while, when, whenever, whereas, since, after, before,
    until, as, which, where, that, if, unless, whether
  `),
  ','
])

/** Verbs of reporting, after which a clause can start without `that`. */
export const REPORTS: ReadonlySet<string> = new Set(
  splitWords(`
    know, think, thought, said, say, guess, believe, heard, realized, remember, mean, told, swear,
    glad, happy, excited, sad, sorry, hope, remembered, noticed, learned, mentioned
  `)
)

/** Marks that end a clause wherever they occur. */
export const CLAUSE_ENDS: ReadonlySet<string> = new Set([';', ':', '–', '—', '…', '...', '!', '.'])

/** Openers of clauses that only state when another event happened. */
export const WHEN_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    when, whenever, while, since, after, before, until, because, as, which, where, that, although
  `)
)

/** Pronouns that open a relative clause. */
export const RELATIVES: ReadonlySet<string> = new Set(['which', 'that', 'who'])

/** Openers that add nothing to a statement. */
export const FILLERS: ReadonlySet<string> = new Set([
  ...splitWords(`
    and, but, so, or, also, well, oh, anyway, plus, actually, yeah, yes, yep, hey, hi, wow, okay, ok,
    thanks, thank, haha, lol, btw, guess, because, although, though, that, which, just, then
  `),
  ','
])

/** Words that make a clause in the present tense a habit. */
export const HABIT_WORDS: ReadonlySet<string> = new Set([
  'usually',
  'often',
  'always',
  'typically',
  'normally',
  'generally',
  'sometimes',
  'regularly',
  'consistently'
])

/** Verbs whose present tense often refers to the future: "the train leaves on Monday". */
export const TIMETABLE_VERBS: ReadonlySet<string> = new Set(
  splitWords(`
    arrive, be, begin, close, come, depart, end, expire, finish, fly, get, go, happen, have, land,
    launch, leave, meet, move, open, play, resume, retire, return, run, start, take, travel, turn
  `)
)

/** Verbs whose progressive form with a time announces a plan: "I'm going today". */
export const MOTION_VERBS: ReadonlySet<string> = new Set(
  splitWords('go, come, leave, fly, travel, drive, move, arrive, return')
)

/** Verbs that begin a habit: "I'll start with weekly checks" plans it. */
export const BEGINNING_VERBS: ReadonlySet<string> = new Set(splitWords('start, begin, resume, try'))

/** Verbs whose present tense says nothing about when their object happens: "I'm thinking about the exam on 9 May". */
export const THINKING_VERBS: ReadonlySet<string> = new Set(
  splitWords(
    'think, wonder, consider, worry, reflect, try, struggle, feel, discuss, debate, gear, prepare, believe, guess'
  )
)

/** States of mind, which say nothing about when their object happens: "I'm worried about the exam on 9 May". */
export const MOODS: ReadonlySet<string> = new Set(
  splitWords(`
    worried, stressed, nervous, excited, anxious, confident, curious, concerned, happy, sad, glad, proud, motivated,
    frustrated, unsure, afraid, overwhelmed, thrilled, grateful, stuck, confused
  `)
)

/**
 * Verbs that, in the past tense with `to`, `for` or `until`, schedule a future time: "the deadline was extended to
 * April".
 */
export const SCHEDULING_VERBS: ReadonlySet<string> = new Set(
  splitWords(`
    book, delay, extend, invite, move, plan, postpone, push, register, reschedule, reserve, schedule,
    set, shift, sign
  `)
)
