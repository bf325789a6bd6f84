/**
 * The file with the keys of the vault. Whoever has it can read all stored credentials, so it is for its owner alone (0600).
 * Several nodes over one database share one.
 */
export type KeyRingFile = {
  /** For messages. */
  path: string
  /** What it holds, and its permission bits where the system has such; undefined where there is none. */
  read(): Promise<KeyRingBytes | undefined>
  /**
   * Puts what `change` makes of it in its place: on the disk before this resolves, the old or the new file at any moment,
   * and while nobody else changes it. Undefined from `change` leaves it as it is.
   */
  update(change: (before: Uint8Array | undefined) => Uint8Array | undefined): Promise<void>
}

export type KeyRingBytes = { bytes: Uint8Array; mode: number | undefined }
