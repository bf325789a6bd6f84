import type { MemoryRecord, Metadata } from '../../src/contract/snapshot.ts'
import type { Device } from '../../src/device/device.ts'
import { findSource } from '../../src/memory/fields.ts'

/** A memory that a program finds again by its path. */
export type KeyedMemory = { path: string; id: string; text: string; at: string; metadata: Metadata; score?: number }

/**
 * Memories of one program in a snapshot, each with a path such as `users/anna/theme`. Writing to a path replaces its
 * memory: the new text is stored, then the old one is forgotten. If two processes write to one path at the same time,
 * the later text counts.
 */
export type KeyedMemories = {
  find(path: string): Promise<KeyedMemory | undefined>
  /** Lists the memories below a folder, or all of the program, ordered by path. */
  list(folder?: string): Promise<KeyedMemory[]>
  /** Searches below a folder, or in all of the program, best first. */
  search(query: string, limit: number, folder?: string): Promise<KeyedMemory[]>
  put(path: string, memory: { text: string; metadata?: Metadata }): Promise<void>
  /** Forgets the memories of the paths, including earlier texts that another process left. */
  remove(paths: readonly string[]): Promise<void>
}

/** Opens the memories of a program. `format` is its name in `metadata.source`, by which a search can be filtered. */
export function openKeyedMemories(device: Device, format: string): KeyedMemories {
  const readAll = async (within: string): Promise<KeyedMemory[]> => {
    const found: KeyedMemory[] = []
    let after: string | undefined
    do {
      const page = await device.recent({ only_sources: [within], limit: PAGE_MEMORIES, after })
      found.push(...page.records.flatMap((record) => toKeyed(record, format) ?? []))
      after = page.next ?? undefined
    } while (after !== undefined)
    return found
  }
  // The index ignores case, so paths are compared again.
  const readPath = async (path: string): Promise<KeyedMemory[]> =>
    (await readAll(path)).filter((memory) => memory.path === path)

  return {
    find: async (path) => (await readPath(path))[0],
    async list(folder) {
      const found = (await readAll(folder ?? format)).filter(({ path }) => isWithin(path, folder))
      // Newest first: the first of each path counts.
      const newest = new Map(found.reverse().map((memory) => [memory.path, memory]))
      return [...newest.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
    },
    async search(query, limit, folder) {
      const options = { only_sources: [folder ?? format], groups: ['sources'] as const, limit }
      const { response } = await device.search(query, options)
      return response.sources.flatMap(({ id, text, timestamp, metadata, score }) => {
        const memory = toKeyed({ id, text, at: timestamp ?? '', metadata }, format)
        return memory !== undefined && isWithin(memory.path, folder) ? [{ ...memory, score }] : []
      })
    },
    async put(path, { text, metadata }) {
      const known = await readPath(path)
      // Later than the one it replaces, even within a millisecond or after the clock was set back.
      const at = new Date(Math.max(Date.now(), Date.parse(known[0]?.at ?? '') + 1 || 0)).toISOString()
      const { id } = await device.store({ text, at, metadata: { ...metadata, source: { format, path } } })
      await forget(
        device,
        known.filter((memory) => memory.id !== id)
      )
    },
    async remove(paths) {
      await forget(device, (await Promise.all(paths.map(readPath))).flat())
    }
  }
}

const PAGE_MEMORIES = 1000

async function forget(device: Device, memories: readonly KeyedMemory[]): Promise<void> {
  if (memories.length > 0) await device.forget(memories.map(({ id }) => id))
}

function isWithin(path: string, folder: string | undefined): boolean {
  return folder === undefined || path === folder || path.startsWith(`${folder}/`)
}

/** Returns undefined for a memory of another program. */
function toKeyed(
  { id, text, at, metadata }: Pick<MemoryRecord, 'id' | 'text' | 'at' | 'metadata'>,
  format: string
): KeyedMemory | undefined {
  const { format: found, path } = findSource(metadata) ?? {}
  const isOwn = metadata !== undefined && found === format && typeof path === 'string'
  return isOwn ? { path, id, text, at, metadata } : undefined
}
