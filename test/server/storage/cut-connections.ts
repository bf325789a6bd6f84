import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A connection to PostgreSQL that a test can interrupt and restore. */
export type Way = {
  url: string
  /** Breaks all connections. */
  cut(): void
  /** Refuses connections until `open`. */
  close(): Promise<void>
  open(): Promise<void>
  /** Breaks the connection that sends these words, after PostgreSQL received them and before it answers. */
  cutAfter(words: string): void
}

/** Creates a proxy between a test and the PostgreSQL of a URL. */
export async function wayTo(url: string): Promise<Way> {
  const { hostname, port: farPort } = new URL(url)
  const sockets = new Set<Socket>()
  const cutting: { words: string | undefined } = { words: undefined }
  const server = createServer((near) => {
    const far = connect(Number(farPort), hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    far.pipe(near)
    near.on('data', (bytes) => {
      far.write(bytes)
      if (cutting.words === undefined || !bytes.includes(cutting.words)) return
      cutting.words = undefined
      near.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const here = new URL(url)
  here.port = String(port)

  const way: Way = {
    url: here.href,
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      if (!server.listening) return
      server.close()
      way.cut()
      await once(server, 'close')
    },
    async open() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    cutAfter(words) {
      cutting.words = words
    }
  }
  onTestFinished(() => way.close())
  return way
}
