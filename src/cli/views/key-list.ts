import type { Key } from '../../contract/endpoints/keys.ts'
import type { ListView } from '../output/answer.ts'
import { counted, shortGuid, shortTime } from '../output/short-forms.ts'

/** Keys as a list, without their secrets. */
export const KEY_LIST: ListView<Key> = {
  columns: [
    { name: 'id', value: ({ id }) => id, shown: ({ id }) => shortGuid(id) },
    { name: 'name', value: ({ name }) => name, flexible: true },
    { name: 'admin', value: ({ admin }) => admin, shown: ({ admin }) => (admin ? 'admin' : ''), leaves: 1 },
    { name: 'grants', value: ({ grants }) => grants, shown: grantsText, leaves: 2 },
    { name: 'created_at', value: (key) => key.created_at, shown: (key) => shortTime(key.created_at), leaves: 3 }
  ],
  json: (key) => key
}

/** How many collections a key may read and edit. */
export function grantsText({ grants }: Pick<Key, 'grants'>): string {
  const edit = grants.filter(({ permission }) => permission === 'edit').length
  const parts = [
    edit > 0 ? `edit ${counted(edit, 'collection')}` : '',
    grants.length > edit ? `read ${counted(grants.length - edit, 'collection')}` : ''
  ]
  return parts.filter((part) => part !== '').join(', ')
}
