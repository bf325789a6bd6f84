import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'

/**
 * Runs the commands of `npm run check` and `npm run build` in parallel, since each mostly uses one processor. Prints the
 * output of each when it ends, and fails if any fails.
 */

const isWindows = process.platform === 'win32'
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const codes = await Promise.all([...scripts.check.split(' && '), 'npm run build'].map(run))
process.exitCode = codes.find((code) => code !== 0) ?? 0

async function run(command) {
  const child = spawn('npm', ['exec', '--offline', '-c', isWindows ? `"${command}"` : command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows
  })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  return code ?? 1
}
