import type { Entry } from '../command.ts'
import { createKey } from '../commands/keys/create-key.ts'
import { listKeys } from '../commands/keys/list-keys.ts'
import { revokeKey } from '../commands/keys/revoke-key.ts'

/** What stands below `memctl keys`. */
export const KEYS_COMMANDS: readonly Entry[] = [listKeys, createKey, revokeKey]
