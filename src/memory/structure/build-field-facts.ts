import type { FactRecord } from '../../contract/snapshot.ts'
import type { FieldBlock } from './block.ts'
import { type FactRule, makeFact } from './make-fact.ts'
import { isKnownKey } from './read-fields.ts'

/** The possible subjects of fields: the topic above them or the title, and the speaker for `my phone: …`. */
export type FieldSubject = { topic: string | undefined; speaker: string | undefined }

/**
 * Builds the facts of a run of fields. The subject is the thing that the run names (`Name: Ada Pell`), otherwise its
 * topic. A key can contain its own subject (`Ada's birthday: 3 May`). Without any of these, the key is the subject:
 * (Wifi password, is, heron42).
 */
export function buildFieldFacts(text: string, run: readonly FieldBlock[], about: FieldSubject): FactRecord[] {
  const named = findName(text, run)
  return run.flatMap((field) => {
    const key = text.slice(field.key.start, field.key.end)
    const rule = chooseRule(field, key)
    const own = findOwner(key, about.speaker)
    const whose = own ?? { subject: named?.value ?? about.topic, predicate: key }
    if (named?.field === field && (about.topic === undefined || about.topic === named.value))
      return buildKindFact(named, key)
    const subject = named?.field === field ? about.topic : whose.subject
    const parts = subject === undefined ? { subject: key, predicate: 'is' } : { subject, predicate: whose.predicate }
    const value = text.slice(field.value.start, Math.min(field.value.end, field.value.start + VALUE_UNITS_MAX))
    return makeFact({ ...parts, value, rule, span: field }) ?? []
  })
}

/** Only the start of a longer value is read, which is too long for a fact. */
const VALUE_UNITS_MAX = 1_000

/** Keys whose value is the subject of the other fields. */
const NAMING_KEYS: ReadonlySet<string> = new Set(
  'name|full name|title|titel|titre|título|titolo|nom|nombre|nome|naam|имя|名前|氏名|姓名|名字|이름'.split('|')
)

/** Keys of a first field that state the kind of its value: `Flight: LH123`, `Project: Heron`. */
const KINDS: ReadonlySet<string> = new Set(
  [
    'flight|project|product|item|company|server|host|event|meeting|book|film|movie|song|album|game|recipe|customer|client|patient',
    'order|invoice|booking|ticket|issue|course|team|car|boat|dog|cat|pet|hotel|restaurant|app|service|projekt|produkt|projet'
  ].flatMap((line) => line.split('|'))
)

/** "Project: Heron" above more fields: (Heron, is a, project). */
function buildKindFact({ field, value }: { field: FieldBlock; value: string }, key: string): FactRecord[] {
  if (!KINDS.has(key.toLowerCase())) return []
  const fact = makeFact({
    subject: value,
    predicate: 'is a',
    value: key.toLowerCase(),
    rule: 'field.named-key',
    span: field
  })
  return fact === undefined ? [] : [fact]
}

/** The naming field must be among the first ones of a run. */
const NAME_PLACES = 2

function findName(text: string, run: readonly FieldBlock[]): { field: FieldBlock; value: string } | undefined {
  if (run.length < 2) return undefined
  const isFront = run[0]?.form === 'front-matter'
  const readKey = ({ key }: FieldBlock) => text.slice(key.start, key.end).toLowerCase()
  const field =
    run.slice(0, isFront ? run.length : NAME_PLACES).find((place) => NAMING_KEYS.has(readKey(place))) ??
    run.slice(0, 1).find((first) => KINDS.has(readKey(first)))
  return field && { field, value: text.slice(field.value.start, Math.min(field.value.end, field.value.start + 200)) }
}

/** Splits off the owner in `Ada's birthday` and `my phone`. */
function findOwner(key: string, speaker: string | undefined): { subject: string; predicate: string } | undefined {
  const possessive = /^(\p{Lu}[\p{L} .-]{0,40}?)['’]s? (\S.{0,60})$/u.exec(key)
  if (possessive !== null) return { subject: possessive[1] ?? '', predicate: possessive[2] ?? '' }
  const mine = /^(?:my|our) (\S.{0,60})$/i.exec(key)
  return mine === null || speaker === undefined ? undefined : { subject: speaker, predicate: mine[1] ?? '' }
}

function chooseRule({ form }: FieldBlock, key: string): FactRule {
  if (form === 'front-matter') return 'front-matter.key-value'
  if (form === 'assignment') return 'field.assignment'
  return isKnownKey(key) ? 'field.named-key' : 'field.key-value'
}
