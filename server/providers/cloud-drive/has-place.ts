import type { ProviderCall } from '../provider.ts'
import { unlessGone } from '../unless-gone.ts'
import { fileOf } from './file-of.ts'

/** See `Provider.hasPlace`: something that is not in the trash, under its own id. */
export async function hasPlace(call: ProviderCall, id: string): Promise<boolean> {
  const file = await unlessGone(fileOf(call, id))
  return file !== undefined && file.id === id && file.trashed !== true
}
