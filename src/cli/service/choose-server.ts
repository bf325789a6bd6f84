import { toOrigin } from '../../client/build-service-url.ts'
import type { Settings } from '../settings/settings.ts'
import { settingRow } from '../settings/settings-table.ts'

/** The server that a command means. */
export type ChosenServer = {
  address: string
  /** By which keys are kept. */
  origin: string
  /** Where the address comes from: a flag, a variable or a file; undefined for the default. */
  where: string | undefined
  /**
   * Whether the person named it. A project file is written by others: what it alone names gets no key but the one that was
   * kept for that very server.
   */
  named: boolean
}

/** `--server`, else the settings, else the server of this machine. */
export function chooseServer(settings: Settings): ChosenServer {
  const { value, origin: from, where } = settings.get('server')
  const address = value ?? ''
  const origin = toOrigin(address)
  return { address, origin, where, named: from !== 'project' || origin === ownOrigin(settings) }
}

/** The origin that the user's settings name, without the project's. */
function ownOrigin(settings: Settings): string {
  const { key, otherwise = '' } = settingRow('server')
  return toOrigin(settings.user().values[key] ?? otherwise)
}
