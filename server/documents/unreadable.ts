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
    throw asTooMuchMemory(error) ?? unreadable(why, error)
  }
}

/** The failure of a file for which no more memory could be had; undefined for any other error. Packages wrap what they catch. */
export function asTooMuchMemory(error: unknown): ProviderFailure | undefined {
  const isIt = /allocation failed|invalid (typed array|array buffer) length/i.test(String(error))
  return isIt ? unreadable('reading it takes too much memory', error) : undefined
}
