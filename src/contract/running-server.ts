import type { ProviderId } from './provider-ids.ts'

/** What a running server says of itself to the commands of the same machine, in a file of its data folder. */
export type RunningServer = {
  pid: number
  /** Of the process, as the system counts it: together with the pid it tells this process from a later one. `-`: not known. */
  process_started: string
  origin: string
  data_dir: string
  /** ISO 8601, UTC. */
  started_at: string
  version: string
  log_file: string | null
}

/** A provider as a server of this machine would have it, for people: without secrets. */
export type ServerProvider = {
  provider: ProviderId
  enabled: boolean
  /** Whether it is the stand-in of the sandbox. */
  sandbox: boolean
  client_id: string | null
  client_secret_set: boolean
  authorize_url: string
  token_url: string
  revoke_url: string | null
  api_url: string
}
