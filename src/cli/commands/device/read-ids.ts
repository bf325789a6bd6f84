import { Fault } from '../../../contract/faults.ts'
import type { Context } from '../../context.ts'
import { readInputText } from '../../input/read-input.ts'

/** A list of ids is not larger. In bytes. */
const IDS_BYTES_MAX = 64 << 20

/**
 * Reads ids of memories from a file or, for `-`, from stdin: one a line, or a record with an `id` as `list` and
 * `forget --dry-run` print it with `--jsonl`. Empty lines are passed over. Throws at the first line that is neither, so
 * that a file of something else never deletes anything.
 */
export async function readIds(context: Context, name: string): Promise<string[]> {
  const { parseJson } = await context.device()
  const text = (await readInputText(context.world, name, IDS_BYTES_MAX)).replace(/^\ufeff/, '')
  const where = name === '-' ? 'stdin' : name
  return text.split('\n').flatMap((line, index) => {
    const word = line.trim()
    if (word === '') return []
    const id = word.startsWith('{') ? recordId(parseJson(word)) : word
    if (id !== undefined && ID.test(id)) return [id]
    throw new Fault('invalid_input', `${where}, line ${index + 1}: expected the id of a memory`, {
      hint: 'one id a line, as memctl device list --fields id prints them'
    })
  })
}

/** An id in full, or at least 6 characters of it. */
const ID = /^(?:mem_)?[0-9a-f]{6,32}$/

function recordId(parsed: { value: unknown } | { fault: string }): string | undefined {
  if ('fault' in parsed || typeof parsed.value !== 'object' || parsed.value === null) return undefined
  const id: unknown = Reflect.get(parsed.value, 'id')
  return typeof id === 'string' && id.startsWith('mem_') ? id : undefined
}
