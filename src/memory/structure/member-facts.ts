import type { FactRecord } from '../../contract/snapshot.ts'
import type { ItemBlock } from './block.ts'
import { SENTENCE_WORDS } from './field-words.ts'
import { isKnownKey } from './judge-fields.ts'
import { makeFact } from './make-fact.ts'

/** The heading right above a list, and what is above that. */
export type SetNames = { words: string | undefined; above: string | undefined }

/**
 * What a list says of the set that its heading names: `Guests:` above `- Ann` is (Guests, includes, Ann), and below `Boat trip`
 * it is (Boat trip, guests, Ann) where such a heading names a field. An item below another is part of that one. Items that
 * are sentences or steps, and headings that are sentences, name no set.
 */
export function memberFacts(text: string, items: readonly ItemBlock[], { words: name, above }: SetNames): FactRecord[] {
  const isField = name !== undefined && above !== undefined && name !== above && isKnownKey(name)
  const parents: { depth: number; words: string }[] = []
  return items.flatMap((item) => {
    const value = text.slice(item.content.start, Math.min(item.content.end, item.content.start + MEMBER_UNITS_MAX + 1))
    while ((parents.at(-1)?.depth ?? -1) >= item.depth) parents.pop()
    const parent = parents.at(-1)
    parents.push({ depth: item.depth, words: value })
    const set = parent === undefined ? name : parent.words.replace(/[:：]$/, '')
    if (set === undefined || !isSet(set) || !isMember(value)) return []
    const included = { subject: set, predicate: 'includes', value, span: item }
    if (parent !== undefined) return makeFact({ ...included, rule: 'list.part' }) ?? []
    const fact = isField ? { ...included, subject: above, predicate: set } : included
    return makeFact({ ...fact, rule: isField ? 'list.value' : 'list.member' }) ?? []
  })
}

const MEMBER_UNITS_MAX = 80
const MEMBER_WORDS_MAX = 7
const SET_WORDS_MAX = 6

/** `Guests`, `Packing list for May`, but not `How to pack`, `To pack` or `What I need`. */
function isSet(subject: string): boolean {
  const words = subject.toLowerCase().split(' ')
  if (words.length > SET_WORDS_MAX || NO_SETS.has(words[0] ?? '')) return false
  return words.join(' ') === 'to do' || (words[0] !== 'to' && !words.some((word) => SENTENCE_WORDS.has(word)))
}

/** Headings above steps, rules and talk. */
const NO_SETS: ReadonlySet<string> = new Set(
  'how|steps|step|instructions|setup|installation|usage|procedure|method|directions|preparation|rules|guidelines|notes'.split(
    '|'
  )
)

function isMember(words: string): boolean {
  if (words.length > MEMBER_UNITS_MAX || /[.!?。！？:]$/.test(words)) return false
  return words.split(' ').length <= MEMBER_WORDS_MAX && !/^(?:i|we|you|he|she|they|it|there|this|that)\b/i.test(words)
}
