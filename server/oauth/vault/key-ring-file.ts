/**
 * The file with the keys of the vault. It can decrypt all stored credentials, so only its owner may read it (0600).
 * Several nodes that share a database share the file.
 */
export type KeyRingFile = {
  /** The path, for messages. */
  path: string
  /** Returns the content, and the permission bits if the system has them; undefined if there is no file. */
  read(): Promise<KeyRingBytes | undefined>
  /**
   * Replaces the content with the result of `change`, under a lock. The new file is on the disk before this resolves,
   * and at any moment either the old or the new file exists. If `change` returns undefined, the file stays as it is.
   */
  update(change: (before: Uint8Array | undefined) => Uint8Array | undefined): Promise<void>
}

export type KeyRingBytes = { bytes: Uint8Array; mode: number | undefined }
