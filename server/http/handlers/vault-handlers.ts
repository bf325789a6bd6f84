import type { Handlers } from '../handler.ts'
import type { HandlerWorld } from './handler-world.ts'

/** What is done to the vault as a whole. */
export function vaultHandlers({ connectors }: HandlerWorld): Pick<Handlers, 'rotateVaultKey'> {
  return {
    async rotateVaultKey() {
      const { keyId, resealed } = await connectors.rotate()
      return { status: 200, json: { key_id: keyId, resealed } }
    }
  }
}
