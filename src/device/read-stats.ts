import type { MemoryRecord } from '../contract/snapshot.ts'
import { readProcedures } from '../memory/extracted.ts'
import { buildGraphOfRemembered, type Graph, toRemembered } from '../memory/graph/graph.ts'
import type { MemoryFacts } from '../memory/graph/mentions.ts'
import { isCurrentAt } from '../memory/graph/resolve-facts.ts'
import { UnusableIndex } from '../search/index/seal-bytes.ts'
import { openIndex } from '../search/search-index.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { toAsidePath } from '../snapshot/put-aside.ts'
import { type Survey, surveyInParts } from '../snapshot/survey.ts'
import { createRowReader } from '../snapshot/table/row-reader.ts'
import type { GraphStats, Stats } from './device.ts'
import { createSurveyHelp, type DeviceWorld, type Opened, stopIfAborted, withSystemFaults } from './device-world.ts'
import { readCover } from './index/index-cover.ts'
import { isStamped, locateIndexFiles } from './index/index-files.ts'
import { toDamage, UNTOUCHED } from './verify-file.ts'

/** Reads counts and sizes of a file and of its index. */
export async function readStats(opened: Opened, signal?: AbortSignal): Promise<Stats> {
  const { world, path } = opened
  return withSystemFaults(`read ${path}`, async () => {
    stopIfAborted(signal, UNTOUCHED)
    const source = openSource(world.files, path)
    try {
      const graph = createGraphCount()
      const survey = await surveyInParts(source, createSurveyHelp(world, signal, UNTOUCHED))
      const { reading, losses, table } = survey
      return {
        path: source.path,
        form: reading.form,
        bytes: source.facts.size,
        ...table.counts(),
        ...countContents(source, survey, graph),
        ...graph.stats(),
        damaged: reading.damaged.length + reading.unlisted,
        damaged_lines: toDamage(reading.damaged),
        lost: losses.lost,
        aside_bytes: world.files.find(toAsidePath(source.path))?.size ?? 0,
        index: await readIndexStats(world, source)
      }
    } finally {
      source.close()
    }
  })
}

type Contents = Pick<Stats, 'conversations' | 'speakers' | 'first_at' | 'last_at' | 'text_bytes'>

function countContents(source: Source, { table }: Survey, graph: GraphCount): Contents {
  const reader = createRowReader(source)
  const conversations = new Set<string>()
  const speakers = new Set<string>()
  const found: Contents = { conversations: 0, speakers: 0, first_at: null, last_at: null, text_bytes: 0 }
  for (const number of table.listKept()) {
    const row = table.row(number)
    if (row.kind !== 'memory') continue
    const record = reader.record(row) as MemoryRecord
    const { text, at, speaker, conversation } = record
    graph.add(record)
    found.text_bytes += Buffer.byteLength(text)
    found.first_at ??= at
    found.last_at = at
    if (speaker !== undefined) speakers.add(speaker)
    if (conversation !== undefined) conversations.add(conversation)
  }
  return { ...found, conversations: conversations.size, speakers: speakers.size }
}

/**
 * Describes the cached index of a file; null if there is no usable one. `fits` is determined without reading the file.
 */
async function readIndexStats(world: DeviceWorld, source: Source): Promise<Stats['index']> {
  const files = locateIndexFiles(world, source.path)
  const bytes = files.load()
  if (bytes === undefined) return null
  try {
    const index = await openIndex(world.assets, bytes)
    const cover = readCover(index)
    const fits =
      cover !== undefined &&
      isStamped(files.stamp(), cover.nonce, source.facts) &&
      cover.proof.end === source.facts.size
    const stats = { bytes: bytes.length, memories: index.count, fits }
    index.close()
    return stats
  } catch (error) {
    if (error instanceof UnusableIndex) return null
    throw error
  }
}

/** Counts records that are added one by one, oldest first, and finally summarises their content. */
export type GraphCount = { add(record: MemoryRecord): void; stats(): GraphStats }

/** Maximum number of memories and facts that are merged, the newest ones: about 300 MB. All are counted. */
const KEPT_MAX = 400_000

/** Number of entities and predicates listed. */
const TOP_MAX = 5

/** Creates a counter of extracted entries that keeps no text. */
export function createGraphCount(keptMax = KEPT_MAX): GraphCount {
  const newest = createNewest(keptMax)
  const counts = { facts: 0, procedures: 0, events: 0 }
  return {
    add(record) {
      const remembered = toRemembered(record)
      newest.add(remembered)
      counts.facts += remembered.facts.length
      counts.procedures += readProcedures(record).length
      counts.events += countEvents(record)
    },
    stats() {
      const kept = newest.all()
      const facts = kept.reduce((sum, remembered) => sum + remembered.facts.length, 0)
      return { ...counts, facts_left_out: counts.facts - facts, ...summarizeGraph(buildGraphOfRemembered(kept)) }
    }
  }
}

/** Keeps the newest memories up to a total weight; each memory weighs its number of facts plus one. */
function createNewest(weightMax: number): { add(remembered: MemoryFacts): void; all(): MemoryFacts[] } {
  let kept: MemoryFacts[] = []
  let first = 0
  let weight = 0
  return {
    add(remembered) {
      kept.push(remembered)
      weight += countWeight(remembered)
      for (let oldest = kept[first]; weight > weightMax && oldest !== undefined; oldest = kept[first]) {
        weight -= countWeight(oldest)
        first++
      }
      if (first <= kept.length / 2) return
      kept = kept.slice(first)
      first = 0
    },
    all: () => kept.slice(first)
  }
}

function countWeight({ facts }: MemoryFacts): number {
  return facts.length + 1
}

function summarizeGraph({ entities, facts, predicates, contradictions }: Graph): Omit<GraphStats, keyof Counted> {
  return {
    entities: entities.length,
    facts_current: facts.filter((fact) => isCurrentAt(fact)).length,
    facts_superseded: facts.filter(({ valid_to }) => valid_to !== null).length,
    facts_contradicted: contradictions.length,
    top_entities: entities.slice(0, TOP_MAX).map(({ name, mentions }) => ({ name, mentions })),
    top_predicates: predicates.slice(0, TOP_MAX).map(({ key, facts: count }) => ({ key, facts: count }))
  }
}

/** Counts events with a statement; entries of other shapes are skipped. */
function countEvents({ events = [] }: MemoryRecord): number {
  return events.filter(
    (event) => typeof event === 'object' && event !== null && typeof Reflect.get(event, 'statement') === 'string'
  ).length
}

type Counted = Pick<GraphStats, 'facts' | 'procedures' | 'events' | 'facts_left_out'>
