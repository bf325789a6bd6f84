import { connect, type Socket } from 'node:net'

/** A connection on which a test writes what it likes, and what came back. */
export type RawSocket = {
  write(text: string | Uint8Array): void
  /** All that was received, once it holds what is looked for or the other side has closed. */
  until(pattern: RegExp): Promise<string>
  /** Everything, once the other side has closed. */
  end(): Promise<string>
  /** Reads no more. */
  pause(): void
  /** Goes away without a word. */
  reset(): void
}

/** Connects to a server of the test. */
export function rawSocket(origin: string): RawSocket {
  const { port, hostname } = new URL(origin)
  const socket: Socket = connect(Number(port), hostname)
  let text = ''
  let closed = false
  const wakes: (() => void)[] = []
  const wake = (): void => {
    for (const one of wakes.splice(0)) one()
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
    wake()
  })
  // What the other side refuses to read shows as an error here, and its answer is what counts.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    closed = true
    wake()
  })

  const until = async (holds: () => boolean): Promise<string> => {
    while (!holds() && !closed) await new Promise<void>((resolve) => wakes.push(resolve))
    return text
  }
  return {
    write: (bytes) => void socket.write(bytes),
    until: (pattern) => until(() => pattern.test(text)),
    end: () => until(() => false),
    pause: () => void socket.pause(),
    reset: () => void socket.resetAndDestroy()
  }
}
