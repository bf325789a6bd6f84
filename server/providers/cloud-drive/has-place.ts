import type { ProviderCall } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { fileOf } from './file-of.ts'

/** See `Provider.hasPlace`: something that is not in the trash, under its own id. */
export async function hasPlace(call: ProviderCall, id: string): Promise<boolean> {
  try {
    const file = await fileOf(call, id)
    return file.id === id && file.trashed !== true
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return false
    throw error
  }
}
