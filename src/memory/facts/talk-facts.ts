import type { Chunk } from './chunk.ts'
import type { Draft, Sight, Words } from './draft.ts'
import { STATES_OF_MIND } from './words/feelings.ts'

/** What short forms of talk say of the speaker: "So glad to be back", "Thanks for the ride", "Here's my garden". */
export function talkFacts(sight: Sight): Draft[] {
  return [stateOfMind(sight), thanks(sight), shown(sight)].filter((draft) => draft !== undefined)
}

function draftOf(rule: string, said: string, start: number, value: Words): Draft {
  const subject = { from: start, to: start }
  return {
    rule,
    subject,
    predicate: [],
    said,
    value: [value],
    negated: false,
    modality: undefined,
    clause: undefined,
    features: []
  }
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
  return draftOf('speaker.feels', 'is', start, { from: start, to: endOfStretch(parse.chunks, at) })
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
    return chunk < 0
      ? undefined
      : draftOf('speaker.thanks', 'is thankful for', at, { from: after + 1, to: endOfStretch(chunks, chunk) })
  }
  return undefined
}

const OPENING_TOKENS = 8

/** "**Here's** a picture of my garden": the speaker shows it. */
function shown({ parse, lower }: Sight): Draft | undefined {
  if (lower(0) !== 'here' || (lower(1) !== "'s" && lower(1) !== 'is' && lower(1) !== 'are')) return undefined
  const at = parse.chunks.findIndex(({ from }) => from === 2)
  if (parse.chunks[at]?.kind !== 'noun') return undefined
  return draftOf('speaker.shows', 'shows', 0, { from: 2, to: endOfStretch(parse.chunks, at) })
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
