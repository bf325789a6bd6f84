/** What steps aside while the process is suspended. */
export type Display = {
  /** The process is about to stop: nothing may stay on the terminal that the shell would write into. */
  leave(): void
  /** It goes on, and may be told so twice. `left` is false where it was stopped without a word: the terminal may hold anything then. */
  comeBack(left: boolean): void
}

export type Suspension = {
  /** Does what the terminal itself would do at Ctrl-Z, where it hands over all keys as they are. Returns when the process goes on. */
  suspend(): void
  forget(): void
}

/** This process and those it was started together with, which a shell stops and continues as one. */
const TOGETHER = 0

const displays = new Set<Display>()
let left = false

/** Has something step aside at each suspension, by key or by signal, until that is forgotten. */
export function heedSuspension(display: Display): Suspension {
  // There is none on that system, nor a signal of it.
  if (process.platform === 'win32') return { suspend: () => undefined, forget: () => undefined }
  if (displays.size === 0) process.on('SIGTSTP', stop).on('SIGCONT', goOn)
  displays.add(display)
  return {
    suspend: stop,
    forget() {
      displays.delete(display)
      if (displays.size === 0) process.off('SIGTSTP', stop).off('SIGCONT', goOn)
    }
  }
}

/** Stops all of them, as the terminal does: who stops alone in a pipe leaves the shell waiting for the others. */
function stop(): void {
  for (const display of displays) display.leave()
  left = true
  // With no listener the signal stops the process here and now; or does nothing, where no shell is there to continue it.
  process.off('SIGTSTP', stop)
  process.kill(TOGETHER, 'SIGTSTP')
  process.on('SIGTSTP', stop)
  for (const display of displays) display.comeBack(true)
}

function goOn(): void {
  for (const display of displays) display.comeBack(left)
  left = false
}
