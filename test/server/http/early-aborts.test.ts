import { Buffer } from 'node:buffer'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../bin/node/http/listen.ts'
import { callOf, ROWS, type TestedRow } from '../../contract/row-calls.ts'
import { until } from '../../setup/until.ts'
import { ask, type Does, KEYS, type TestAnswer, type TestApp, testApp } from './app-kit.ts'
import { type RawSocket, rawSocket } from './raw-socket.ts'

/** Rounds in which clients leave, each one turn later than the previous. */
const ROUNDS = 15
/** The share of the stages of all routes that one round tries. After this many rounds, each was tried. */
const PART = process.env.SLOW ? 1 : 15
const AT_ONCE = 40

/** A client that leaves: what its handler does, and when the client leaves. */
type Leaving = { does: Does; leave(socket: RawSocket, request: Sent): Promise<void> }

/** The bytes of a request, and what was observed of its handling. */
type Sent = { head: string; body: string; called: Promise<void>; turns: number }

type Sources = { opened: number; released: number }

/** Every point at which a client may leave, by its name. */
const STAGES: Readonly<Record<string, (sources: Sources) => Leaving>> = {
  'while it sends the head': () => ({
    does: answerAtOnce,
    async leave(socket, { head, turns }) {
      socket.write(head.slice(0, head.length >> 1))
      await pass(turns)
    }
  }),
  'while it sends the body': () => ({
    does: answerAtOnce,
    async leave(socket, { head, body, turns }) {
      socket.write(`${head}${body.slice(0, body.length >> 1)}`)
      await pass(turns)
    }
  }),
  'when all is sent': (sources) => ({
    does: streaming(sources, 'endless'),
    async leave(socket, { head, body, turns }) {
      socket.write(`${head}${body}`)
      await pass(turns)
    }
  }),
  'while the handler works': () => ({
    does: ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
    leave: leaveOnceCalled
  }),
  'before a stream is answered': (sources) => ({
    async does(call, name) {
      await aborted(call.signal)
      return await streaming(sources, 'endless')(call, name)
    },
    leave: leaveOnceCalled
  }),
  'when the handler answers': (sources) => ({ does: streaming(sources, 'endless'), leave: leaveOnceCalled }),
  'while a stream has nothing to send': (sources) => ({
    does: streaming(sources, 'silent'),
    async leave(socket, { head, body }) {
      socket.write(`${head}${body}`)
      await socket.until(/\r\n\r\n/)
    }
  }),
  'in the middle of a stream': (sources) => ({
    does: streaming(sources, 'endless'),
    async leave(socket, { head, body }) {
      socket.write(`${head}${body}`)
      await socket.until(/\r\n\r\n[\s\S]/)
    }
  }),
  'at the end of a stream': (sources) => ({
    does: streaming(sources, 'short'),
    async leave(socket, { head, body }) {
      socket.write(`${head}${body}`)
      await socket.until(/\r\n0\r\n\r\n$|content-length/i)
    }
  }),
  'with requests that wait behind one another': (sources) => ({
    does: streaming(sources, 'silent'),
    async leave(socket, { head, body, turns }) {
      socket.write(`${head}${body}`.repeat(3))
      await socket.until(/\r\n\r\n/)
      await pass(turns)
    }
  })
}

test('releases everything when clients leave early at any stage of any route', async () => {
  const sources = { opened: 0, released: 0 }
  const { app, open, close } = await listening()
  const stages = ROWS.flatMap((tested) => Object.entries(STAGES).map(([stage, make]) => ({ tested, stage, make })))
  const leavings = Array.from({ length: ROUNDS }, (_, turns) =>
    stages
      .filter((_stage, at) => (at + turns) % PART === 0)
      .map(({ tested, stage, make }) => ({ tested, stage, turns, leaving: make(sources) }))
  ).flat()
  for (let at = 0; at < leavings.length; at += AT_ONCE)
    await Promise.all(
      leavings.slice(at, at + AT_ONCE).map(async ({ tested, stage, turns, leaving }, nth) => {
        const { requestId, called } = app.expectCall(`abort-${at + nth}-${stage.replaceAll(' ', '-')}`, leaving.does)
        const socket = open()
        await leaving.leave(socket, { ...(await bytesOf(tested, requestId)), called, turns })
        socket.reset()
      })
    )
  await until(async () => (await metric(app, 'memctl_http_requests_in_flight')) === 1)
  expect(await metric(app, 'memctl_http_requests_working')).toBe(0)
  expect(await metric(app, 'memctl_http_body_bytes_in_flight')).toBe(0)
  await until(() => sources.released === sources.opened)
  expect(sources.opened).toBeGreaterThan(leavings.length / 3)
  expect(app.lines.filter(({ level, fields }) => level === 'error' || fields.status === 429)).toEqual([])
  // The clock stands still, so any wait would never end.
  await app.drain(10_000)
  await close()
})

const answerAtOnce: Does = async () => ({ status: 200, json: [] })

/** A body that never ends, one that is silent, or one of a few bytes. */
function streaming(sources: Sources, kind: 'endless' | 'silent' | 'short'): Does {
  return async (): Promise<TestAnswer> => {
    sources.opened++
    let left = kind === 'short' ? 2 : Number.POSITIVE_INFINITY
    const release = (): void => void sources.released++
    const stream = new ReadableStream<Uint8Array>(
      {
        pull(to) {
          if (kind === 'silent') return new Promise(() => undefined)
          if (left-- > 0) return to.enqueue(new Uint8Array(1024).fill(0x20))
          release()
          return to.close()
        },
        cancel: release
      },
      { highWaterMark: 0 }
    )
    return { status: 200, stream, type: 'application/jsonl' }
  }
}

/** A public row has no handler of the test, so this waits for its reply. */
async function leaveOnceCalled(socket: RawSocket, { head, body, called }: Sent): Promise<void> {
  socket.write(`${head}${body}`)
  await Promise.race([called, socket.until(/\r\n\r\n/)])
}

type Listening = { app: TestApp & ReturnType<typeof expecting>; open(): RawSocket; close(): Promise<void> }

async function listening(): Promise<Listening> {
  const calls = expecting()
  const app = testApp({ does: calls.does, settings: { keyRequestsPerMinute: undefined } })
  const listener = await listen({ host: '127.0.0.1', port: 0, answer: app.fetch, refuse: app.refuse })
  const close = (): Promise<void> => listener.close(0)
  onTestFinished(close)
  return { app: { ...app, ...calls }, open: () => rawSocket(listener.origin), close }
}

/** What the handlers of announced requests do, by request id. */
function expecting() {
  const expected = new Map<string, { does: Does; tell(): void }>()
  const does: Does = async (call, name) => {
    const found = expected.get(call.requestId)
    if (found === undefined) throw new Error(`nobody announced ${call.requestId}`)
    found.tell()
    return await found.does(call, name)
  }
  return {
    does,
    expectCall(requestId: string, handles: Does): { requestId: string; called: Promise<void> } {
      const called = new Promise<void>((tell) => expected.set(requestId, { does: handles, tell }))
      return { requestId, called }
    }
  }
}

async function bytesOf(tested: TestedRow, requestId: string): Promise<{ head: string; body: string }> {
  const request = callOf(tested, { key: KEYS.admin, headers: { 'x-request-id': requestId } })
  const { pathname, search } = new URL(request.url)
  const body = await request.text()
  const lines = [...request.headers].map(([name, value]) => `${name}: ${value}\r\n`)
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`
  const first = `${request.method} ${pathname}${search} HTTP/1.1\r\nhost: 127.0.0.1\r\n`
  return { head: `${first}${lines.join('')}${length}\r\n`, body }
}

async function metric(app: TestApp, name: string): Promise<number> {
  const text = await (await app.fetch(ask('/metrics'))).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

/** Lets both sides, which share this thread, proceed by some turns. */
async function pass(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}
