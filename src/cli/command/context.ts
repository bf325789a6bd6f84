import type { Client } from '../../client/client.ts'
import type { World } from '../../ports.ts'
import type { Diagnostics } from '../output/diagnostics.ts'
import type { ResultWriter } from '../output/result-writer.ts'
import type { DeviceModule, LazyModules } from '../ports/lazy-modules.ts'
import type { Settings } from '../settings/settings.ts'
import type { GlobalFlags } from './global-options.ts'

/** What the run of a command gets: the world, what was asked of every command, and where to answer. */
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
  /** The client of the server that settings name, with the key for it, made at first use. */
  client(): Promise<Client>
  modules: LazyModules
}
