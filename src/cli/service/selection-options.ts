import { Fault } from '../../contract/faults.ts'
import type { SelectionKey } from '../../contract/selection-limits.ts'
import { type CommandLine, type OptionRow, textsOption } from '../input/command-line.ts'
import { shellWord } from '../output/short-forms.ts'

/** What is chosen of an account: under which key of its config, and which ids. */
export type SelectedIds = { key: SelectionKey; ids: string[] }

/** What the ids under a key are called, and the flag and command that go with them. */
export const SELECTION_WORDS = {
  folder_ids: { one: 'folder', many: 'folders', flag: '--folder', list: 'folders' },
  channel_ids: { one: 'channel', many: 'channels', flag: '--channel', list: 'channels' }
} as const satisfies Record<SelectionKey, { one: string; many: string; flag: string; list: string }>

export const SELECTION_OPTIONS: readonly OptionRow[] = [
  { flags: '--folder <id>', about: 'a folder to sync; give it once for each, or ids with commas', repeat: true },
  { flags: '--channel <id>', about: 'a channel to sync, likewise', repeat: true }
]

/**
 * What `--folder` or `--channel` say; undefined where neither is given. `prefix` is that of other flags of the kind.
 *
 * @throws Fault `usage` where one was given without an id, as by a variable that is empty, or both kinds were given.
 */
export function selectionOption(
  options: CommandLine['options'],
  prefix: '' | 'add' | 'remove' = ''
): SelectedIds | undefined {
  const ids = (noun: 'Folder' | 'Channel'): string[] => {
    const flag = `--${prefix === '' ? '' : `${prefix}-`}${noun.toLowerCase()}`
    const name = prefix === '' ? noun.toLowerCase() : `${prefix}${noun}`
    return [...new Set(textsOption(options, name).flatMap((text) => idsIn(text, flag)))]
  }
  const [folders, channels] = [ids('Folder'), ids('Channel')]
  if (folders.length > 0 && channels.length > 0)
    throw new Fault('usage', 'folders and channels are given together', {
      hint: 'folders are of a cloud_drive, channels of a team_chat'
    })
  if (folders.length > 0) return { key: 'folder_ids', ids: folders }
  return channels.length > 0 ? { key: 'channel_ids', ids: channels } : undefined
}

function idsIn(text: string, flag: string): string[] {
  const ids = text
    .split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '')
  if (ids.length > 0) return ids
  throw new Fault('usage', `${flag} ${shellWord(text)} names no id`, {
    hint: `give ${flag} ID, or leave it out; memctl connections folders and channels list ids`
  })
}

/** Ids as flags of a command. */
export function selectionFlags({ key, ids }: SelectedIds): string {
  return ids.map((id) => `${SELECTION_WORDS[key].flag} ${shellWord(id)}`).join(' ')
}
