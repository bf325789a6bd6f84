import { Fault } from '../../src/contract/faults.ts'

/** Builds the fault for a connection that does not exist or whose collection was deleted. */
export function noConnection(id: string): Fault {
  return new Fault('not_found', `connection ${id} does not exist`, {
    hint: 'memctl connections list',
    next: ['memctl connections list']
  })
}
