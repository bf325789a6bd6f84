import processes from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/** The quick suite starts no process, which takes long on a busy machine: a test of it that does fails here. */
const STARTERS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const

for (const name of STARTERS) {
  Object.assign(processes, {
    [name]: () => {
      throw new Error(`the quick suite starts no process: exclude this test in test/config/quick.config.ts (${name})`)
    }
  })
}
syncBuiltinESMExports()
