import { writeSync } from 'node:fs'
import { VERSION } from '../src/cli/command/version.ts'

const argv = process.argv.slice(2)

// Asked often, by other programs too: nothing else is loaded for it. Where its one line is not taken, the rest says so.
if (argv.length !== 1 || argv[0] !== '--version' || !isWritten(`${VERSION}\n`)) {
  const { runMemctl } = await import('./run-memctl.ts')
  await runMemctl(argv)
}

/** By the descriptor: a stream costs more to make than all else here. */
function isWritten(line: string): boolean {
  try {
    return writeSync(1, line) === line.length
  } catch {
    return false
  }
}
