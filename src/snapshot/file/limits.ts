/** A line with its LF, in bytes. `store` refuses a memory whose line would be longer, readers refuse the line. */
export const LINE_BYTES_MAX = 16 * 1024 * 1024

/** The first line of a file, in bytes: what is longer is no snapshot, and nothing more of it is read. */
export const HEADER_BYTES_MAX = 64 * 1024

/** Arrays and objects inside one another, the outermost counted. */
export const NESTING_MAX = 64

/** How much of a file is read at a time, and the size of the blocks that the index is proven by, in bytes. */
export const BLOCK_BYTES = 1024 * 1024

/** A batch is written in appends of at most so many bytes or so many milliseconds' worth of lines. */
export const CHUNK_BYTES_MAX = 4 * 1024 * 1024
export const CHUNK_MS_MAX = 100

/** How long a writer waits for the lock unless told otherwise, in milliseconds. */
export const LOCK_WAIT_MS = 30_000
