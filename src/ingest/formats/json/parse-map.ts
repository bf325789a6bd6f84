import { Fault } from '../../../contract/faults.ts'
import type { FieldMap } from '../../port/format.ts'

/** What a member can be mapped to. `each` is the list of the items, if that is not the whole file. */
const FIELDS = ['each', 'text', 'speaker', 'at', 'conversation', 'id', 'title'] as const

/**
 * Parses `--map`, such as `text=body,speaker=author.name,at=sent`: for each field, the members that lead to its value.
 * @throws Fault `usage`
 */
export function parseMap(text: string): FieldMap {
  const map: Record<string, readonly string[]> = {}
  for (const part of text.split(',')) {
    const [, field = '', path = ''] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(part) ?? []
    if (!FIELDS.some((one) => one === field) || path === '')
      throw new Fault(
        'usage',
        `invalid part of --map: '${part}': expected FIELD=MEMBER, with one of the fields ${FIELDS.join(', ')}`,
        { hint: HINT }
      )
    map[field] = path.split('.')
  }
  if (map.text === undefined) throw new Fault('usage', 'invalid --map: expected a member for text', { hint: HINT })
  return { ...map, text: map.text }
}

const HINT = "memctl device ingest FILE --map 'text=body,speaker=author.name,at=sent'"
