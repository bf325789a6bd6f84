import type { ProviderId } from '../../../contract/provider-ids.ts'
import { SELECTION_KEYS } from '../../../contract/selection-keys.ts'
import { isNear } from '../../is-near.ts'

/** What people call the services behind a provider, in small letters without spaces. */
const CALLED: Readonly<Record<ProviderId, readonly string[]>> = {
  cloud_drive: ['googledrive', 'gdrive', 'drive', 'gsuite', 'files'],
  team_chat: ['slack', 'chat'],
  mailbox: ['gmail', 'googlemail', 'email', 'mail', 'inbox'],
  notes: ['notion', 'note', 'wiki']
}

/** The provider that is perhaps meant by a word that names none; undefined for what names one. */
export function meantProvider(word: string): ProviderId | undefined {
  if (Object.hasOwn(SELECTION_KEYS, word)) return undefined
  const plain = lettersOf(word)
  const ids = Object.keys(CALLED) as ProviderId[]
  return ids.find((id) => CALLED[id].includes(plain)) ?? ids.find((id) => isNear(plain, lettersOf(id)))
}

function lettersOf(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, '')
}
