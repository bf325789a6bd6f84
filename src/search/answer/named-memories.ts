import type { MemoryRecord } from '../../contract/snapshot.ts'
import { factsOf } from '../../memory/extracted.ts'
import { entityKey } from '../../memory/graph/entity-key.ts'
import { analyse } from '../analyse/analyse.ts'
import { attributeKey, mayBeName } from '../index/fact-terms.ts'
import { ANSWER } from './answer-constants.ts'
import type { Answering } from './answering.ts'
import { askedAttributes } from './asked-attributes.ts'
import { createFoundMemories } from './found-memories.ts'

/**
 * Memories with facts about whom the query names that are not among its best sources: those that say most of its other
 * words, and those that tell an attribute that it asks for, in whatever words. A bounded number.
 */
export function namedMemories(answering: Answering, known: readonly MemoryRecord[]): MemoryRecord[] {
  const terms = answering.words.terms.map(({ name }) => name)
  if (terms.length < 2 || terms.length > ANSWER.NAMING_TERMS_MAX) return []
  const found = createFoundMemories(answering, { known, limit: ANSWER.NAMED_MEMORIES_MAX })
  for (const name of terms.filter(answering.inquiry.isName)) {
    const saying = terms.filter((term) => term !== name)
    found.take(answering.inquiry.about({ name: [name], saying, as: 'subject' }, ANSWER.ABOUT_MEMORIES))
  }
  const subjects = namedSubjects(answering, [...known, ...found.records()])
  for (const attribute of askedAttributes(terms)) {
    for (const subject of subjects) {
      found.take(answering.inquiry.keyed(attributeKey(attribute, subject), ANSWER.ATTRIBUTE_MEMORIES))
    }
  }
  return found.records()
}

/** Keys of the names that facts are about and the query says, at least a part of each; names of one word as it spells them. */
function namedSubjects({ words, intent, inquiry }: Answering, records: readonly MemoryRecord[]): string[] {
  const spelled = intent.spelled.filter((word) => words.share(word) === 1 && analyse(word).every(inquiry.isName))
  const keys = new Set(spelled.slice(0, ANSWER.NAMED_SUBJECTS_MAX / 2).map(entityKey))
  for (const { subject } of records.flatMap(factsOf)) {
    if (keys.size >= ANSWER.NAMED_SUBJECTS_MAX) break
    if (mayBeName(subject) && words.in(subject).size > 0) keys.add(entityKey(subject))
  }
  return [...keys]
}
