import { VERSION } from '../src/cli/version.ts'

const argv = process.argv.slice(2)

// Asked often, by other programs too: nothing else is loaded for it. Where its one line is not taken, the rest says so.
if (argv.length !== 1 || argv[0] !== '--version' || !(await isWritten(`${VERSION}\n`))) {
  const { runMemctl } = await import('./run-memctl.ts')
  await runMemctl(argv)
}

function isWritten(line: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.once('error', () => resolve(false))
    process.stdout.write(line, (error) => resolve(!error))
  })
}
