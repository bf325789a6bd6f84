import type { MemoryRecord } from '../contract/snapshot.ts'
import { proceduresOf } from '../memory/extracted.ts'
import { isCurrentAt } from '../memory/graph/facts-over-time.ts'
import { type Graph, graphOfRemembered, rememberedOfRecord } from '../memory/graph/graph-of.ts'
import type { Remembered } from '../memory/graph/name-mentions.ts'
import type { GraphStats } from './types.ts'

/** Takes records one by one, oldest first, and says at the end what they tell together. */
export type GraphCount = { add(record: MemoryRecord): void; stats(): GraphStats }

/** So many memories and facts are put together at most, the newest ones: about 300 MB. All are counted. */
const KEPT_MAX = 400_000

/** So many entities and predicates are named. */
const TOP_MAX = 5

/** Counts what was extracted, without keeping any text. */
export function createGraphCount(keptMax = KEPT_MAX): GraphCount {
  const newest = createNewest(keptMax)
  const counts = { facts: 0, procedures: 0, events: 0 }
  return {
    add(record) {
      const remembered = rememberedOfRecord(record)
      newest.add(remembered)
      counts.facts += remembered.facts.length
      counts.procedures += proceduresOf(record).length
      counts.events += eventCount(record)
    },
    stats() {
      const kept = newest.all()
      const facts = kept.reduce((sum, remembered) => sum + remembered.facts.length, 0)
      return { ...counts, facts_left_out: counts.facts - facts, ...told(graphOfRemembered(kept)) }
    }
  }
}

/** The newest memories, as many as have so many facts, each memory weighing one more. */
function createNewest(weightMax: number): { add(remembered: Remembered): void; all(): Remembered[] } {
  let kept: Remembered[] = []
  let first = 0
  let weight = 0
  return {
    add(remembered) {
      kept.push(remembered)
      weight += weightOf(remembered)
      for (let oldest = kept[first]; weight > weightMax && oldest !== undefined; oldest = kept[first]) {
        weight -= weightOf(oldest)
        first++
      }
      if (first <= kept.length / 2) return
      kept = kept.slice(first)
      first = 0
    },
    all: () => kept.slice(first)
  }
}

function weightOf({ facts }: Remembered): number {
  return facts.length + 1
}

function told({ entities, facts, predicates, contradictions }: Graph): Omit<GraphStats, keyof Counted> {
  return {
    entities: entities.length,
    facts_current: facts.filter((fact) => isCurrentAt(fact)).length,
    facts_superseded: facts.filter(({ valid_to }) => valid_to !== null).length,
    facts_contradicted: contradictions.length,
    top_entities: entities.slice(0, TOP_MAX).map(({ name, mentions }) => ({ name, mentions })),
    top_predicates: predicates.slice(0, TOP_MAX).map(({ key, facts: count }) => ({ key, facts: count }))
  }
}

/** Events with words of their own; entries of another make are passed over. */
function eventCount({ events = [] }: MemoryRecord): number {
  return events.filter(
    (event) => typeof event === 'object' && event !== null && typeof Reflect.get(event, 'statement') === 'string'
  ).length
}

type Counted = Pick<GraphStats, 'facts' | 'procedures' | 'events' | 'facts_left_out'>
