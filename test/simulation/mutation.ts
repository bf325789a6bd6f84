import type { Service } from '../../server/service/start-service.ts'
import type { Storage } from '../../server/storage/port/storage.ts'
import type { Clock } from '../../src/ports.ts'

/**
 * A bug that is introduced on purpose around the ports of a node. Each simulation creates its own, because a bug may
 * have state.
 */
export type Mutation = () => {
  /** Wraps the storage of one node. */
  storage(storage: Storage, clock: Clock): Storage
  /** Wraps the storage that both nodes share. The watch is above it and sees the original call with the result. */
  engine?(storage: Storage): Storage
  service(service: Service): Service
}

/** The unchanged product. */
export const NO_MUTATION: Mutation = () => ({ storage: (storage) => storage, service: (service) => service })
