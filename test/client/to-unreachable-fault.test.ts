import { expect, test } from 'vitest'
import { toUnreachableFault } from '../../src/client/to-unreachable-fault.ts'
import { Fault } from '../../src/contract/faults.ts'

const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

test.each([
  ['http://127.0.0.1:8787', 'memctl server start'],
  ['http://localhost:9000/base', 'memctl server start --port 9000'],
  ['http://[::1]', 'memctl server start --port 80']
])('a server that is not there at %s is started there', (address, start) => {
  expect(toUnreachableFault(refused, address)).toMatchObject({ code: 'unreachable', hint: start, next: [start] })
})

test.each(['https://memory.example', 'https://127.0.0.1:8787'])('no command starts a server at %s', (address) => {
  expect(toUnreachableFault(refused, address)).toMatchObject({ hint: expect.stringContaining('address'), next: [] })
})

test('a server that is there and says nothing is looked at, and none is started beside it', () => {
  const late = Object.assign(new Error('late'), { code: 'ETIMEDOUT' })
  expect(toUnreachableFault(late, 'http://127.0.0.1:8787')).toMatchObject({
    hint: expect.stringContaining('memctl server logs'),
    next: []
  })
})

test('what is no refusal of the network, and what stopped the request, stays what it is', () => {
  const bug = new TypeError('a bug')
  const stop = Object.assign(new Error('stopped'), { name: 'AbortError', code: 'ABORT_ERR' })
  const fault = new Fault('usage', 'a fault')
  for (const error of [bug, stop, fault]) expect(toUnreachableFault(error, 'http://127.0.0.1:8787')).toBe(error)
})

test('the code of the system is found in what the platform wraps it in', () => {
  const wrapped = new TypeError('fetch failed', { cause: refused })
  expect(toUnreachableFault(wrapped, 'http://127.0.0.1:8787')).toMatchObject({
    message: 'no answer from http://127.0.0.1:8787: nothing listens there'
  })
})
