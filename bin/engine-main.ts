import type { ThreadMain } from '../src/ports.ts'

/** The engine of the server, as it is run in a thread. */
export const engineMain: ThreadMain = () => ({})
