import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended, ensureBuilt, runProgram, start } from './built-program.ts'

/** The built program against a small server in this process, over a socket. */

const home = mkdtempSync(join(tmpdir(), 'memctl-service-'))
const server = http.createServer((request, response) => {
  const answer = ANSWERS[request.url ?? ''] ?? answerJson
  answer(response, request)
})
/** Called when somebody waits for an answer that never comes. */
let onWaiting: () => void = () => undefined
let origin = ''

beforeAll(async () => {
  ensureBuilt()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(home, { recursive: true })
})

test('a request goes over the socket, and its answer to a pipe as it came', async () => {
  const { code, stdout, stderr } = await runProgram(['api', 'GET', '/x', '--server', origin], home)
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '[{"path":"/x","key":null}]', stderr: '' })
})

test('a reader that goes away ends an endless answer quietly', async () => {
  const child = start(['api', 'GET', '/endless', '--server', origin], home)
  child.stdout?.once('data', () => child.stdout?.destroy())
  expect(await ended(child)).toMatchObject({ code: 0, stderr: '' })
})

test('an answer that breaks off is exit 7, with one line in JSON mode', async () => {
  const { code, stderr } = await runProgram(['api', 'GET', '/broken', '--server', origin, '--json'], home)
  expect(code).toBe(7)
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'broken_transfer', retryable: true })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143]
] as const)('%s ends a program that waits for a server which says nothing', async (signal, code) => {
  const child = start(['api', 'GET', '/silent', '--server', origin], home)
  onWaiting = () => void child.kill(signal)
  expect(await ended(child)).toMatchObject({ code, stderr: expect.stringContaining('stopped.') })
})

type Answer = (response: http.ServerResponse, request: http.IncomingMessage) => void

const ANSWERS: Readonly<Record<string, Answer>> = {
  '/endless': sendForEver,
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('half', () => response.destroy())
  },
  '/silent': () => onWaiting()
}

function answerJson(response: http.ServerResponse, request: http.IncomingMessage): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify([{ path: request.url, key: request.headers.authorization ?? null }]))
}

/** As fast as the other end takes it. */
function sendForEver(response: http.ServerResponse): void {
  const more = (): void => {
    if (!response.destroyed) response.write('x'.repeat(65_536), more)
  }
  response.setHeader('content-type', 'text/plain')
  more()
}
