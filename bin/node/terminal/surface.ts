import type { ScreenSize } from '../../../src/ports.ts'

/** What is drawn on, and how large it is now. */
export type Surface = {
  size(): ScreenSize
  /** Calls back after each change of size, until the returned function is called. */
  onResize(changed: () => void): () => void
  /** Has what is drawn leave while the process is suspended. */
  onSuspension(display: Display): Suspension
}

/** Where nobody knows how large a terminal is. */
const SIZE_UNKNOWN = { columns: 80, rows: 24 }

/** The top left corner, and nothing on the screen. */
const CLEAR_SCREEN = '\u001b[H\u001b[J'

/** A terminal that hands over each key as it is pressed. */
export function terminalSurface(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Surface {
  return {
    size: () => ({ columns: output.columns || SIZE_UNKNOWN.columns, rows: output.rows || SIZE_UNKNOWN.rows }),
    // A change of size may break lines anew in any way, so that all of them are drawn on an empty screen.
    onResize(changed) {
      const listener = (): void => {
        output.write(CLEAR_SCREEN)
        changed()
      }
      output.on('resize', listener)
      return () => output.off('resize', listener)
    },
    onSuspension: ({ leave, comeBack }) =>
      heedSuspension({
        leave() {
          leave()
          input.setRawMode(false)
        },
        comeBack(left) {
          // The shell has set the terminal as it likes it, of which the stream knows nothing.
          input.setRawMode(false)
          input.setRawMode(true)
          if (!left) output.write(CLEAR_SCREEN)
          comeBack(left)
        }
      })
  }
}

type Hooks = Pick<typeof import('@inquirer/core'), 'useEffect' | 'useState'>

/** Drawn while a prompt is away: of nothing at all the package for prompts would make two lines. */
export const AWAY = ' '

/** Whether a prompt is away, of which no line may be on the terminal. To be called by a prompt each time it is drawn. */
export function useAway({ useEffect, useState }: Hooks, surface: Surface): boolean {
  const [now, setNow] = useState({ away: false })
  useEffect((readline) => {
    const { suspend, forget } = surface.onSuspension({
      leave: () => setNow({ away: true }),
      comeBack: () => setNow({ away: false })
    })
    // Without this the package's line would suspend by itself, and take no key after that.
    readline.on('SIGTSTP', suspend)
    return forget
  }, [])
  return now.away
}

/** What steps aside while the process is suspended. */
export type Display = {
  /** The process is about to stop: nothing may stay on the terminal that the shell would write into. */
  leave(): void
  /** The process was continued; may be called twice. `left` is false if it was stopped by SIGSTOP: the terminal may hold anything then. */
  comeBack(left: boolean): void
}

type Suspension = {
  /** Stops the process group as Ctrl-Z does on a terminal that is not in raw mode. Returns when the process is continued. */
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
