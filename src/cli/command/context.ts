import type { Client } from '../../client/client.ts'
import type { World } from '../../ports.ts'
import type { Diagnostics } from '../output/diagnostics.ts'
import type { ResultWriter } from '../output/result-writer.ts'
import type { DeviceModule, LazyModules } from '../ports/lazy-modules.ts'
import type { Settings } from '../settings/settings.ts'
import type { GlobalFlags } from './global-options.ts'

/** What a command needs to run: the world, the global flags, and the writers for its output. */
export type Context = {
  world: World
  flags: GlobalFlags
  settings: Settings
  answer: ResultWriter
  diagnostics: Diagnostics
  /** Whether the session is interactive. */
  person: boolean
  /** The device runtime, loaded at first use. */
  device(): Promise<DeviceModule>
  /** The client of the configured server, with its key, created at first use. */
  client(): Promise<Client>
  modules: LazyModules
}
