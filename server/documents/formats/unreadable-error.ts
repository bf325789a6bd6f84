import { ProviderFailure } from '../../providers/port/provider-failure.ts'

/** Builds the failure of a file that cannot be read. `why` is half a sentence, as in `it is encrypted`. */
export function unreadableError(why: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure('item_permanent', why, { cause })
}

/** Replaces what a package for a format throws on a broken file, which says little to a person. */
export async function wrapUnreadable<T>(why: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    throw toMemoryFailure(error) ?? unreadableError(why, error)
  }
}

/** Returns the failure of a file that needs more memory than there is; undefined for any other error. Packages wrap what they catch. */
export function toMemoryFailure(error: unknown): ProviderFailure | undefined {
  const isIt = /allocation failed|invalid (typed array|array buffer) length/i.test(String(error))
  return isIt ? unreadableError('reading it takes too much memory', error) : undefined
}
