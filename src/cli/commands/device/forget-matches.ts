import { Fault } from '../../../contract/faults.ts'
import { LIMIT_DEFAULT } from '../../../contract/groups.ts'
import type { MemoryRecord } from '../../../contract/snapshot.ts'
import type { Device } from '../../../device/types.ts'
import { declined, showAbout } from '../../ask.ts'
import type { Context } from '../../context.ts'
import { quoteLine } from '../../output/card.ts'
import type { Line } from '../../output/line.ts'
import { plainLine } from '../../output/plain-text.ts'
import { counted, shellWord, shortId, shortTime } from '../../output/short-forms.ts'
import type { Choice } from '../../picker/pick-state.ts'
import { canPick, runPicker } from '../../picker/run-picker.ts'
import { RECORD_LIST } from '../../views/record-list.ts'
import { snapshotFlag } from './open-snapshot.ts'

/** What `--query` and its `--limit` ask for. */
export type QueryOptions = { query: string; limit: number | undefined }

/**
 * A memory is offered only if it says at least this share of the query itself, by the weight of the query's words. Related
 * words and neighbouring turns, which ranking counts, do not count here. A score cannot be the floor: the best hit of an
 * unrelated query scores .10 in MADial and .39 in BEAM (medians), while the share means the same in every snapshot.
 * Measured with `test/bench/forget-floor.mjs` over the first ten hits: half offers at most 1.1 % of the hits of unrelated
 * queries in each of MADial, BEAM, REALTALK, LoCoMo, CACM and Cranfield (a third up to 5.6 %), and 35 to 66 % of the memories
 * that answer a set's own questions. MADial is the exception: its queries are whole dialogues, and none is offered.
 * `device search` finds the others, and they are forgotten by id.
 */
const COVERAGE_FLOOR = 0.5

/**
 * Throws where no person can choose: outside an interactive session, in JSON mode, or on a terminal that cannot be drawn over.
 * A query is no way to delete there, whatever `--yes` says.
 */
export function refuseUnattendedQuery(context: Context, query: string): void {
  const { answer } = context
  if (canPick(context) && answer.mode !== 'json' && answer.mode !== 'jsonl') return
  const snapshot = snapshotFlag(context)
  const list = `memctl device forget --query ${shellWord(query)} --dry-run${snapshot}`
  const byId = `memctl device forget --ids-from -${snapshot}`
  throw new Fault('input_needed', '--query only proposes memories: a person has to choose among them on a terminal', {
    hint: `list the matches: ${list}; then forget those you mean, one id a line: ${byId}`,
    next: [list, byId]
  })
}

/** Lists what a person would be offered. */
export async function listMatches(context: Context, device: Device, asked: QueryOptions): Promise<void> {
  await context.answer.list(await findMatches(context, device, asked), RECORD_LIST)
}

/**
 * Lets the person choose among the matches of a query, with none of them chosen beforehand, and confirm the choice. Returns no
 * id where nothing matches.
 *
 * @throws Fault `declined` where the person leaves the list or does not confirm.
 */
export async function chooseMatches(
  context: Context,
  device: Device,
  asked: QueryOptions & { command: (ids: readonly string[]) => string }
): Promise<readonly string[]> {
  const records = await findMatches(context, device, asked)
  if (records.length === 0) return []
  const picked = await runPicker(context, {
    words: { question: 'Which memories to forget?', one: 'memory', many: 'memories', elsewhere: '', tree: false },
    most: records.length,
    before: [],
    load: async () => records.map(toChoice)
  })
  const chosen = records.filter(({ id }) => picked?.has(id))
  const ids = chosen.map(({ id }) => id)
  if (ids.length === 0) throw declined('nothing was forgotten')
  await showAbout(context, chosen.flatMap(matchLines))
  const text = `Forget ${ids.length === 1 ? 'this memory' : `these ${counted(ids.length, 'memory', 'memories')}`} for good?`
  if (!(await context.world.terminal.confirm(text, false))) throw declined('nothing was forgotten')
  await context.talk.hint(`the same without a question: ${asked.command(ids)}`)
  return ids
}

/** Memories that say enough of the query, best first, with those that say the same; the others are counted. */
async function findMatches(context: Context, device: Device, { query, limit }: QueryOptions): Promise<MemoryRecord[]> {
  const { response, coverageOf } = await device.search(query, { limit, groups: ['sources'] })
  const found = response.sources.flatMap(({ source_ids }) => source_ids).map((id) => device.show(id).record)
  const matching = found.filter(({ speaker, text }) => coverageOf(`${speaker ?? ''}\n${text}`) >= COVERAGE_FLOOR)
  const records = matching.slice(0, limit ?? LIMIT_DEFAULT)
  const resembling = found.length - matching.length
  if (records.length === 0) await context.talk.note('no memory matches, nothing was forgotten')
  if (resembling > 0) {
    const are = counted(resembling, 'memory only resembles', 'memories only resemble')
    await context.talk.note(`${are} the query and ${resembling === 1 ? 'is' : 'are'} not offered`)
  }
  return records
}

function toChoice({ id, speaker, text, at }: MemoryRecord): Choice {
  const remarks = [shortId(id), shortTime(at).slice(0, 'YYYY-MM-DD'.length)]
  return { id, name: formatSpokenText({ speaker, text }), chosen: false, opens: false, remarks }
}

function matchLines({ id, at, speaker, text }: MemoryRecord): Line[] {
  return [[`  ${shortId(id)}  ${shortTime(at)}`], quoteLine([formatSpokenText({ speaker, text })], 2)]
}

/** So much of a text is shown before it is forgotten. */
const SHOWN_CHARACTERS_MAX = 200

function formatSpokenText({ speaker, text }: Pick<MemoryRecord, 'speaker' | 'text'>): string {
  const line = `${speaker === undefined ? '' : `${plainLine(speaker)}: `}${plainLine(text)}`
  return line.length <= SHOWN_CHARACTERS_MAX ? line : `${line.slice(0, SHOWN_CHARACTERS_MAX)}…`
}
