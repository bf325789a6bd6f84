import type { ScreenSize } from '../../../src/ports.ts'

/** The drawing area and its current size. */
export type Surface = {
  size(): ScreenSize
  /** Calls back after each change of size, until the returned function is called. */
  onResize(changed: () => void): () => void
  /** Hides the display while the process is suspended. */
  onSuspension(display: Display): Suspension
}

/** The size if the terminal does not report one. */
const SIZE_UNKNOWN = { columns: 80, rows: 24 }

/** Moves to the top left corner and clears the screen. */
const CLEAR_SCREEN = '\u001b[H\u001b[J'

/** Creates the surface of a terminal that delivers each key as it is pressed. */
export function terminalSurface(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Surface {
  return {
    size: () => ({ columns: output.columns || SIZE_UNKNOWN.columns, rows: output.rows || SIZE_UNKNOWN.rows }),
    // A change of size may rewrap lines in any way, so the screen is cleared and all of them are drawn again.
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
          // The shell has changed the terminal's mode, and the stream does not know.
          input.setRawMode(false)
          input.setRawMode(true)
          if (!left) output.write(CLEAR_SCREEN)
          comeBack(left)
        }
      })
  }
}

type Hooks = Pick<typeof import('@inquirer/core'), 'useEffect' | 'useState'>

/** Drawn while a prompt is hidden. For an empty text, the prompt package would draw two lines. */
export const AWAY = ' '

/** Reports whether a prompt is hidden. A prompt must call it each time it is drawn. */
export function useAway({ useEffect, useState }: Hooks, surface: Surface): boolean {
  const [now, setNow] = useState({ away: false })
  useEffect((readline) => {
    const { suspend, forget } = surface.onSuspension({
      leave: () => setNow({ away: true }),
      comeBack: () => setNow({ away: false })
    })
    // Otherwise the package's line would suspend the process itself and accept no keys after that.
    readline.on('SIGTSTP', suspend)
    return forget
  }, [])
  return now.away
}

/** A display that is hidden while the process is suspended. */
export type Display = {
  /** Called before the process stops: the display must leave nothing on the terminal where the shell writes. */
  leave(): void
  /**
   * Called when the process was continued, possibly twice. `left` is false after SIGSTOP, when the terminal may show
   * anything.
   */
  comeBack(left: boolean): void
}

type Suspension = {
  /**
   * Stops the process group, as Ctrl-Z does on a terminal that is not in raw mode. Returns when the process is
   * continued.
   */
  suspend(): void
  forget(): void
}

/** The process group, which a shell stops and continues as one. */
const TOGETHER = 0

const displays = new Set<Display>()
let left = false

/** Hides a display at each suspension, by key or by signal, until it is forgotten. */
export function heedSuspension(display: Display): Suspension {
  // Windows has no suspension and no such signal.
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

/**
 * Stops the whole process group, as the terminal does. A process of a pipe that stops alone would leave the shell
 * waiting for the others.
 */
function stop(): void {
  for (const display of displays) display.leave()
  left = true
  // Without a listener the signal stops the process immediately, or does nothing if there is no shell to continue it.
  process.off('SIGTSTP', stop)
  process.kill(TOGETHER, 'SIGTSTP')
  process.on('SIGTSTP', stop)
  for (const display of displays) display.comeBack(true)
}

function goOn(): void {
  for (const display of displays) display.comeBack(left)
  left = false
}
