import { pastParticiple } from '../language/verb-forms.ts'
import type { Chunk } from './chunk.ts'
import type { Draft, Sight } from './draft.ts'
import { EXPERIENCE_VERBS } from './words/verb-classes.ts'

/**
 * "Her songs inspire me", "The course challenged us": told by the speaker, it says most of the speaker, and is turned into the
 * passive: is inspired by, "her songs". Only where nothing but an adverbial or an infinitive follows the object.
 */
export function asExperience(sight: Sight, draft: Draft): Draft {
  const { clause } = draft
  if (clause === undefined || clause.verb.isPassive || draft.negated || draft.modality !== undefined) return draft
  if (!EXPERIENCE_VERBS.has(clause.verb.base) || clause.verb.first !== clause.verb.base) return draft
  const [object] = draft.value
  if (object === undefined || draft.said !== undefined || !OWN.has(sight.lower(object.from))) return draft
  if (draft.subject.to === draft.subject.from || VAGUE.has(sight.lower(draft.subject.from))) return draft
  const after = sight.parse.tags[object.from + 1]
  if (object.to > object.from + 1 && after !== 'ADP' && after !== 'PART' && after !== 'ADV') return draft
  const verb = sight.parse.chunks[clause.at] as Chunk
  const rest = object.to > object.from + 1 ? [{ from: object.from + 1, to: object.to }] : []
  return {
    ...draft,
    rule: 'speaker.experience',
    subject: { from: verb.from, to: verb.from },
    predicate: [],
    said: `${helper(sight, draft)} ${pastParticiple(clause.verb.base)} by`,
    value: [draft.subject, ...rest, ...draft.value.slice(1)]
  }
}

function helper({ lower }: Sight, { clause }: Draft): string {
  if (clause?.verb.isPerfect === true) return 'has been'
  const isPast = clause?.verb.form === 'bare' || lower(clause?.verb.main ?? -1) === 'taught'
  return isPast ? 'was' : 'is'
}

const OWN = new Set(['me', 'us'])
const VAGUE = new Set(['it', 'this', 'that', 'you', 'which', 'who', 'what', 'he', 'she', 'they'])
