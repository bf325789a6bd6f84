import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { createInterface } from 'node:readline'
import { text as textOf } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type Ended, ended, PROGRAM } from '../../cli/built-program.ts'

/** A key in the format of the server. */
export const ADMIN_KEY = `mk_${'A'.repeat(43)}`

/** A server in a separate process, on a free port by default. */
export type ServerProcess = { origin: string; child: ChildProcess; ended: Promise<Ended>; call: Call }

export type Call = (method: string, path: string, body?: unknown) => Promise<{ status: number; text: string }>

/** Starts a server with all its folders in `home`, and waits until it answers. */
export async function startProcess(home: string, args: readonly string[] = []): Promise<ServerProcess> {
  const { child, end } = spawnServer(home, args)
  const line = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const first = await Promise.race([
    once(line, 'line'),
    end.then(({ code, stderr }): never => {
      throw new Error(`the server ended with ${code}: ${stderr}`)
    })
  ])
  const { origin } = JSON.parse(String(first[0])) as { origin: string }
  return { origin, child, ended: end, call: callTo(origin) }
}

/** Starts a server that is expected to exit by itself. */
export async function runToEnd(home: string, args: readonly string[] = []): Promise<Ended> {
  return spawnServer(home, args).end
}

function spawnServer(home: string, args: readonly string[]): { child: ChildProcess; end: Promise<Ended> } {
  const env = { PATH: process.env.PATH, HOME: home, MEMCTL_ADMIN_KEY: ADMIN_KEY, MEMCTL_RATE_LIMIT: 'off' }
  const words = [PROGRAM, 'server', 'start', '--json', ...(args.includes('--port') ? [] : ['--port', '0']), ...args]
  const child = spawn(process.execPath, words, { cwd: home, env, stdio: 'pipe' })
  child.stdin?.end()
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, end: ended(child) }
}

/** Creates a function for JSON calls with the admin's key. A text is sent as lines. */
export function callTo(origin: string, key = ADMIN_KEY): Call {
  return async (method, path, body) => {
    const isText = typeof body === 'string'
    const headers: Record<string, string> = { authorization: `Bearer ${key}` }
    if (body !== undefined) headers['content-type'] = isText ? 'application/jsonl' : 'application/json'
    const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }
    const response = await fetch(`${origin}${path}`, { method, headers, ...sent })
    return { status: response.status, text: await response.text() }
  }
}

type Slow = { path: string; type: string; body: Uint8Array; key?: string }

/** Sends a request with the first half of its body. The test sends the rest later, or never. */
export function sendSlowly(origin: string, { path, type, body, key = ADMIN_KEY }: Slow) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-length': body.length }
  const sending = request(`${origin}${path}`, { method: 'POST', headers, agent: false })
  const half = body.length >> 1
  sending.write(body.subarray(0, half))
  const answer = (async () => {
    const [response] = (await once(sending, 'response')) as [IncomingMessage]
    return { status: response.statusCode, text: await textOf(response) }
  })()
  // A test that breaks the request off does not wait for the reply.
  answer.catch(() => undefined)
  return { answer, finish: () => sending.end(body.subarray(half)), breakOff: () => sending.destroy() }
}
