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
