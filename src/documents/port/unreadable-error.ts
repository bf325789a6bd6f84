/**
 * The error of a file that cannot be read, even if it is retried. `message` is half a sentence, as in `it is
 * encrypted`.
 */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
}

/** Builds the error of a file that cannot be read. `why` is half a sentence. */
export function unreadableError(why: string, cause?: unknown): UnreadableError {
  return new UnreadableError(why, { cause })
}

/** Replaces the error that a package throws for a damaged file, which is not useful to a user. */
export async function wrapUnreadable<T>(why: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof UnreadableError) throw error
    throw toMemoryError(error) ?? unreadableError(why, error)
  }
}

/** Returns the error of a file that needs more memory than there is; undefined for any other error. Packages wrap what they catch. */
export function toMemoryError(error: unknown): UnreadableError | undefined {
  const isIt = /allocation failed|invalid (typed array|array buffer) length/i.test(String(error))
  return isIt ? unreadableError('reading it takes too much memory', error) : undefined
}
