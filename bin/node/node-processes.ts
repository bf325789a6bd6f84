import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Processes } from '../../src/ports.ts'

/** Runs this program again, with `offline.js` (beside it in a build) loaded first. */
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
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true, signal })
    const end = (): void => void child.kill('SIGKILL')
    // A separate timer: that of `spawn` keeps running after a program that could not be started.
    const late = setTimeout(end, waitMs)
    const chunks = collect(child.stdout, end)
    try {
      const exitCode = await awaitEnd(child)
      return { exitCode, stdout: Buffer.concat(chunks).toString('utf8') }
    } finally {
      clearTimeout(late)
      child.stdout.destroy()
    }
  },
  page: async (words, text, signal) => await (await import('./terminal/run-pager.ts')).runPager(words, text, signal)
}

/** Bytes of output after which a program is ended. */
const STDOUT_BYTES_MAX = 1 << 20

/** Collects the chunks of a stream. */
function collect(stream: Readable, tooMuch: () => void): readonly Buffer[] {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size <= STDOUT_BYTES_MAX) return
    stream.destroy()
    tooMuch()
  })
  return chunks
}

function awaitEnd(child: ChildProcess): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? undefined))
    // A program has ended even if it leaves a child behind that holds its stdout open.
    child.once('exit', (code) => setTimeout(resolve, LAST_WORDS_MS, code ?? undefined).unref())
  })
}

/** How long output may arrive after a program's end, in milliseconds. */
const LAST_WORDS_MS = 250

async function readText(stream: Readable): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
