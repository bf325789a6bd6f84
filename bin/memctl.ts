import { main } from '../src/cli/main.ts'
import { tuneEngine } from './node/tune-engine.ts'
import { nodeWorld } from './node/world.ts'
import { rooms } from './rooms.ts'

/** Codes of a process that was told to stop. */
const STOPPED = [130, 143]

tuneEngine()
const code = await main(process.argv.slice(2), nodeWorld(), rooms)
process.exitCode = code

// Only here: all that was written has been taken by the system, and what still runs was told to stop.
if (STOPPED.includes(code)) process.exit()
