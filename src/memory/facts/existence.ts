import type { Chunk } from './chunk.ts'
import type { Draft, Sight } from './draft.ts'

/** "There are two owls in the barn": the owls are in the barn. Undefined where it is not said where, or how they are. */
export function asExistence({ parse, lower }: Sight, draft: Draft): Draft {
  const { clause, subject } = draft
  if (clause === undefined || lower(subject.from) !== 'there' || clause.verb.base !== 'be') return draft
  const noun = parse.chunks[clause.at + 1] as Chunk | undefined
  const last = draft.value.at(-1)
  if (noun?.kind !== 'noun' || last === undefined) return draft
  const rest = draft.value
    .map((words) => ({ from: Math.max(words.from, noun.to), to: words.to }))
    .filter(({ from, to }) => to > from)
  if (rest.length === 0 || lower(rest[0]?.from ?? -1) === 'of') return draft
  return { ...draft, rule: 'existence.there-is', subject: { from: noun.from, to: noun.to }, value: rest }
}
