import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, fchmodSync, openSync } from 'node:fs'
import type { DetachedProcess, DetachedStart } from '../../src/ports.ts'

/** Appends, creates a missing file, and never follows a link. */
const LOG_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Passes the path of the log to the new process. */
export const LOG_FILE_VARIABLE = 'MEMCTL_SERVER_LOG_FILE'

/** Makes the new process stop when its stdin ends. */
const TIED_VARIABLE = 'MEMCTL_SERVER_TIED'

/**
 * Starts this program in its own process group. Its stderr is the log, which only the owner can read. This process
 * reads its stdout until it releases it. It has no stdin unless `tied`: then nothing is written to it, and the system
 * closes it together with this process.
 */
export function detach({ args, environment, logFile, tied }: DetachedStart): DetachedProcess {
  const log = openSync(logFile, LOG_FLAGS, 0o600)
  try {
    fchmodSync(log, 0o600)
    const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
      detached: true,
      stdio: [tied ? 'pipe' : 'ignore', 'pipe', log],
      env: { ...process.env, ...environment, [LOG_FILE_VARIABLE]: logFile, [TIED_VARIABLE]: tied ? '1' : '' },
      windowsHide: true
    })
    return { pid: child.pid ?? 0, firstLine: firstLine(child), ended: awaitEnd(child), release: () => letGo(child) }
  } finally {
    closeSync(log)
  }
}

/**
 * Returns a signal that is aborted when the parent process has released this one or ended. It is never aborted for a
 * process that is not tied.
 */
export function letGoSignal(): { signal: AbortSignal; close(): void } {
  const over = new AbortController()
  if (process.env[TIED_VARIABLE] !== '1') return { signal: over.signal, close: () => undefined }
  const { stdin } = process
  const stop = (): void => over.abort()
  for (const event of ['end', 'close', 'error']) stdin.once(event, stop)
  stdin.resume()
  return { signal: over.signal, close: () => void stdin.destroy() }
}

async function firstLine({ stdout }: ChildProcess): Promise<string | undefined> {
  let text = ''
  for await (const chunk of stdout?.setEncoding('utf8') ?? []) {
    text += chunk
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
  }
  return undefined
}

function awaitEnd(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1))
  })
}

function letGo(child: ChildProcess): void {
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.unref()
}
