import { Fault } from '../../src/contract/faults.ts'

/** What is said of a connection that nobody has, or whose collection was deleted. */
export function noConnection(id: string): Fault {
  return new Fault('not_found', `there is no connection ${id}`, {
    hint: 'memctl connections list',
    next: ['memctl connections list']
  })
}
