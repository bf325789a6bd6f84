import { ProviderFailure } from './provider-failure.ts'

/** An answer of a provider about something; undefined where the provider says that it is gone. */
export async function unlessGone<T>(answer: Promise<T>): Promise<T | undefined> {
  return await answer.catch((error: unknown) => {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return undefined
    throw error
  })
}
