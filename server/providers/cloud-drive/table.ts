import type { Ledger, Page } from '../provider.ts'

/** A part of the ledger with what a page changes in it. Only keys with its prefix belong to it. */
export type Table = {
  get(key: string): Promise<string | undefined>
  /** Those whose key begins with `prefix`, without this table's own. */
  entries(prefix: string): Promise<Map<string, string>>
  set(key: string, value: string | undefined): void
  /** All that was set, for the page. */
  changes(): NonNullable<Page['ledger']>
}

/** The part of a ledger whose keys begin with `own`, with nothing changed yet. */
export function openTable(ledger: Ledger, own: string): Table {
  const written = new Map<string, string | undefined>()
  return {
    async get(key) {
      return written.has(key) ? written.get(key) : ledger.get(own + key)
    },
    async entries(prefix) {
      const found = new Map<string, string>()
      for (const [key, value] of await ledger.entries(own + prefix)) found.set(key.slice(own.length), value)
      for (const [key, value] of written) {
        if (!key.startsWith(prefix)) continue
        if (value === undefined) found.delete(key)
        else found.set(key, value)
      }
      return found
    },
    set: (key, value) => written.set(key, value),
    changes: () => [...written].map(([key, value]) => [own + key, value] as const)
  }
}
