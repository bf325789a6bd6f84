import type { ProviderId } from './provider-ids.ts'

/** The description that a running server writes to a file of its data folder, for commands on the same machine. */
export type RunningServer = {
  pid: number
  /**
   * When the process started, in the units of the operating system. Together with the pid it distinguishes the process
   * from a later one. `-` if unknown.
   */
  process_started: string
  origin: string
  data_dir: string
  /** ISO 8601, UTC. */
  started_at: string
  version: string
  log_file: string | null
}

/** A provider with the settings of this machine, for display: without secrets. */
export type ServerProvider = {
  provider: ProviderId
  enabled: boolean
  /** Whether the sandbox serves this provider. */
  sandbox: boolean
  client_id: string | null
  client_secret_set: boolean
  authorize_url: string
  token_url: string
  revoke_url: string | null
  api_url: string
}
