import { KEY_NAMES, LABELS, PARTS, SENTENCE_WORDS } from './field-words.ts'

/** A line that has the shape of a field, by its words. `isItem`: it stands in a list. */
export type FieldText = { key: string; value: string; sign: ':' | '='; isItem: boolean }

/** What the lines of a run are: `talk` is somebody's turn of a written-down talk. */
export type FieldVerdict = 'field' | 'prose' | 'talk'

/**
 * Says of neighbouring lines which are fields. Several that look alike vouch for each other; a line alone must have a key
 * that names a field (`Phone: …`), or one of several words with a short value (`Locker code left: 4711`).
 */
export function judgeFields(run: readonly FieldText[]): FieldVerdict[] {
  if (isTalk(run)) return run.map(({ key }) => (isSpeaker(key) ? 'talk' : 'prose'))
  const likely = run.filter((line) => mayBeField(line)).length
  return run.map((line) => (mayBeField(line) && (likely > 1 || standsAlone(line)) ? 'field' : 'prose'))
}

/** Whether a key names a field by itself: `Phone`, `Date of birth`, `Favourite colour`. */
export function isKnownKey(key: string): boolean {
  const lower = plainKey(key)
  if (KEY_NAMES.has(lower)) return true
  const words = lower.split(' ')
  return words.length > 1 && (KEY_NAMES.has(words.at(-1) ?? '') || (words[1] === 'of' && KEY_NAMES.has(words[0] ?? '')))
}

/** Longer values are sentences. */
const VALUE_WORDS_MAX = 16
const VALUE_UNITS_MAX = 200
const KNOWN_VALUE_UNITS_MAX = 250
const LONE_VALUE_WORDS_MAX = 6

function mayBeField({ key, value, sign }: FieldText): boolean {
  const words = plainKey(key).split(' ')
  if (sign === '=') return wordCount(value) <= VALUE_WORDS_MAX
  if (LABELS.has(words.join(' ')) || (words.length === 2 && PARTS.has(words[0] ?? '') && isNumber(words[1])))
    return false
  if (words.some((word) => word === 'to' || SENTENCE_WORDS.has(word)) && !KEY_NAMES.has(words.join(' '))) return false
  return isKnownKey(key) ? !goesOn(value) : !isSentence(value)
}

/** `SEAT_COUNT = 4` or `Wifi password: heron42`, but neither `Life = good` nor `Ann: hi`. */
function standsAlone({ key, value, sign, isItem }: FieldText): boolean {
  if (sign === '=') return /[_.\d]|^[A-Z]+$/.test(key) || /^[\d"'[/.-]/.test(value)
  if (isKnownKey(key)) return true
  if (wordCount(value) > LONE_VALUE_WORDS_MAX || isSentence(value)) return false
  return isItem || plainKey(key).includes(' ')
}

/** `Ann: hi` above `Bob: hello, how are you?`: names that come again, or that say sentences. */
function isTalk(run: readonly FieldText[]): boolean {
  const turns = run.filter(({ key, sign, isItem }) => sign === ':' && !isItem && isSpeaker(key))
  if (turns.length < 2 || turns.length < run.length * TURNS_SHARE) return false
  const names = new Set(turns.map(({ key }) => key))
  const sentences = turns.filter(({ value }) => isSentence(value)).length
  return names.size > 1 && (names.size <= turns.length / 2 || sentences * 2 >= turns.length)
}

const TURNS_SHARE = 0.6

/** One to three words with capitals that name no field: a person, or `Ann (she/her)`. */
function isSpeaker(key: string): boolean {
  const lower = plainKey(key)
  const words = key.split(' ')
  const isName = words.length <= 3 && words.every((word) => /^[\p{Lu}\p{Lo}(@]/u.test(word))
  return isName && !isKnownKey(key) && !LABELS.has(lower)
}

/** "12 Pier Road. Call me when you are there": a second sentence begins in it, or it is a whole paragraph. */
function goesOn(value: string): boolean {
  if (value.length > KNOWN_VALUE_UNITS_MAX) return true
  return wordCount(value) > LONE_VALUE_WORDS_MAX && /\p{L}{3}[.!?] \p{Lu}/u.test(value)
}

/** Ends like a sentence, or begins as people speak. */
function isSentence(value: string): boolean {
  if (/[?!。？！]$/.test(value) || value.length > VALUE_UNITS_MAX || wordCount(value) > VALUE_WORDS_MAX) return true
  if (STARTS_SENTENCE.test(value)) return wordCount(value) > 1 || /^(hi|hello|hey|thanks|sorry)$/i.test(value)
  return /[.…]$/.test(value) && wordCount(value) > 3
}

const STARTS_SENTENCE =
  /^(?:i|i['’]m|i['’]ve|i['’]ll|im|we|you|he|she|they|it['’]s|let['’]?s|there|this|that|just|please|can|could|do|don['’]t|yes|no|hi|hello|hey|ok|okay|thanks|sorry|what|why|how)(?![\p{L}\p{N}@-])/iu

/** As words are compared: lower case, single spaces, without a closing dot. */
function plainKey(key: string): string {
  return key.toLowerCase().replace(/’/g, "'").replace(/\s+/g, ' ').replace(/\.$/, '').trim()
}

function wordCount(value: string): number {
  let count = 0
  for (let at = 0; at < value.length && count <= VALUE_WORDS_MAX; at++)
    if (value.charCodeAt(at) > 0x20 && (at === 0 || value.charCodeAt(at - 1) <= 0x20)) count++
  return count
}

function isNumber(word: string | undefined): boolean {
  return word !== undefined && /^(\d+|[ivx]+)$/.test(word)
}
