import { compareText } from './claim.ts'
import { createJoin, findSameNames } from './find-same-names.ts'
import { memoize } from './memoize.ts'
import { collectNameMentions, type MemoryFacts, type Mentioned, type NameEvidence } from './mentions.ts'
import { toEntityKey } from './to-entity-key.ts'
import { isNamed } from './value-kind.ts'

/** A person or thing that memories name. */
export type Entity = {
  /** Its `toEntityKey`, by which names are compared. */
  key: string
  /** The most frequent of its names, then the longest. */
  name: string
  /** Its other names, most frequent first; at most 20. */
  aliases: string[]
  evidence: NameEvidence[]
  mentions: number
  /** Number of memories that name it. */
  sources: number
}

export type Entities = {
  /** Most mentioned first. */
  list: Entity[]
  /** Returns the key of the entity that a name refers to; for an unknown name, the name's own key. */
  keyOf: (name: string) => string
}

/**
 * Finds all entities that memories name and merges names of the same one. Each memory must occur once, in any order.
 */
export function findEntities(remembered: readonly MemoryFacts[]): Entities {
  const mentions = collectNameMentions(remembered)
  const groupOf = createJoin(findSameNames(mentions))
  const groups = new Map<string, Mentioned[]>()
  for (const mentioned of mentions.names.values()) {
    const group = groups.get(groupOf(mentioned.key))
    if (group === undefined) groups.set(groupOf(mentioned.key), [mentioned])
    else group.push(mentioned)
  }
  const keys = new Map<string, string>()
  const list = [...groups.values()].flatMap((group) => {
    const entity = buildEntity(group)
    for (const { key } of group) keys.set(key, entity.key)
    return isEntity(group) ? [entity] : []
  })
  const keyOf = memoize((name) => {
    const key = toEntityKey(name)
    return keys.get(key) ?? key
  })
  return { list: list.sort((a, b) => b.mentions - a.mentions || compareText(a.key, b.key)), keyOf }
}

/**
 * Accepts speakers, names with aliases, and words mostly written as a name; other things only if several memories
 * mention them with the definite article. Other subjects (`people`, `a lot`) have facts but are not entities.
 */
function isEntity(group: readonly Mentioned[]): boolean {
  if (group.some(({ evidence }) => SURE.some((one) => evidence.has(one)))) return true
  if (group.some(isWrittenAsName)) return true
  return group.some(({ definite }) => definite > 1) && countUnion(group) > 1
}

/** A single word must always have a capital, because any word has one at the start of a sentence. */
function isWrittenAsName({ key, wordings, mentions }: Mentioned): boolean {
  const named = [...wordings].reduce((sum, [wording, count]) => sum + (isNamed(wording) ? count : 0), 0)
  return key.includes(' ') ? named * 2 > mentions : named === mentions
}

const SURE: readonly NameEvidence[] = ['speaker', 'title', 'email', 'alias']

const ALIASES_MAX = 20

function buildEntity(group: readonly Mentioned[]): Entity {
  const wordings = countWordings(group)
  const name = (wordings.find(([wording]) => !wording.includes('@')) ?? wordings[0])?.[0] ?? ''
  const own = group.filter((one) => one.wordings.has(name)).map(({ key }) => key)
  const evidence = new Set(group.flatMap((one) => [...one.evidence]))
  const [only] = group
  return {
    key: own.sort(compareText)[0] ?? name,
    name,
    aliases: wordings.flatMap(([wording]) => (wording === name ? [] : [wording])).slice(0, ALIASES_MAX),
    evidence: [...evidence].sort(compareText),
    mentions: group.reduce((sum, one) => sum + one.mentions, 0),
    sources: group.length === 1 && only !== undefined ? only.sources.size : countUnion(group)
  }
}

function countUnion(group: readonly Mentioned[]): number {
  const ids = new Set<string>()
  for (const { sources } of group) for (const id of sources) ids.add(id)
  return ids.size
}

/** Sorts the most frequent first, then the longest. */
function countWordings(group: readonly Mentioned[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { wordings } of group) {
    for (const [wording, count] of wordings) counts.set(wording, (counts.get(wording) ?? 0) + count)
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || b.length - a.length || compareText(a, b))
}
