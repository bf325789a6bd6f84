import type { Readable } from 'node:stream'
import type { Processes } from '../../src/ports.ts'

/** This program once more, with `offline.js` (beside it when it is built) loaded before everything else. */
export const nodeProcesses: Processes = {
  runSelfOffline: async (args, environment) => {
    const { spawn } = await import('node:child_process')
    const offline = new URL('./offline.js', import.meta.url).href
    const child = spawn(process.execPath, ['--import', offline, process.argv[1] ?? '', ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true
    })
    const ended = new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? 1))
    })
    const [exitCode, stdout, stderr] = await Promise.all([ended, readText(child.stdout), readText(child.stderr)])
    return { exitCode, stdout, stderr }
  },
  run: async ([program, ...args], { waitMs, signal }) => {
    const { spawn } = await import('node:child_process')
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
      timeout: waitMs,
      signal
    })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    const exitCode = await new Promise<number | undefined>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (code) => resolve(code ?? undefined))
      // A program that leaves another one behind has ended all the same; that one holds its stdout open.
      child.once('exit', (code) => setTimeout(resolve, LAST_WORDS_MS, code ?? undefined).unref())
    })
    child.stdout.destroy()
    return { exitCode, stdout: Buffer.concat(chunks).toString('utf8') }
  }
}

/** How long what a program wrote may take to arrive after its end, in milliseconds. */
const LAST_WORDS_MS = 250

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
