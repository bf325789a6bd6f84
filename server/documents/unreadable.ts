import { ProviderFailure } from '../providers/provider-failure.ts'

/** What a file is refused with. `why` is half a sentence, as in `it is encrypted`. */
export function unreadable(why: string, cause?: unknown): ProviderFailure {
  return new ProviderFailure('item_permanent', why, { cause })
}

/** What a package for a format throws on a broken file says little to a person. */
export async function orUnreadable<T>(why: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    throw unreadable(why, error)
  }
}
