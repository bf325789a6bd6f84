import { Fault } from '../../../src/contract/faults.ts'

/** The command that starts a server with an empty store although one existed before. */
const NEW_STORE_COMMAND = 'memctl server start --new-store'

/** Builds the fault of a storage that is empty although a key file was made for a store. `place` names the storage. */
export function makeLostStoreFault(place: string, keyFile: string): Fault {
  return emptyStoreFault(place, `the key file ${keyFile} belongs to a store`)
}

/**
 * Builds the fault of a storage that is empty although a store must have existed. `evidence` is a clause with the
 * reason.
 */
export function emptyStoreFault(place: string, evidence: string): Fault {
  return new Fault('conflict', `${place} is empty, but ${evidence}`, {
    hint: `restore the database, or start with an empty one: ${NEW_STORE_COMMAND}`,
    next: [NEW_STORE_COMMAND]
  })
}
