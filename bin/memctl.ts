import { writeSync } from 'node:fs'
import { VERSION } from '../src/cli/command/version.ts'

const argv = process.argv.slice(2)

// The version is often requested by other programs, so nothing else is loaded for it. If the line cannot be written,
// the normal start reports why.
if (argv.length !== 1 || argv[0] !== '--version' || !isWritten(`${VERSION}\n`)) {
  const { runMemctl } = await import('./run-memctl.ts')
  await runMemctl(argv)
}

/** Writes to the descriptor, because creating a stream takes longer than everything else here. */
function isWritten(line: string): boolean {
  try {
    return writeSync(1, line) === line.length
  } catch {
    return false
  }
}
