import type { WriteStream } from 'node:tty'
import { Fault } from '../../../src/contract/faults.ts'
import type { Environment, Output, SystemError } from '../../../src/ports.ts'

/**
 * Creates the output port of stdout or stderr. A write resolves when the system has accepted all of it, so a slow
 * reader slows the writer down. If the reader is gone, the output closes silently. Any other error, such as a full
 * disk, rejects.
 */
export function nodeOutput(name: string, stream: WriteStream, environment: Environment): Output {
  const output = {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns > 0 ? stream.columns : COLUMNS_UNKNOWN
    },
    get rows() {
      return stream.rows > 0 ? stream.rows : ROWS_UNKNOWN
    },
    colors: wantsColors(stream.isTTY === true, environment),
    links: showsLinks(stream.isTTY === true, environment),
    closed: false,
    write: (text: string | Uint8Array): Promise<void> => {
      if (output.closed) return Promise.resolve()
      return new Promise((resolve, reject) => {
        stream.write(text, (error) => {
          // Through the event loop, so that signals are handled during long output.
          if (!error) return void setImmediate(resolve)
          output.closed = true
          if (isGone(error)) resolve()
          else reject(makeRefusedFault(name, error))
        })
      })
    }
  }
  // Every failed write is handled above. Without a listener, the error would be thrown a second time.
  stream.on('error', () => {
    output.closed = true
  })
  return output
}

const COLUMNS_UNKNOWN = 80
const ROWS_UNKNOWN = 24

/**
 * Reports whether to use colors: by `NO_COLOR` (no-color.org), then `FORCE_COLOR`, then the capabilities of the
 * terminal.
 */
export function wantsColors(isTerminal: boolean, environment: Environment): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = environment
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTerminal && TERM !== 'dumb'
}

/**
 * Reports whether the terminal shows links (OSC 8): by `FORCE_HYPERLINK`, then by the variables that terminals with links set.
 * A terminal that does not know the sequence may print it, so an unknown one gets none.
 */
export function showsLinks(isTerminal: boolean, environment: Environment): boolean {
  const { FORCE_HYPERLINK, CI, TERM, TERM_PROGRAM, VTE_VERSION } = environment
  if (FORCE_HYPERLINK !== undefined) return FORCE_HYPERLINK !== '0' && FORCE_HYPERLINK !== 'false'
  if (!isTerminal || TERM === 'dumb' || CI !== undefined) return false
  if (LINKING_VARIABLES.some((name) => environment[name] !== undefined)) return true
  if (VTE_VERSION !== undefined) return Number(VTE_VERSION) >= VTE_LINKS
  return LINKING_PROGRAMS.has(TERM_PROGRAM ?? '') || LINKING_TERMS.has(TERM ?? '')
}

const LINKING_VARIABLES = ['WT_SESSION', 'KITTY_WINDOW_ID', 'KONSOLE_VERSION', 'DOMTERM']
const LINKING_PROGRAMS: ReadonlySet<string> = new Set(['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'zed'])
const LINKING_TERMS: ReadonlySet<string> = new Set(['xterm-kitty', 'alacritty', 'foot', 'xterm-ghostty'])
/** VTE 0.50 is the first with links; 0.50.0 crashed on them. */
const VTE_LINKS = 5001

function isGone(error: Error): boolean {
  const { code } = error as SystemError
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED' || code === 'EOF'
}

function makeRefusedFault(name: string, error: Error): Fault {
  return new Fault('system_refused', `${name}: system error ${(error as SystemError).code}`, { cause: error })
}
