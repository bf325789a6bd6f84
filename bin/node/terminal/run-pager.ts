import { spawn } from 'node:child_process'

/** Signals that end a pager at the request of a person. */
const LEAVES = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGPIPE']

/** Options of `less` if the user has set none: leave if the text fits the screen, show colors, keep the screen. */
const LESS = 'FRX'

/**
 * Runs a pager on this process's terminal until it ends. Resolves with false if the pager could not be started or
 * reported a failure.
 */
export async function runPager(
  [program, ...args]: readonly [string, ...string[]],
  text: string,
  signal: AbortSignal
): Promise<boolean> {
  let isInterrupted = false
  const restore = takeOverCtrlC(() => {
    isInterrupted = true
  })
  const child = spawn(program, args, {
    env: { LESS, ...process.env },
    stdio: ['pipe', 'inherit', 'inherit'],
    windowsHide: true
  })
  const end = (): void => void child.kill('SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  try {
    return await new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false))
      child.once('close', (code, by) => resolve(code === 0 || isInterrupted || LEAVES.includes(by ?? '')))
      // A pager that a person leaves early does not read the rest.
      child.stdin.on('error', () => undefined)
      child.stdin.end(text)
    })
  } finally {
    signal.removeEventListener('abort', end)
    restore()
  }
}

/**
 * Sends SIGINT to one listener alone, and returns a function that restores the others. The terminal sends the signal to
 * the pager too, which decides what it means.
 */
function takeOverCtrlC(listener: () => void): () => void {
  const others = process.listeners('SIGINT')
  process.on('SIGINT', listener)
  for (const one of others) process.off('SIGINT', one)
  return () => {
    for (const one of others) process.on('SIGINT', one)
    process.off('SIGINT', listener)
  }
}
