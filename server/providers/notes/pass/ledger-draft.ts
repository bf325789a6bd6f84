import type { Ledger } from '../../provider.ts'

/** A ledger with changes that are not written yet: they are, together with the page that they belong to. */
export type LedgerDraft = Ledger & {
  /** `undefined` takes a key out. */
  set(key: string, value: string | undefined): void
  changes(): (readonly [key: string, value: string | undefined])[]
}

/** A draft without changes. */
export function openDraft(ledger: Ledger): LedgerDraft {
  const changed = new Map<string, string | undefined>()
  return {
    get: async (key) => (changed.has(key) ? changed.get(key) : await ledger.get(key)),
    async entries(prefix) {
      const all = new Map(await ledger.entries(prefix))
      for (const [key, value] of changed) {
        if (!key.startsWith(prefix)) continue
        if (value === undefined) all.delete(key)
        else all.set(key, value)
      }
      return all
    },
    set: (key, value) => {
      changed.set(key, value)
    },
    changes: () => [...changed]
  }
}
