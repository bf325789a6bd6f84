import { connect, type Socket } from 'node:net'

/** A raw connection on which a test writes bytes, and what it received. */
export type RawSocket = {
  write(text: string | Uint8Array): void
  /** Returns everything received once it matches, or once the other side has closed. */
  until(pattern: RegExp): Promise<string>
  /** Returns everything once the other side has closed. */
  end(): Promise<string>
  /** Stops reading. */
  pause(): void
  /** Resets the connection. */
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
  // A reset by the other side is an error here; only its reply matters.
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
