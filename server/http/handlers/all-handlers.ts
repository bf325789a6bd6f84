import type { Handlers } from '../handler.ts'
import type { ServiceHandlers } from '../service-handlers.ts'
import { collectionHandlers, deviceMemoryHandlers } from './collection-handlers.ts'
import { connectorHandlers, consentHandlers, syncHandlers, vaultHandlers } from './connector-handlers.ts'

import type { HandlerWorld } from './handler-world.ts'
import { keyHandlers } from './key-handlers.ts'
import { mcpHandlers } from './mcp-handlers.ts'
import { memoryHandlers } from './memory-handlers.ts'

/** Creates all handlers except those of the service itself. */
export function allHandlers(world: HandlerWorld): Omit<Handlers, keyof ServiceHandlers> {
  return {
    ...collectionHandlers(world),
    ...keyHandlers(world),
    ...memoryHandlers(world),
    ...mcpHandlers(world),
    ...deviceMemoryHandlers(world),
    ...connectorHandlers(world),
    ...consentHandlers(world),
    ...syncHandlers(world),
    ...vaultHandlers(world)
  }
}
