import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import { fakeDevice } from './fake-device.ts'
import { fakeWorld } from './fake-world.ts'
import { errorLine, runCli } from './run-cli.ts'
import { testModules } from './test-modules.ts'

const environment = { MEMCTL_API_KEY: 'mk_1' }

/** Creates a service that is busy for a number of requests and then returns a list. */
function busy(times: number, seconds = '1') {
  let asked = 0
  const fetch = async () => {
    if (asked++ >= times) return new Response('[]', { headers: { 'content-type': 'application/json' } })
    const problem = { type: 'about:blank', title: 't', status: 503, detail: 'stopping', code: 'unavailable' }
    const headers = { 'content-type': 'application/problem+json', 'retry-after': seconds }
    return new Response(JSON.stringify(problem), { status: 503, headers })
  }
  return { fetch, asked: () => asked }
}

test('retries a busy server after the time it requests, with a note on stderr', async () => {
  const { fetch, asked } = busy(2)
  const world = fakeWorld({ environment, fetch })
  world.passTime()
  expect(await main(['collections', 'list'], world, testModules(fakeDevice().module))).toBe(0)
  expect(asked()).toBe(3)
  expect(world.said.stderr).toContain('stopping; retrying in 1 s\nstopping; retrying in 1 s\n')
})

test('exits 7 at once if the server is busy for longer', async () => {
  const { fetch, asked } = busy(9, '31')
  const run = await runCli(['collections', 'list', '--json'], { environment, fetch })
  expect(run.code).toBe(7)
  expect(asked()).toBe(1)
  expect(errorLine(run)).toMatchObject({ code: 'unavailable', retryable: true, http_status: 503 })
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143]
] as const)('%s ends a call that waits for its response, and exits %i', async (name, code) => {
  const world = fakeWorld({
    environment,
    fetch: (request) =>
      new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(new DOMException('stop', 'AbortError')))
        world.interrupt(name)
      })
  })
  expect(await main(['collections', 'create', 'x'], world, testModules(fakeDevice().module))).toBe(code)
  expect(world.said.stderr).toContain('stopped. The collection may or may not exist; memctl collections list shows it')
})

test('exits 7 with a hint if the response is not from memctl', async () => {
  const fetch = async () => new Response('<h1>It works</h1>', { headers: { 'content-type': 'text/html' } })
  const run = await runCli(['collections', 'list', '--json'], { environment, fetch })
  expect(run.code).toBe(7)
  expect(errorLine(run)).toMatchObject({ code: 'broken_transfer', hint: expect.stringContaining('address') })
})
