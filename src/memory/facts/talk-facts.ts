import type { Chunk } from './chunk.ts'
import { type Draft, type Sight, type Words, wordlessDraft } from './draft.ts'
import { STATES_OF_MIND } from './words/feelings.ts'

/** What short forms of talk say of the speaker: "So glad to be back", "Thanks for the ride", "Here's my garden". */
export function talkFacts(sight: Sight): Draft[] {
  return [stateOfMind(sight), thanks(sight), shown(sight)].filter((draft) => draft !== undefined)
}

type OfSpeaker = { rule: string; said: string; at: number; value: Words }

function ofSpeaker({ rule, said, at, value }: OfSpeaker): Draft {
  return wordlessDraft({ rule, said, subject: { from: at, to: at }, value })
}

/** "**So proud of** the team": the speaker is. */
function stateOfMind({ parse, lower }: Sight): Draft | undefined {
  const { tags } = parse
  let at = skipCalls(parse.chunks, 0)
  const chunk = parse.chunks[at]
  if (chunk?.kind !== 'adjective' && chunk?.kind !== 'adverb') return undefined
  const start = chunk.from
  let word = start
  while (tags[word] === 'ADV' && word < chunk.to) word++
  if (!STATES_OF_MIND.has(lower(word))) return undefined
  at++
  if (parse.chunks[at]?.kind !== 'preposition' && parse.chunks[at]?.verb?.form !== 'infinitive') return undefined
  const value = { from: start, to: endOfStretch(parse.chunks, at) }
  return ofSpeaker({ rule: 'speaker.feels', said: 'is', at: start, value })
}

/** "**Thanks for** the lift". */
function thanks({ parse, lower }: Sight): Draft | undefined {
  const { tokens, chunks } = parse
  for (let at = 0; at < Math.min(tokens.length, OPENING_TOKENS); at++) {
    const isThanks = lower(at) === 'thanks' || (lower(at) === 'thank' && lower(at + 1) === 'you')
    if (!isThanks) continue
    const after = lower(at) === 'thank' ? at + 2 : at + 1
    if (lower(after) !== 'for' || after + 1 >= tokens.length) return undefined
    const chunk = chunks.findIndex(({ from }) => from === after + 1)
    if (chunk < 0) return undefined
    const value = { from: after + 1, to: endOfStretch(chunks, chunk) }
    return ofSpeaker({ rule: 'speaker.thanks', said: 'is thankful for', at, value })
  }
  return undefined
}

const OPENING_TOKENS = 8

/** "**Here's** a picture of my garden": the speaker shows it. */
function shown({ parse, lower }: Sight): Draft | undefined {
  if (lower(0) !== 'here' || (lower(1) !== "'s" && lower(1) !== 'is' && lower(1) !== 'are')) return undefined
  const at = parse.chunks.findIndex(({ from }) => from === 2)
  if (parse.chunks[at]?.kind !== 'noun') return undefined
  const value = { from: 2, to: endOfStretch(parse.chunks, at) }
  return ofSpeaker({ rule: 'speaker.shows', said: 'shows', at: 0, value })
}

function skipCalls(chunks: readonly Chunk[], from: number): number {
  let at = from
  while (chunks[at]?.kind === 'other' || chunks[at]?.kind === 'comma' || chunks[at]?.kind === 'stop') at++
  return at
}

/** Up to the next mark or clause. */
function endOfStretch(chunks: readonly Chunk[], from: number): number {
  let at = from
  while (at + 1 < chunks.length && !ENDS.has(chunks[at + 1]?.kind ?? 'stop')) at++
  return (chunks[at] as Chunk).to
}

const ENDS: ReadonlySet<string> = new Set(['stop', 'comma', 'marker', 'relative', 'opening', 'quote'])
