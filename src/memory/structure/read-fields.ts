import type { Block, BlockReader, ProseBlock } from './block.ts'
import { type FieldLine, readFieldLine } from './field-line.ts'
import { isBlank, readLine, readMarker, type TextLine } from './text-line.ts'

/** Reads a run of lines in the form of fields, with at most one blank line between two of them. */
export const readFields: BlockReader = ({ text, line }) => {
  const run: { line: TextLine; field: FieldLine }[] = []
  let next = line.start
  for (
    let at: TextLine | undefined = line;
    at !== undefined && run.length < RUN_LINES_MAX;
    at = readLineAfter(text, at)
  ) {
    const field = readMarker(text, at) === undefined ? readFieldLine(text, { start: at.first, end: at.end }) : undefined
    if (field === undefined) break
    run.push({ line: at, field })
    next = at.next
  }
  if (run.length === 0) return undefined
  const verdicts = classifyFields(run.map(({ field }) => toFieldText(text, field, false)))
  return { blocks: run.map(({ line: at, field }, n) => toBlock(text, { ...field, line: at }, verdicts[n])), next }
}

/** Returns the text of a field line for classification. A long value is cut, because only its length matters. */
export function toFieldText(text: string, { key, value, sign }: FieldLine, isItem: boolean): FieldText {
  const end = Math.min(value.end, value.start + JUDGED_UNITS_MAX)
  return { key: text.slice(key.start, key.end), value: text.slice(value.start, end), sign, isItem }
}

/** Maximum number of lines that are classified together. */
const RUN_LINES_MAX = 200
const JUDGED_UNITS_MAX = 400

function readLineAfter(text: string, { next }: TextLine): TextLine | undefined {
  if (next >= text.length) return undefined
  const line = readLine(text, next)
  if (!isBlank(line)) return line
  const second = line.next < text.length ? readLine(text, line.next) : line
  return isBlank(second) ? undefined : second
}

function toBlock(text: string, { key, value, sign, line }: FieldLine & { line: TextLine }, verdict?: string): Block {
  const range = { start: line.first, end: line.end }
  if (verdict === 'field') return { kind: 'field', form: sign === '=' ? 'assignment' : 'line', ...range, key, value }
  if (verdict === 'prose') return { kind: 'prose', ...range }
  const turn: ProseBlock = { kind: 'prose', start: value.start, end: value.end }
  return { ...turn, speaker: text.slice(key.start, key.end).replace(/\s+/g, ' ') }
}

/** The text of a line in the form of a field. `isItem` is true for an item of a list. */
type FieldText = { key: string; value: string; sign: ':' | '='; isItem: boolean }

/** Classes of the lines of a run: `talk` is a turn in a transcript. */
type FieldVerdict = 'field' | 'prose' | 'talk'

/**
 * Decides which of several neighbouring lines are fields. Similar lines support each other. A single line needs a key
 * that names a field (`Phone: …`), or a key of several words with a short value (`Locker code left: 4711`).
 */
export function classifyFields(run: readonly FieldText[]): FieldVerdict[] {
  if (isTalk(run)) return run.map(({ key }) => (isSpeaker(key) ? 'talk' : 'prose'))
  const likely = run.filter((line) => mayBeField(line)).length
  return run.map((line) => (mayBeField(line) && (likely > 1 || standsAlone(line)) ? 'field' : 'prose'))
}

/** Checks whether a key alone identifies a field: `Phone`, `Date of birth`, `Favourite colour`. */
export function isKnownKey(key: string): boolean {
  const lower = plainKey(key)
  if (KEY_NAMES.has(lower)) return true
  const words = lower.split(' ')
  return words.length > 1 && (KEY_NAMES.has(words.at(-1) ?? '') || (words[1] === 'of' && KEY_NAMES.has(words[0] ?? '')))
}

/** A longer value is a sentence. */
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

/** Accepts `SEAT_COUNT = 4` and `Wifi password: heron42`, but neither `Life = good` nor `Ann: hi`. */
function standsAlone({ key, value, sign, isItem }: FieldText): boolean {
  if (sign === '=') return /[_.\d]|^[A-Z]+$/.test(key) || /^[\d"'[/.-]/.test(value)
  if (isKnownKey(key)) return true
  if (wordCount(value) > LONE_VALUE_WORDS_MAX || isSentence(value)) return false
  return isItem || plainKey(key).includes(' ')
}

/**
 * Recognises a transcript: names that recur or that introduce sentences, such as `Ann: hi` above `Bob: hello, how are
 * you?`.
 */
function isTalk(run: readonly FieldText[]): boolean {
  const turns = run.filter(({ key, sign, isItem }) => sign === ':' && !isItem && isSpeaker(key))
  if (turns.length < 2 || turns.length < run.length * TURNS_SHARE) return false
  const names = new Set(turns.map(({ key }) => key))
  const sentences = turns.filter(({ value }) => isSentence(value)).length
  return names.size > 1 && (names.size <= turns.length / 2 || sentences * 2 >= turns.length)
}

const TURNS_SHARE = 0.6

/** Recognises a speaker: one to three capitalised words that name no field, or `Ann (she/her)`. */
function isSpeaker(key: string): boolean {
  const lower = plainKey(key)
  const words = key.split(' ')
  const isName = words.length <= 3 && words.every((word) => /^[\p{Lu}\p{Lo}(@]/u.test(word))
  return isName && !isKnownKey(key) && !LABELS.has(lower)
}

/**
 * Checks whether a second sentence begins in the value ("12 Pier Road. Call me when you are there") or it is a
 * paragraph.
 */
function goesOn(value: string): boolean {
  if (value.length > KNOWN_VALUE_UNITS_MAX) return true
  return wordCount(value) > LONE_VALUE_WORDS_MAX && /\p{L}{3}[.!?] \p{Lu}/u.test(value)
}

/** Checks for the end of a sentence or an opening of direct speech. */
function isSentence(value: string): boolean {
  if (/[?!。？！]$/.test(value) || value.length > VALUE_UNITS_MAX || wordCount(value) > VALUE_WORDS_MAX) return true
  if (STARTS_SENTENCE.test(value)) return wordCount(value) > 1 || /^(hi|hello|hey|thanks|sorry)$/i.test(value)
  return /[.…]$/.test(value) && wordCount(value) > 3
}

const STARTS_SENTENCE =
  /^(?:i|i['’]m|i['’]ve|i['’]ll|im|we|you|he|she|they|it['’]s|let['’]?s|there|this|that|just|please|can|could|do|don['’]t|yes|no|hi|hello|hey|ok|okay|thanks|sorry|what|why|how)(?![\p{L}\p{N}@-])/iu

/** Normalises a key for comparison: lower case, single spaces, without a final dot. */
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

/** Words that distinguish a field (`Phone: 555 0199`) from prose with a colon (`Note: see you at five`). */

/** Openers of prose: an ordinary sentence follows their colon. */
const LABELS: ReadonlySet<string> = new Set(
  [
    'note|notes|nb|n.b|ps|p.s|pps|p.p.s|fyi|btw|imo|imho|tldr|tl;dr|edit|update|updates|reminder|remember|warning|caution',
    'attention|important|urgent|disclaimer|spoiler|spoilers|hint|tip|tips|pro tip|fun fact|fact|joke|quote|example|examples',
    'question|questions|quick question|answer|q|a|re|fw|fwd|aw|wg|hello|hi|hey|dear|dear all|hi all|hey all|all|everyone|guys',
    'ok|okay|yes|no|yep|nope|wow|oh|well|so|also|plus|first|second|third|firstly|secondly|thirdly|finally|lastly|next|then',
    'side note|on a side note|bottom line|good news|bad news|great news|big news|long story short|short version|one thing',
    'another thing|one more thing|last thing|the thing is|thing is|idea|thought|thoughts|confession|rant|result|conclusion',
    'in short|in summary|in other words|to sum up|summary|case in point|for example|for instance|e.g|i.e|eg|ie|namely',
    'correction|clarification|translation|meaning|reason|problem|solution|issue|fix|plan|todo|to do|to-do|task|then again',
    'hinweis|achtung|wichtig|frage|antwort|beispiel|übrigens|attention|remarque|nota|ojo|importante|pregunta|opmerking|let op'
  ].flatMap((line) => line.split('|'))
)

/** Before a number they name a part of a text: `Chapter 3: The storm`. */
const PARTS: ReadonlySet<string> = new Set(
  (
    'chapter|section|part|figure|fig|table|appendix|day|week|month|lesson|episode|act|scene|season|phase|session|level|' +
    'point|option|exercise|round|page|book|verse|step|question|kapitel|teil|chapitre|capítulo|capitolo'
  ).split('|')
)

/** Words that make a key the beginning of a sentence: `What I mean: …`, `He said: …`. */
export const SENTENCE_WORDS: ReadonlySet<string> = new Set(
  [
    'i|you|he|she|it|we|they|me|him|us|them|this|that|these|those|here|there|who|what|why|how|when|where|which|whose',
    'is|are|was|were|am|be|been|being|do|does|did|have|has|had|will|would|can|could|shall|should|may|might|must|let|lets',
    "i'm|i've|i'll|i'd|it's|that's|what's|here's|there's|let's|don't|can't|won't|he's|she's|we're|you're|they're|didn't",
    'said|says|say|asked|asks|told|tells|replied|wrote|writes|thought|think|thinks|know|mean|means|guess|went|got|made',
    'and|but|because|if|then|so|as|following|follows|like|just|not|please|thanks|thank|sorry|dear|hello|hi|hey|oh|well'
  ].flatMap((line) => line.split('|'))
)

/** Words that name a field as the head of a key or as the whole key. */
const KEY_NAMES: ReadonlySet<string> = new Set(
  [
    'name|names|full name|first name|last name|nickname|username|user|login|password|passcode|passphrase|pin|code|token|key|id',
    'email|e-mail|mail|phone|telephone|tel|mobile|cell|fax|address|street|city|town|state|country|zip|postcode|website|web|url',
    'homepage|link|birthday|birthdate|born|date|time|day|start|end|begin|due|deadline|duration|length|location|place|venue|room',
    'where|when|who|status|priority|severity|owner|author|authors|assignee|reporter|reviewer|manager|lead|contact|organizer',
    'host|attendees|participants|team|company|employer|department|organization|organisation|job|occupation|profession|role',
    'position|title|subject|topic|type|kind|category|categories|tag|tags|label|language|languages|version|release|license',
    'licence|environment|os|platform|branch|commit|repository|repo|port|server|database|timezone|price|cost|total|subtotal|tax',
    'amount|quantity|budget|salary|currency|account|iban|bic|vat|invoice|order|reference|number|serial|model|make|brand|size',
    'color|colour|weight|height|width|depth|age|gender|sex|nationality|hometown|school|university|degree|hobbies|hobby|allergies',
    'allergy|diet|diagnosis|medication|dosage|dose|doctor|dentist|insurance|blood type|emergency contact|wifi|ssid|ip|flight',
    'gate|seat|airline|hotel|check-in|check-out|departure|arrival|destination|route|train|reservation|confirmation|booking',
    'ingredients|servings|yield|serves|calories|source|genre|director|publisher|isbn|edition|rating|score|distance|speed',
    'temperature|capacity|frequency|interval|schedule|hours|opening hours|decision|outcome|goal|scope|spouse|wife|husband',
    'vorname|nachname|telefon|handy|adresse|anschrift|straße|ort|plz|stadt|land|geburtstag|geburtsdatum|datum|uhrzeit|beginn',
    'ende|frist|zuständig|verantwortlich|autor|teilnehmer|firma|beruf|preis|summe|menge|kennwort|passwort|benutzer|farbe|größe',
    'nom|prénom|téléphone|adresse|ville|pays|anniversaire|heure|lieu|statut|responsable|auteur|entreprise|prix|montant|couleur',
    'nombre|apellido|teléfono|correo|dirección|ciudad|país|cumpleaños|fecha|hora|lugar|estado|responsable|precio|contraseña',
    'nome|cognome|telefono|indirizzo|città|paese|compleanno|ora|luogo|stato|prezzo|cor|telefone|endereço|cidade|senha|preço',
    'naam|telefoon|adres|plaats|verjaardag|tijd|prijs|wachtwoord|kleur|navn|telefon|namn|adress|imię|nazwisko|adres|miasto',
    'имя|фамилия|телефон|адрес|почта|город|страна|дата|время|место|статус|автор|цена|пароль|цвет|возраст|работа',
    '名前|氏名|電話|電話番号|住所|メール|誕生日|日時|日付|時間|場所|状態|担当|担当者|会社|価格|色|パスワード|件名',
    '姓名|名字|电话|電話|手机|地址|邮箱|生日|日期|时间|地点|状态|负责人|公司|价格|颜色|密码|年龄|职业|이름|전화|주소|생일|날짜|시간|장소'
  ].flatMap((line) => line.split('|'))
)
