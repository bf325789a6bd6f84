import { Fault } from '../../../contract/faults.ts'
import type { Damage, Device, SearchOptions } from '../../../device/types.ts'
import type { Context } from '../../context.ts'
import { readInputText } from '../../input/read-input.ts'
import { readLines } from '../../input/read-lines.ts'
import { untilStopped } from '../../until-stopped.ts'
import { refuseDamage } from '../../views/damage.ts'

/** A file of queries is not larger. In bytes. */
const QUERIES_BYTES_MAX = 256 << 20

/**
 * Answers many queries with one open index, a line each, in their order. A file is checked whole before the first answer;
 * from stdin each query is answered as it comes.
 */
export async function answerQueries(
  context: Context,
  device: Device,
  asked: { name: string; options: SearchOptions }
): Promise<void> {
  const damaged = new Map<number, Damage>()
  for await (const { id, query } of await queriesOf(context, asked.name)) {
    const outcome = await device.search(query, asked.options)
    for (const one of outcome.damaged) damaged.set(one.line, one)
    await context.answer.jsonLine({ id, response: outcome.response })
    if (!context.answer.wanted()) break
  }
  await refuseDamage(context, [...damaged.values()], device.path)
}

type Query = { id: string | number; query: string }

async function queriesOf(context: Context, name: string): Promise<Iterable<Query> | AsyncIterable<Query>> {
  const { parseJson } = await context.device()
  const understand = (line: string, number: number) => {
    const json = number === 1 ? line.replace(BOM, '') : line
    const parsed = parseJson(json)
    const query = 'fault' in parsed ? parseJson(withWholeCharacters(json)) : parsed
    return parseQuery(query, `${name === '-' ? 'stdin' : name}, line ${number}`)
  }
  if (name === '-') return streamQueries(context, understand)
  const lines = (await readInputText(context.world, name, QUERIES_BYTES_MAX)).split('\n')
  const queries = lines.flatMap((line, index) => (line.trim() === '' ? [] : [understand(line, index + 1)]))
  return untilStopped(queries, context.world.terminal.interrupted)
}

/** Some editors begin every file with it. */
const BOM = /^\ufeff/

async function* streamQueries(
  context: Context,
  understand: (line: string, number: number) => Query
): AsyncGenerator<Query> {
  let number = 0
  for await (const line of readLines(context.world.terminal.input.read())) {
    number++
    if (line.trim() !== '') yield understand(line, number)
  }
}

/** Half a character, written as an escape, is one that nobody knows: nothing is kept of a query, so it may be asked. */
function withWholeCharacters(line: string): string {
  return line.replace(ESCAPES, (written) => (HALF.test(written) ? '\\ufffd' : written))
}

/** Escapes one after the other, a pair of halves as one. */
const ESCAPES = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|[^u])/g
const HALF = /^\\u[dD][89a-fA-F][\da-fA-F]{2}$/

function parseQuery(parsed: { value: unknown } | { fault: string }, where: string): Query {
  if ('fault' in parsed) throw new Fault('malformed_json', `${where}: the line ${parsed.fault}`)
  const { id, query } = (parsed.value ?? {}) as Partial<Record<string, unknown>>
  const hasId = typeof id === 'string' || typeof id === 'number'
  if (hasId && typeof query === 'string') return { id, query }
  throw new Fault('invalid_input', `${where}: is no {"id", "query"}`, {
    hint: 'a line is {"id": "q1", "query": "where does Anna live"}'
  })
}
