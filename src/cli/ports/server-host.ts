import type { RunningServer, ServerProvider } from '../../contract/running-server.ts'
import type { DetachedProcess, DetachedStart, ServerFlags } from '../../ports.ts'

/**
 * Servers on this machine: the one that this process becomes, and those that were started before. What a server is made of
 * is loaded by `settings` and `run` only.
 */
export type ServerHost = {
  /** Every setting there is. */
  table(): Promise<readonly ServerSettingInfo[]>
  /** Each of them as it would hold for a server started now. Rejects with a fault that names a wrong one. */
  settings(flags: ServerFlags): Promise<readonly ServerSettingValue[]>
  /** Is a server until `signal` is aborted: then it finishes what is under way and resolves when all is closed. */
  run(flags: ServerFlags, work: ServerRun): Promise<void>
  /** What a server that uses the data folder wrote down; undefined where there is nothing of the kind. It may be gone by now. */
  facts(dataDir: string): RunningServer | undefined
  /** Whether the process that wrote the facts still runs. */
  isRunning(facts: RunningServer): boolean
  /** This very program once more, in a process group of its own that outlives this one. */
  detach(start: DetachedStart): DetachedProcess
  /** Asks a process to finish (SIGTERM). */
  terminate(pid: number): void
  /** Each provider as a server started now would have it. */
  providers(flags: ServerFlags): Promise<readonly ServerProvider[]>
  /**
   * Keeps settings in the server's config file, for its owner alone, whole or not at all; `undefined` takes one out. Says
   * which file. Rejects with a fault that names a wrong value, having changed nothing.
   */
  keepSettings(values: Readonly<Record<string, string | undefined>>): Promise<{ path: string }>
  /** Seals all stored credentials with a new key while no server runs. Rejects with `locked` where one does. */
  rotateKey(flags: ServerFlags): Promise<{ key_id: string; resealed: number }>
  /** Verifies the database of a server, which may run meanwhile; a repair of a database file rejects with `locked` where it does. */
  checkStorage(flags: ServerFlags, check: StorageCheck): Promise<StorageReport>
  /** What repairs set aside, oldest first. */
  listAside(flags: ServerFlags): Promise<AsideRow[]>
  /** Is the sandbox of the providers, alone on a port, until `signal` is aborted. */
  runSandbox(place: { host: string; port: number }, work: SandboxRun): Promise<void>
}

export type StorageCheck = {
  repair: boolean
  signal: AbortSignal
  /** What was verified so far. */
  onProgress(so: { lines: number; rows: number }): void
}

/** `findings` are the first ones; the numbers count all of them by their outcome. */
export type StorageReport = {
  lines: number
  rows: number
  found: number
  set_aside: number
  corrected: number
  findings: StorageFinding[]
}

export type StorageFinding = {
  table: string
  collection_id: string | null
  /** Which row, by its key. */
  place: string
  problem: string
  /** `found`: it is still there; the others are what a repair did. */
  outcome: 'found' | 'set_aside' | 'corrected'
  hint: string | null
}

/** `contents` is the row as it was. Bytes are `{"base64": "…"}`. */
export type AsideRow = {
  set_aside_at: string
  table: string
  collection_id: string | null
  place: string
  reason: string
  contents: unknown
}

export type SandboxRun = {
  signal: AbortSignal
  /** Called once it answers. `environment` is what points a server at it. */
  onReady(facts: { origin: string; environment: Readonly<Record<string, string>> }): Promise<void>
}

export type ServerSettingInfo = {
  /** In the config file of the server. */
  key: string
  variable: string
  flag: string | null
  /** What holds where nobody says anything; null where that is worked out. */
  otherwise: string | null
  about: string
}

/** `value` is as it would be written, without secrets; null where there is none. `where` is the flag, variable or file. */
export type ServerSettingValue = {
  key: string
  value: string | null
  origin: 'flag' | 'environment' | 'file' | 'default'
  where: string | null
}

export type ServerRun = {
  signal: AbortSignal
  /** Whether this start makes one more admin key where there are some already. */
  newAdminKey?: boolean
  /** Whether an empty store may be used although there was another one. */
  newStore?: boolean
  /** Where `onReady` will keep an admin key that is made: checked before anything is made. */
  keysFolder?: string
  /** Whether an admin key is kept for a server of this data folder: then there was a store. */
  hasKey?: boolean
  /** Called once it answers. `madeKey` is the admin's key where this start made it: it is told this once. */
  onReady(facts: RunningServer, madeKey: string | undefined): Promise<void>
}
