import { Buffer } from 'node:buffer'
import type { Page, SeenItem } from '../providers/provider.ts'
import { ProviderFailure } from '../providers/provider-failure.ts'
import { CURSOR_BYTES_MAX } from '../providers/read-cursor-text.ts'

const ID_BYTES_MAX = 1024

/**
 * A page that keeps to its port: each item once, as it was told of last, and nothing gone that is there. What was left out of the
 * selection is an item that is skipped.
 *
 * @throws ProviderFailure `contract_broken` where ids or the cursor cannot be kept, or the page leads to itself.
 */
export function soundPage(page: Page, before: string | undefined): Page {
  const { cursor, more, gone, left = [], leftOut = [], ledger } = page
  const seen = [...page.seen, ...leftOut.map(({ id, why }): SeenItem => ({ id, skipped: why }))]
  if (typeof cursor !== 'string' || !cursor.isWellFormed() || Buffer.byteLength(cursor) > CURSOR_BYTES_MAX)
    throw broken('a page has no cursor that can be kept')
  if (more && cursor === before && seen.length === 0 && gone.length === 0 && left.length === 0 && !ledger?.length)
    throw broken('a page leads to itself')
  const items = new Map<string, SeenItem>()
  for (const item of seen) {
    checkId(item.id)
    // What is told again stands where it was told last.
    items.delete(item.id)
    items.set(item.id, item)
  }
  for (const id of [...gone, ...left]) checkId(id)
  const isSettled = new Set([...items.keys(), ...gone])
  return {
    ...page,
    seen: [...items.values()],
    gone: gone.filter((id) => !items.has(id)),
    left: [...new Set(left)].filter((id) => !isSettled.has(id))
  }
}

function checkId(id: unknown): void {
  const isSound =
    typeof id === 'string' && id !== '' && id.isWellFormed() && (id.length * 3 <= ID_BYTES_MAX || fits(id))
  if (!isSound) throw broken('an item has no id that can be kept')
}

function fits(id: string): boolean {
  return Buffer.byteLength(id) <= ID_BYTES_MAX
}

function broken(message: string): ProviderFailure {
  return new ProviderFailure('contract_broken', message)
}
