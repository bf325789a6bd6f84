/**
 * Maximum length of a line with its LF, in bytes. `store` refuses a memory with a longer line, and readers reject the
 * line.
 */
export const LINE_BYTES_MAX = 16 * 1024 * 1024

/**
 * Maximum length of a file's first line, in bytes. A file with a longer one is not a snapshot and is not read further.
 */
export const HEADER_BYTES_MAX = 64 * 1024

/** Maximum nesting of arrays and objects, including the outermost one. */
export const NESTING_MAX = 64

/** Number of bytes read from a file at a time, and block size of the proofs used by the index. */
export const BLOCK_BYTES = 1024 * 1024

/** Maximum size in bytes, and maximum duration in milliseconds, of the lines in one append of a batch. */
export const CHUNK_BYTES_MAX = 4 * 1024 * 1024
export const CHUNK_MS_MAX = 100

/** Default time that a writer waits for the lock, in milliseconds. */
export const LOCK_WAIT_MS = 30_000
