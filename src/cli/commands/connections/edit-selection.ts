import { Fault } from '../../../contract/faults.ts'
import type { SelectionKey } from '../../../contract/selection.ts'
import type { Given } from '../../command.ts'
import type { Context } from '../../context.ts'
import { textOption } from '../../input/option-values.ts'
import { readInputText } from '../../input/read-input.ts'
import { SELECTION_WORDS, type Selection, selectionOption } from '../../service/selection-options.ts'

/** How a selection is to change: to a whole new one, or by what is added and removed. */
export type Edit = {
  whole: Selection | undefined
  file: string | undefined
  added: Selection | undefined
  removed: Selection | undefined
}

/** Bytes of a file with a selection: a whole number of MiB. */
const FILE_BYTES_MAX = 1 << 20

/** What the flags say; undefined where they say nothing. Throws a usage fault where they say several things at once. */
export function editOf(options: Given['options']): Edit | undefined {
  const edit = {
    whole: selectionOption(options),
    file: textOption(options, 'fromFile'),
    added: selectionOption(options, 'add'),
    removed: selectionOption(options, 'remove')
  }
  const ways = [edit.whole, edit.file, edit.added ?? edit.removed].filter((one) => one !== undefined)
  if (ways.length <= 1) return ways.length === 1 ? edit : undefined
  throw new Fault('usage', 'the whole selection and a change of it are given together', { hint: 'give one of them' })
}

/** Where the flags say nothing and nobody is there to choose. */
export function nothingSaid(): Fault {
  return new Fault('usage', 'what to choose is not said', {
    hint: 'give --folder, --channel, --add-folder, --remove-folder, --add-channel, --remove-channel or --from-file'
  })
}

/** The ids under `key` after an edit. Throws a usage fault where it is about another key, or leaves nothing. */
export async function changedSelection(
  context: Context,
  { whole, file, added, removed }: Edit,
  { key, before }: { key: SelectionKey; before: readonly string[] }
): Promise<string[]> {
  const { many, flag } = SELECTION_WORDS[key]
  for (const given of [whole, added, removed])
    if (given !== undefined && given.key !== key)
      throw new Fault('usage', `this connection has ${many} to choose, not ${SELECTION_WORDS[given.key].many}`, {
        hint: `give ${flag}`
      })
  const base = file === undefined ? (whole?.ids ?? before) : await idsInFile(context, file, key)
  const gone = new Set(removed?.ids)
  const after = [...new Set([...base, ...(added?.ids ?? [])])].filter((id) => !gone.has(id))
  if (after.length > 0) return after
  throw new Fault('usage', 'nothing would be left: a selection has at least one id', {
    hint: 'memctl connections disconnect ends a connection'
  })
}

async function idsInFile(context: Context, file: string, key: SelectionKey): Promise<string[]> {
  const text = await readInputText(context.world, file, FILE_BYTES_MAX)
  const { parseJson } = await context.device()
  const parsed = parseJson(text)
  const where = file === '-' ? 'stdin' : file
  if ('fault' in parsed)
    throw new Fault('malformed_json', `${where} ${parsed.fault}`, { hint: `for example {"${key}": ["ID"]}` })
  const ids = (parsed.value as { [key]?: unknown } | null)?.[key]
  if (Array.isArray(ids) && ids.every((id): id is string => typeof id === 'string')) return ids
  throw new Fault('invalid_input', `${where} has no list of ids under ${key}`, {
    hint: `for example {"${key}": ["ID"]}`
  })
}
