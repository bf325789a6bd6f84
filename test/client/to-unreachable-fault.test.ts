import { expect, test } from 'vitest'
import { toUnreachableFault } from '../../src/client/to-unreachable-fault.ts'
import { Fault } from '../../src/contract/faults.ts'

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

test.each([
  ['http://127.0.0.1:8787', 'memctl server start'],
  ['http://localhost:9000/base', 'memctl server start --port 9000'],
  ['http://[::1]', 'memctl server start --port 80']
])('suggests starting a server at %s if there is none', (address, start) => {
  expect(toUnreachableFault(refused, address)).toMatchObject({ code: 'unreachable', hint: start, next: [start] })
})

test.each(['https://memory.example', 'https://127.0.0.1:8787'])('suggests no command for a server at %s', (address) => {
  expect(toUnreachableFault(refused, address)).toMatchObject({ hint: expect.stringContaining('address'), next: [] })
})

test('suggests checking a silent server rather than starting another one', () => {
  const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' })
  expect(toUnreachableFault(late, 'http://127.0.0.1:8787')).toMatchObject({
    hint: expect.stringContaining('memctl server logs'),
    next: []
  })
})

test('rethrows errors that are not network errors, and aborts', () => {
  const bug = new TypeError('a bug')
  const stop = Object.assign(new Error('stopped'), { name: 'AbortError', code: 'ABORT_ERR' })
  const fault = new Fault('usage', 'a fault')
  for (const error of [bug, stop, fault]) expect(toUnreachableFault(error, 'http://127.0.0.1:8787')).toBe(error)
})

test("finds the system's error code inside the platform's error", () => {
  const wrapped = new TypeError('fetch failed', { cause: refused })
  expect(toUnreachableFault(wrapped, 'http://127.0.0.1:8787')).toMatchObject({
    message: 'cannot reach http://127.0.0.1:8787: connection refused'
  })
})
