import processes from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'

/** Makes starting a process throw: the quick suite starts none, because that is slow on a busy machine. */
const STARTERS = ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const

for (const name of STARTERS) {
  Object.assign(processes, {
    [name]: () => {
      throw new Error(`the quick suite starts no process: exclude this test in test/config/quick.config.ts (${name})`)
    }
  })
}
syncBuiltinESMExports()
