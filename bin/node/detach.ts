import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, fchmodSync, openSync } from 'node:fs'
import type { DetachedProcess, DetachedStart } from '../../src/ports.ts'

/** Appended to, made where it is missing, and never through a link. */
const LOG_FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NOFOLLOW ?? 0)

/** Tells the new process where its stderr leads. */
export const LOG_FILE_VARIABLE = 'MEMCTL_SERVER_LOG_FILE'

/**
 * This program in a process group of its own. Its stderr is the log, which only the owner may read; it has no stdin, and its
 * stdout is ours to read until we let go.
 */
export function detach({ args, environment, logFile }: DetachedStart): DetachedProcess {
  const log = openSync(logFile, LOG_FLAGS, 0o600)
  try {
    fchmodSync(log, 0o600)
    const child = spawn(process.execPath, [process.argv[1] ?? '', ...args], {
      detached: true,
      stdio: ['ignore', 'pipe', log],
      env: { ...process.env, ...environment, [LOG_FILE_VARIABLE]: logFile },
      windowsHide: true
    })
    return { pid: child.pid ?? 0, firstLine: firstLine(child), ended: endOf(child), release: () => letGo(child) }
  } finally {
    closeSync(log)
  }
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

function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? signal ?? 1))
  })
}

function letGo(child: ChildProcess): void {
  child.stdout?.destroy()
  child.unref()
}
