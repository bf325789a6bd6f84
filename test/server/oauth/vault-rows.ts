import type { VaultKeysParts } from '../../../server/oauth/vault/vault-keys.ts'
import type { ConnectorStorage, Sealed, StaleSecret } from '../../../server/storage/port/connector-storage.ts'

type VaultStorage = VaultKeysParts['storage'] & Pick<ConnectorStorage, 'listStaleSecrets' | 'resealSecret'>

/** The part of a storage that the vault needs, with secrets by their identity. */
export type MemoryVaultRows = VaultStorage & {
  /** The id of the store. */
  id: string | undefined
  current: string | undefined
  secrets: Map<string, Sealed>
  /** Stores a secret if it is sealed with the current key. */
  put(identity: string, secret: Sealed): Promise<'put' | 'stale_key'>
}

export function memoryVaultRows(): MemoryVaultRows {
  const rows: MemoryVaultRows = {
    id: undefined,
    current: undefined,
    async ensureStoreId(proposed) {
      rows.id ??= proposed
      return rows.id
    },
    secrets: new Map(),
    listVaultKeys: async () => ({
      current: rows.current,
      used: [...new Set([...rows.secrets.values()].map(({ keyId }) => keyId))]
    }),
    async changeVaultKey(before, next) {
      if (rows.current === before) rows.current = next
      return rows.current === next
    },
    async listStaleSecrets(limit) {
      const stale = [...rows.secrets].filter(([, { keyId }]) => keyId !== rows.current)
      return stale
        .slice(0, limit)
        .map(([id, secret]): StaleSecret => ({ kind: 'credential', id, identity: id, secret }))
    },
    async resealSecret({ id, secret }, next) {
      if (rows.secrets.get(id) !== secret || next.keyId !== rows.current) return false
      rows.secrets.set(id, next)
      return true
    },
    async put(identity, secret) {
      if (secret.keyId !== rows.current) return 'stale_key'
      rows.secrets.set(identity, secret)
      return 'put'
    }
  }
  return rows
}
