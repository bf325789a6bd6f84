import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended, ensureBuilt, runProgram, start } from './built-program.ts'

// Runs the built program against a small server in this process, over a socket.

const home = mkdtempSync(join(tmpdir(), 'memctl-service-'))
const server = http.createServer((request, response) => {
  const answer = ANSWERS[request.url ?? ''] ?? answerJson
  answer(response, request)
})
/** Called when a client waits for a response that never comes. */
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

test('sends a request over a socket and writes the response to a pipe unchanged', async () => {
  const { code, stdout, stderr } = await runProgram(['api', 'GET', '/x', '--server', origin], home)
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '[{"path":"/x","key":null}]', stderr: '' })
})

test('a closed pipe ends an endless response quietly', async () => {
  const child = start(['api', 'GET', '/endless', '--server', origin], home)
  child.stdout?.once('data', () => child.stdout?.destroy())
  expect(await ended(child)).toMatchObject({ code: 0, stderr: '' })
})

test('exits 7 if the response breaks off, with one line in JSON mode', async () => {
  const { code, stderr } = await runProgram(['api', 'GET', '/broken', '--server', origin, '--json'], home)
  expect(code).toBe(7)
  expect(JSON.parse(stderr).error).toMatchObject({ code: 'broken_transfer', retryable: true })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143]
] as const)('%s ends a program that waits for a silent server', async (signal, code) => {
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

/** Writes as fast as the reader reads. */
function sendForEver(response: http.ServerResponse): void {
  const more = (): void => {
    if (!response.destroyed) response.write('x'.repeat(65_536), more)
  }
  response.setHeader('content-type', 'text/plain')
  more()
}
