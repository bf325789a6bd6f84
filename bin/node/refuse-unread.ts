import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { Fault } from '../../src/contract/faults.ts'
import type { Lingering } from './linger.ts'

/** What is said to who sent something that is no request, so that whoever answers requests never sees it. */
export type Refuse = (fault: Fault) => Response | Promise<Response>

type Refusing = { refuse: Refuse; lingering: Lingering }

/**
 * What cannot be read as a request never gets to who answers requests. Here its sender is told so, in the form of every
 * other refusal, and the connection ends: where the next request would begin, nobody knows.
 */
export function refuseUnread(server: Server, { refuse, lingering }: Refusing): void {
  const underWay = new Map<Socket, ServerResponse>()
  server.on('request', ({ socket }: IncomingMessage, outgoing) => {
    underWay.set(socket, outgoing)
    outgoing.once('close', () => {
      if (underWay.get(socket) === outgoing) underWay.delete(socket)
    })
  })
  server.on('clientError', async (error: NodeJS.ErrnoException, stream) => {
    // A server of HTTP has sockets of TCP.
    const socket = stream as Socket
    // Each further chunk of what could not be read is one more error.
    if (lingering.has(socket)) return
    const mayTell = (): boolean => socket.writable && underWay.get(socket)?.headersSent !== true
    if (!mayTell()) return void socket.destroy()
    const bytes = await bytesOf(await refuse(faultOf(error)))
    if (lingering.has(socket)) return
    if (!mayTell()) return void socket.destroy()
    socket.write(bytes)
    lingering.begin(socket)
  })
}

async function bytesOf(response: Response): Promise<string> {
  const { status, headers } = response
  headers.set('connection', 'close')
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${await response.text()}`
}

function faultOf(error: NodeJS.ErrnoException): Fault {
  const { code } = error
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Fault('timed_out', 'the request did not come in time')
  if (code === 'HPE_HEADER_OVERFLOW' || code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new Fault('too_large', 'the head of the request is over the limit', {
      hint: 'send fewer or shorter headers'
    })
  }
  return new Fault('malformed_request', 'what came is no request of HTTP', { cause: error })
}
