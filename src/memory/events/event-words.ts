import { splitWords } from '../language/split-words.ts'

/** Words by which a clause shows what it claims, in lower case. */

/** What they stand in is not said to be so. */
export const UNREAL_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    would, could, might, should, ought, can, ca, maybe, perhaps, possibly, supposed, supposedly, wish,
    wishes, wished, hope, hopes, hoping, hoped, want, wants, wanted, wanting, wanna, dream, dreamed,
    imagine, imagining, suppose, pretend, wonder, wondering, consider, considering, almost
  `)
)

/** What stands with one of them is supposed; of the rest of the sentence only what is told of the past is not. */
export const CONDITIONS: ReadonlySet<string> = new Set(['if', 'unless', 'whether', 'lest', 'suppose', 'assuming'])

export const NEGATIONS: ReadonlySet<string> = new Set(
  splitWords(`
    not, n't, n’t, never, nobody, nothing, none, neither, nor, hardly, barely, without, cannot
  `)
)

/** What is thought or told is less sure than what is said outright. */
export const OPINION_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    think, thinks, thought, guess, believe, believes, heard, probably, apparently, seems, allegedly
  `)
)

export const SUBJECT_PRONOUNS: ReadonlySet<string> = new Set(['i', 'we', 'you', 'he', 'she', 'they', 'it'])

/** Words that open a clause of their own when a subject and a verb follow. */
export const CLAUSE_OPENERS: ReadonlySet<string> = new Set([
  ...splitWords(`
    and, but, so, or, because, although, though, while, when, whenever, whereas, since, after, before,
    until, as, which, where, that, if, unless, whether
  `),
  ','
])

/** After one of these a subject begins a clause of its own without `that`. */
export const REPORTS: ReadonlySet<string> = new Set(
  splitWords(`
    know, think, thought, said, say, guess, believe, heard, realized, remember, mean, told, swear,
    glad, happy, excited, sad, sorry, hope, remembered, noticed, learned, mentioned
  `)
)

/** Marks that end a clause wherever they stand. */
export const CLAUSE_ENDS: ReadonlySet<string> = new Set([';', ':', '–', '—', '…', '...', '!', '.'])

/** A clause that begins so only says when another one happened. */
export const WHEN_WORDS: ReadonlySet<string> = new Set(
  splitWords(`
    when, whenever, while, since, after, before, until, because, as, which, where, that, although
  `)
)

/** Openings of a statement that say nothing of what happened. */
export const FILLERS: ReadonlySet<string> = new Set([
  ...splitWords(`
    and, but, so, or, also, well, oh, anyway, plus, actually, yeah, yes, yep, hey, hi, wow, okay, ok,
    thanks, thank, haha, lol, btw, guess, because, although, though, that, which, just
  `),
  ','
])

/** What is told of with one of these in the present tense is a habit. */
export const HABIT_WORDS: ReadonlySet<string> = new Set([
  'usually',
  'often',
  'always',
  'typically',
  'normally',
  'generally',
  'sometimes',
  'regularly'
])

/** Verbs whose present tense is often of what is to come: "the train leaves on Monday". */
export const TIMETABLE_VERBS: ReadonlySet<string> = new Set(
  splitWords(`
    arrive, be, begin, close, come, depart, end, expire, finish, fly, get, go, happen, have, land,
    launch, leave, meet, move, open, play, resume, retire, return, run, start, take, travel, turn
  `)
)

/** What was done with these `to`, `for` or `until` a time is of a time to come: "the deadline was extended to April". */
export const SCHEDULING_VERBS: ReadonlySet<string> = new Set(
  splitWords(`
    book, delay, extend, invite, move, plan, postpone, push, register, reschedule, reserve, schedule,
    set, shift, sign
  `)
)
