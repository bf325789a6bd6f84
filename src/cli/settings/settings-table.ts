import { findAddressFault } from '../../client/build-service-url.ts'
import { Fault } from '../../contract/faults.ts'
import { parseDuration } from '../input/parse-time.ts'

/** A setting: its names, its default and the check of its values. */
export type SettingRow = {
  key: SettingKey
  variable: string
  flag: string | undefined
  about: string
  /** The default as a user would write it; undefined if the program computes it. */
  otherwise: string | undefined
  /** Throws a plain Error for an invalid value. Its message continues a sentence that starts with the value. */
  check(value: string): void
}

export type SettingKey = 'snapshot' | 'server' | 'collection' | 'lock_wait'

/** All settings. Order of precedence: flag, variable, project file, user settings, default. */
export const SETTINGS_TABLE: readonly SettingRow[] = [
  {
    key: 'snapshot',
    variable: 'MEMCTL_SNAPSHOT',
    flag: '--snapshot',
    about: 'snapshot file; in a settings file, the path is relative to that file',
    otherwise: undefined,
    check: (value) => refuseIf(value === '' ? 'is empty' : undefined)
  },
  {
    key: 'server',
    variable: 'MEMCTL_SERVER',
    flag: '--server',
    about: 'address of the server; plain http only for this machine',
    otherwise: 'http://127.0.0.1:8787',
    check: (value) => refuseIf(findAddressFault(value))
  },
  {
    key: 'collection',
    variable: 'MEMCTL_COLLECTION',
    flag: '--collection',
    about: 'id or name of the collection on the server',
    otherwise: undefined,
    check: (value) => refuseIf(value === '' ? 'is empty' : undefined)
  },
  {
    key: 'lock_wait',
    variable: 'MEMCTL_LOCK_WAIT',
    flag: undefined,
    about: 'maximum time to wait while another process writes to the snapshot',
    otherwise: '30s',
    check: (value) =>
      refuseIf(
        parseDuration(value) === undefined ? 'is invalid: expected a duration such as 30s, 10m or 2h' : undefined
      )
  }
]

/** Returns the row of a key. Throws a fault that lists all keys if the key is unknown. */
export function settingRow(key: string): SettingRow {
  const row = SETTINGS_TABLE.find((one) => one.key === key)
  if (row !== undefined) return row
  throw new Fault('not_found', `unknown setting '${key}'`, {
    hint: `settings are: ${SETTINGS_TABLE.map((one) => one.key).join(', ')}`
  })
}

/** A UUID of any version. */
export const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function refuseIf(why: string | undefined): void {
  if (why !== undefined) throw new Error(why)
}
