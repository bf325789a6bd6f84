import { findAddressFault } from '../../client/build-service-url.ts'
import { Fault } from '../../contract/faults.ts'
import { parseDuration } from '../input/parse-time.ts'

/** One setting: its names everywhere, its default and what it may be. */
export type SettingRow = {
  key: SettingKey
  variable: string
  flag: string | undefined
  about: string
  /** What holds where nobody says anything, as a person would write it. Undefined where that is worked out. */
  otherwise: string | undefined
  /** Throws a plain Error with half a sentence: what is wrong with the value. */
  check(value: string): void
}

export type SettingKey = 'snapshot' | 'server' | 'collection' | 'lock_wait'

/** Every setting there is. Flag > variable > project file > the user's settings > default. */
export const SETTINGS_TABLE: readonly SettingRow[] = [
  {
    key: 'snapshot',
    variable: 'MEMCTL_SNAPSHOT',
    flag: '--snapshot',
    about: 'the snapshot file; in a settings file, relative to that file',
    otherwise: undefined,
    check: (value) => refuseIf(value === '' ? 'is empty' : undefined)
  },
  {
    key: 'server',
    variable: 'MEMCTL_SERVER',
    flag: '--server',
    about: 'address of the server; plain http only to this machine',
    otherwise: 'http://127.0.0.1:8787',
    check: (value) => refuseIf(findAddressFault(value))
  },
  {
    key: 'collection',
    variable: 'MEMCTL_COLLECTION',
    flag: '--collection',
    about: 'id of the collection on the server',
    otherwise: undefined,
    check: (value) => refuseIf(GUID.test(value) ? undefined : 'is no id like 00000000-0000-0000-0000-000000000000')
  },
  {
    key: 'lock_wait',
    variable: 'MEMCTL_LOCK_WAIT',
    flag: undefined,
    about: 'maximum time to wait while another process writes to the snapshot',
    otherwise: '30s',
    check: (value) => refuseIf(parseDuration(value) === undefined ? 'is no duration like 30s, 10m or 2h' : undefined)
  }
]

/** The row of a key. Throws a fault that lists the keys where there is none. */
export function settingRow(key: string): SettingRow {
  const row = SETTINGS_TABLE.find((one) => one.key === key)
  if (row !== undefined) return row
  throw new Fault('not_found', `there is no setting '${key}'`, {
    hint: `settings are: ${SETTINGS_TABLE.map((one) => one.key).join(', ')}`
  })
}

/** Any 8-4-4-4-12 hex digits. */
export const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function refuseIf(why: string | undefined): void {
  if (why !== undefined) throw new Error(why)
}
