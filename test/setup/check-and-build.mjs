import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/**
 * Runs `npm run check` and `npm run build` in parallel, since each mostly uses one processor. Prints the output of each
 * when it ends, and fails if either fails.
 */

const isWindows = process.platform === 'win32'

const codes = await Promise.all(['check', 'build'].map(runScript))
process.exitCode = codes.find((code) => code !== 0) ?? 0

async function runScript(name) {
  const child = spawn('npm', ['run', name], { stdio: ['ignore', 'pipe', 'pipe'], shell: isWindows })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  process.stdout.write(stdout)
  process.stderr.write(stderr)
  return code ?? 1
}
