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

function isGone(error: Error): boolean {
  const { code } = error as SystemError
  return code === 'EPIPE' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED' || code === 'EOF'
}

function makeRefusedFault(name: string, error: Error): Fault {
  return new Fault('system_refused', `${name}: the system refused (${(error as SystemError).code})`, { cause: error })
}
