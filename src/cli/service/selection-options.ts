import { Fault } from '../../contract/faults.ts'
import type { SelectionKey } from '../../contract/selection-limits.ts'
import { type CommandLine, type OptionRow, textsOption } from '../input/command-line.ts'
import { shellWord } from '../output/short-forms.ts'

/** A selection: ids, and the config key that they belong to. */
export type SelectedIds = { key: SelectionKey; ids: string[] }

/** Words, flag and list command for the ids under each key. */
export const SELECTION_WORDS = {
  folder_ids: { one: 'folder', many: 'folders', flag: '--folder', list: 'folders' },
  channel_ids: { one: 'channel', many: 'channels', flag: '--channel', list: 'channels' }
} as const satisfies Record<SelectionKey, { one: string; many: string; flag: string; list: string }>

export const SELECTION_OPTIONS: readonly OptionRow[] = [
  { flags: '--folder <id>', about: 'folder to sync; repeatable, or several ids separated by commas', repeat: true },
  { flags: '--channel <id>', about: 'channel to sync; repeatable, or several ids separated by commas', repeat: true }
]

/**
 * Parses `--folder` or `--channel`, or with a prefix, `--add-folder` and similar flags. Returns undefined if none is given.
 *
 * @throws Fault `usage` if a flag has no id, for example because a variable is empty, or if both kinds are given.
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
    throw new Fault('usage', 'folders and channels cannot be used together', {
      hint: 'use folders for cloud_drive and channels for team_chat'
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
  throw new Fault('usage', `${flag} ${shellWord(text)} is empty: expected an id`, {
    hint: `use ${flag} ID, or omit it; memctl connections folders and memctl connections channels list the ids`
  })
}

/** Formats a selection as flags. */
export function selectionFlags({ key, ids }: SelectedIds): string {
  return ids.map((id) => `${SELECTION_WORDS[key].flag} ${shellWord(id)}`).join(' ')
}
