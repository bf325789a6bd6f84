import type { RunningServer, ServerProvider } from '../../contract/running-server.ts'
import type { DetachedProcess, DetachedStart, ServerFlags } from '../../ports.ts'

/**
 * The servers of this machine: the one that this process becomes, and those that were started before. Only methods that
 * need the server's code load it.
 */
export type ServerHost = {
  /** Lists all settings. */
  table(): Promise<readonly ServerSettingInfo[]>
  /** Returns the values that a server started now would use. Rejects with a fault that names an invalid one. */
  settings(flags: ServerFlags): Promise<readonly ServerSettingValue[]>
  /**
   * Runs a server until `signal` is aborted, then finishes the requests in flight and resolves when everything is
   * closed.
   */
  run(flags: ServerFlags, work: ServerRun): Promise<void>
  /**
   * Returns the facts that a server wrote to its data folder, or undefined if there are none. The server may have ended
   * since.
   */
  facts(dataDir: string): RunningServer | undefined
  /** Reports whether the process that wrote the facts is still running. */
  isRunning(facts: RunningServer): boolean
  /** Starts this program again, in a process group of its own that outlives this process. */
  detach(start: DetachedStart): DetachedProcess
  /** Asks a process to stop (SIGTERM). */
  terminate(pid: number): void
  /** Returns the providers that a server started now would have. */
  providers(flags: ServerFlags): Promise<readonly ServerProvider[]>
  /**
   * Saves settings in the server's config file, readable only by its owner, completely or not at all; `undefined`
   * removes a setting. Returns the path of the file. Rejects with a fault that names an invalid value, and then changes
   * nothing.
   */
  keepSettings(values: Readonly<Record<string, string | undefined>>): Promise<{ path: string }>
  /** Encrypts all stored credentials with a new key while no server is running. Rejects with `locked` if one is. */
  rotateKey(flags: ServerFlags): Promise<{ key_id: string; resealed: number }>
  /**
   * Forgets the stored credentials whose vault key is lost. Returns the vault key from now on, and the number of
   * forgotten credentials. Rejects with `locked` if a server is running.
   */
  forgetCredentials(flags: ServerFlags): Promise<{ key_id: string; forgotten: number }>
  /**
   * Verifies the database of a server, which may be running. To repair a database file, the server must be stopped;
   * otherwise this rejects with `locked`.
   */
  checkStorage(flags: ServerFlags, check: StorageCheck): Promise<StorageReport>
  /** Lists what repairs set aside, oldest first. */
  listAside(flags: ServerFlags): Promise<AsideRow[]>
  /** Runs the sandbox of the providers alone on a port until `signal` is aborted. */
  runSandbox(place: { host: string; port: number }, work: SandboxRun): Promise<void>
}

export type StorageCheck = {
  repair: boolean
  signal: AbortSignal
  /** Reports the numbers of lines and rows that have been verified. */
  onProgress(so: { lines: number; rows: number }): void
}

/** The result of a check. `findings` has the first ones; the numbers count all of them by outcome. */
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
  /** The key of the row. */
  place: string
  problem: string
  /** `found`: the damage is still there. The other outcomes are results of a repair. */
  outcome: 'found' | 'set_aside' | 'corrected'
  hint: string | null
}

/** A row that a repair set aside. `contents` is the original row; bytes are `{"base64": "…"}`. */
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
  /** Called when the sandbox is ready. `environment` has the variables that make a server use it. */
  onReady(facts: { origin: string; environment: Readonly<Record<string, string>> }): Promise<void>
}

export type ServerSettingInfo = {
  /** The key in the server's config file. */
  key: string
  variable: string
  flag: string | null
  /** The default value; null if it is computed. */
  otherwise: string | null
  about: string
}

/**
 * The value of a setting. `value` has the form of the config file, without secrets, and is null if unset. `where` is
 * the flag, variable or file.
 */
export type ServerSettingValue = {
  key: string
  value: string | null
  origin: 'flag' | 'environment' | 'file' | 'default'
  where: string | null
}

export type ServerRun = {
  signal: AbortSignal
  /** Whether this start creates another admin key if admin keys exist already. */
  newAdminKey?: boolean
  /** Whether the server may create an empty store although a store existed before. */
  newStore?: boolean
  /** The folder in which `onReady` saves a created admin key; the server checks it before it creates anything. */
  keysFolder?: string
  /** Whether an admin key is saved for this data folder, which proves that a store existed. */
  hasKey?: boolean
  /** Called when the server is ready. `madeKey` is the admin key that this start created; it is passed only once. */
  onReady(facts: RunningServer, madeKey: string | undefined): Promise<void>
}
