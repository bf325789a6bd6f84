import type { MemoryRecord } from '../../contract/snapshot.ts'
import { entityKey } from '../../memory/graph/entity-key.ts'
import { analyse } from '../analyse/analyse.ts'
import { attributeKey } from '../index/fact-terms.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import { askedAttributes } from './asked-attributes.ts'
import type { FirstFact } from './first-facts.ts'
import { createFoundMemories } from './found-memories.ts'
import { otherNames } from './middle-name.ts'

/**
 * Memories that may say of a name what first facts leave open: those that tell the attribute that is asked for, and those
 * that say most of the words that are left. A bounded number, beside those that are known.
 */
export function secondMemories(
  firsts: readonly FirstFact[],
  answering: Answering,
  known: readonly MemoryRecord[]
): MemoryRecord[] {
  const { inquiry, words } = answering
  const found = createFoundMemories(answering, { known, limit: ANSWER.SECOND_MEMORIES_MAX })
  for (const { name, left } of firsts) {
    const terms = left.flatMap((place) => words.terms[place]?.name ?? [])
    const saying = [...terms, ...terms.flatMap((term) => inquiry.relationsOf(term).forms.map((form) => form.term))]
    for (const other of otherNames(name)) {
      for (const attribute of askedAttributes(terms)) {
        found.take(inquiry.keyed(attributeKey(attribute, entityKey(other)), ANSWER.ATTRIBUTE_MEMORIES))
      }
      found.take(inquiry.about({ name: analyse(other), saying, as: 'anything' }, ANSWER.ABOUT_MEMORIES))
    }
  }
  return found.records()
}
