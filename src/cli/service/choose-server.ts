import { toOrigin } from '../../client/build-service-url.ts'
import type { Settings } from '../settings/settings.ts'
import { settingRow } from '../settings/settings-table.ts'

/** The server that a command uses. */
export type ChosenServer = {
  address: string
  /** The origin under which keys are stored. */
  origin: string
  /** The source of the address: a flag, a variable or a file; undefined for the default. */
  where: string | undefined
  /**
   * Whether the user chose the server. A project file may be written by others, so a server that only it names gets no key other
   * than one stored for that server.
   */
  named: boolean
}

/** Returns the server from `--server`, or else from the settings, or else the local one. */
export function chooseServer(settings: Settings): ChosenServer {
  const { value, origin: from, where } = settings.get('server')
  const address = value ?? ''
  const origin = toOrigin(address)
  return { address, origin, where, named: from !== 'project' || origin === ownOrigin(settings) }
}

/** Returns the origin from the user's settings, without those of the project. */
function ownOrigin(settings: Settings): string {
  const { key, otherwise = '' } = settingRow('server')
  return toOrigin(settings.user().values[key] ?? otherwise)
}
