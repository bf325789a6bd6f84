import type { Phrase } from './chunk.ts'
import type { Clause, Parse } from './clause.ts'
import type { Sight, Words } from './draft.ts'
import { trim, wordsOf } from './phrases.ts'
import { OBJECT_PRONOUNS } from './words/clause-words.ts'
import { PARTICLES } from './words/particles.ts'

/** First chunk after the predicate: a particle and the preposition of what follows belong to it ("grew up in"). */
export function predicateReach({ parse, lower }: Sight, clause: Clause): number {
  const { chunks } = parse
  let reach = clause.at + 1
  const next = chunks[reach]
  if (
    next !== undefined &&
    reach < clause.end &&
    next.to === next.from + 1 &&
    PARTICLES.has(lower(next.from)) &&
    (next.kind === 'adverb' || (next.kind === 'preposition' && chunks[reach + 1]?.kind === 'preposition'))
  )
    reach++
  const preposition = chunks[reach]
  if (preposition?.kind === 'preposition' && lacksObject(clause)) {
    const isStranded = reach + 1 >= clause.end || chunks[reach + 1]?.kind !== 'noun'
    return isStranded && reach < clause.end ? reach + 1 : reach
  }
  if (preposition?.kind === 'preposition' && reach + 1 < clause.end && chunks[reach + 1]?.kind === 'noun') reach++
  return reach
}

/** What follows the predicate; of `"…", said Bob`, what stands before. */
export function valuePhrase({ parse, lower }: Sight, clause: Clause, reach: number): Phrase {
  if (clause.kind === 'speech') return trim(parse, { from: 0, to: clause.start })
  const phrase = trim(parse, { from: reach, to: firstStop(parse, reach, clause.end) })
  const opener = parse.chunks[phrase.from]
  const from = opener?.kind === 'relative' && lower(opener.from) === 'that' ? phrase.from + 1 : phrase.from
  return { from, to: withoutVocative(parse, { from, to: phrase.to }) }
}

/** A dash or a semicolon ends the value; a colon leads on to what it lists. */
function firstStop({ chunks, tokens }: Parse, from: number, to: number): number {
  for (let at = from; at < to; at++)
    if (chunks[at]?.kind === 'stop' && BREAKS.has(tokens[chunks[at]?.from ?? -1]?.text ?? '')) return at
  return to
}

const BREAKS = new Set(['-', '–', '—', ';', '…', '!', '?', '...'])

/** "That is kind of you, **Ann**!" */
function withoutVocative({ chunks, tags }: Parse, { from, to }: Phrase): number {
  const last = chunks[to - 1]
  const isName = last?.kind === 'noun' && last.to === last.from + 1 && tags[last.from] === 'PROPN'
  const isEnd = to === chunks.length || chunks[to]?.kind === 'stop'
  return isName && isEnd && chunks[to - 2]?.kind === 'comma' ? Math.max(from, to - 2) : to
}

/** "the song that **she wrote** in May": what a relative clause lacks is what it is about. */
export function missingObject({ parse, lower }: Sight, clause: Clause, reach: number): Words[] {
  const { antecedent } = clause
  if (antecedent === undefined || !lacksObject(clause)) return []
  const next = parse.chunks[reach]
  const isGiven = OBJECT_PRONOUNS.has(lower(next?.from ?? -1))
  if (next?.kind === 'noun' && reach < clause.end && !isGiven) return []
  const words = wordsOf(parse, trim(parse, antecedent))
  return words === undefined ? [] : [words]
}

function lacksObject({ kind, antecedent, subject, marker }: Clause): boolean {
  return (
    kind === 'relative' &&
    marker !== 'whose' &&
    antecedent !== undefined &&
    subject !== undefined &&
    subject.from !== antecedent.from
  )
}
