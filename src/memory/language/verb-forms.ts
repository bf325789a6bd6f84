import { IRREGULAR_VERBS } from './irregular-verbs.ts'

/**
 * The form of an English verb by its spelling. `either` is a past tense or a participle, which most verbs do not
 * distinguish.
 */
type VerbForm = 'base' | 'present' | 'past' | 'participle' | 'either' | 'ing'

/** Returns the form of a lower-case verb: `went` is past, `seen` a participle, `built` either. */
export function classifyVerbForm(lower: string): VerbForm {
  const known = IRREGULAR_FORMS.get(lower)
  if (known !== undefined) return known
  const stem = PREFIX_STARTS.has(lower.charAt(0)) ? PREFIXED.exec(lower)?.[1] : undefined
  const stemForm = stem === undefined ? undefined : IRREGULAR_FORMS.get(stem)
  // "resting" is not a second sting.
  if (stemForm !== undefined && !(stemForm === 'base' && lower.endsWith('ing'))) return stemForm
  if (lower.endsWith('ing') && lower.length > 4) return 'ing'
  if (lower.endsWith('ed') && lower.length > 3) return 'either'
  if (lower.endsWith('s') && !lower.endsWith('ss') && lower.length > 2) return 'present'
  return 'base'
}

/** Checks for a form that may be a past tense: `went`, `built`, `walked`. */
export function mayBePast(lower: string): boolean {
  const form = classifyVerbForm(lower)
  return form === 'past' || form === 'either'
}

/** "retook", "overheard". */
const PREFIX_STARTS = new Set(['r', 'o', 'u', 'm'])
const PREFIXED = /^(?:re|over|under|out|mis|un)([a-z]{3,})$/

/** Checks for a form of an irregular verb other than its base. Such words are almost always verbs. */
export function isIrregularForm(lower: string): boolean {
  const form = IRREGULAR_FORMS.get(lower)
  return form !== undefined && form !== 'base'
}

/** Checks whether a word can be a participle after `have` or `be`. */
export function mayBeParticiple(lower: string): boolean {
  const form = classifyVerbForm(lower)
  return form === 'participle' || form === 'either' || UNCHANGED.has(lower)
}

/** Returns the base form as far as spelling shows it: irregular forms by table, others by their usual endings. */
export function toVerbBase(lower: string): string {
  const known = BASES.get(lower)
  if (known !== undefined) return known
  // "need" and "focus" only look like another form.
  if (IRREGULAR_FORMS.get(lower) === 'base') return lower
  if (lower.endsWith('ing') && lower.length > 4) return restoreStem(lower.slice(0, -3))
  if (lower.endsWith('ied')) return `${lower.slice(0, -3)}y`
  if (lower.endsWith('ed') && lower.length > 3) return restoreStem(lower.slice(0, -2))
  if (lower.endsWith('ies') && lower.length > 4) return `${lower.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|zz)es$/.test(lower)) return lower.slice(0, -2)
  if (lower.endsWith('s') && !lower.endsWith('ss') && lower.length > 2) return lower.slice(0, -1)
  return lower
}

/** Verbs whose participle equals the base form: "was hit", "has put". */
const UNCHANGED = new Set(
  'become bet broadcast burst cast come cost cut forecast hit hurt let overcome put quit read run set shut split spread upset'.split(
    ' '
  )
)

/** Returns the participle of a base form: `written` for `write`, `stopped` for `stop`. */
export function toPastParticiple(base: string): string {
  const irregular = PARTICIPLES.get(base)
  if (irregular !== undefined) return irregular
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  return /^[^aeiou]*[aeiou][bdgmnpt]$/.test(base) ? `${base}${base.slice(-1)}ed` : `${base}ed`
}

/** Returns the past tense of a base form: `wrote` for `write`, `stopped` for `stop`. */
export function toPastTense(base: string): string {
  return PAST_FORMS.get(base) ?? toPastParticiple(base)
}

const PARTICIPLES = new Map<string, string>()
const PAST_FORMS = new Map<string, string>()
const IRREGULAR_FORMS = new Map<string, VerbForm>()
const BASES = new Map<string, string>([
  ["'s", 'be'],
  ["'m", 'be'],
  ["'re", 'be'],
  ['am', 'be'],
  ['is', 'be'],
  ['are', 'be'],
  ['was', 'be'],
  ['were', 'be'],
  ['been', 'be'],
  ['being', 'be'],
  ["'ve", 'have'],
  ["'d", 'would'],
  ["'ll", 'will'],
  ['has', 'have'],
  ['does', 'do'],
  ['goes', 'go'],
  ['dies', 'die'],
  ['lies', 'lie'],
  ['ties', 'tie'],
  ['dying', 'die'],
  ['lying', 'lie']
])
for (const row of IRREGULAR_VERBS.trim().split('\n')) {
  const [base = '', past = '', participle = past] = row.trim().split(' ')
  PARTICIPLES.set(base, participle.split('/')[0] ?? participle)
  PAST_FORMS.set(base, past.split('/')[0] ?? past)
  for (const form of past.split('/')) {
    IRREGULAR_FORMS.set(form, form === base ? 'base' : participle.split('/').includes(form) ? 'either' : 'past')
    BASES.set(form, base)
  }
  for (const form of participle.split('/')) {
    if (!IRREGULAR_FORMS.has(form)) IRREGULAR_FORMS.set(form, form === base ? 'base' : 'participle')
    if (form !== base) BASES.set(form, base)
  }
}
// Regular verbs whose base form the spelling does not show.
for (const [stem, base] of [
  ['postpon', 'postpone'],
  ['schedul', 'schedule'],
  ['reschedul', 'reschedule'],
  ['cancell', 'cancel']
] as const)
  for (const ending of ['ed', 'ing']) BASES.set(`${stem}${ending}`, base)
for (const word of [
  'thing',
  'bring',
  'sing',
  'ring',
  'swing',
  'sting',
  'spring',
  'string',
  'need',
  'feed',
  'bleed',
  'speed',
  'succeed',
  'proceed',
  'exceed',
  'breed',
  'heed',
  'embed',
  'focus',
  'miss',
  'pass'
])
  if (!IRREGULAR_FORMS.has(word)) IRREGULAR_FORMS.set(word, 'base')

/**
 * Restores a stem: `hop` from `hopp`, `live` from `liv`. Removes a doubled letter, or adds an e where English requires
 * it.
 */
function restoreStem(stem: string): string {
  if (/([bdgmnprt])\1$/.test(stem)) return stem.slice(0, -1)
  if (
    /(?:[aeiou][vzc]|[^aeiou][aeiou][bdgkmtsv]|[lr][vsg]|[dn]g|[iou]r|[bcdfgkpt]l|u|at|ys|nc|ns|rc)$/.test(stem) &&
    !/(?:[^aeiou]it|en|er|on|or|nt|sh)$/.test(stem)
  )
    return `${stem}e`
  return stem
}

/** Modal verbs, including the parts of contractions: `ca` of "can't", `'ll`. A base form follows. */
export const MODAL_VERBS: ReadonlySet<string> = new Set(
  "will would can could may might must should shall ca wo 'll 'd ought".split(' ')
)
