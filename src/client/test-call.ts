import { Fault } from '../contract/faults.ts'

/**
 * The key of a client as it is sent: what stands around it, such as the line end of its file, is left out.
 * @throws Fault `usage` for one that no header can carry. It says nothing of the key.
 */
export function testKey(key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  const trimmed = typeof key === 'string' ? key.trim() : ''
  if (/^[\x21-\x7e]+$/.test(trimmed)) return trimmed
  throw new Fault('usage', 'the key of the client is none that can be sent', {
    hint: 'a key is one word, as memctl keys create prints it'
  })
}

/**
 * Tests what a program gives a call, as far as a request could not be made of it.
 * @throws Fault `usage`, which names the call and says what it takes.
 */
export function testCall(name: string, input: unknown, options: unknown): void {
  if (!isObject(input))
    throw new Fault('usage', `the input of ${name} must be an object`, {
      hint: 'its members are params, query, body and lines, as far as the call has them'
    })
  if ('lines' in input && input.lines !== undefined && !areLines(input.lines))
    throw new Fault('usage', `the lines of ${name} must be bytes, or an async iterable of bytes`, {
      hint: 'createReadStream of node:fs gives one'
    })
  testCallOptions(name, options)
}

/** Likewise for the options alone. */
export function testCallOptions(name: string, options: unknown): void {
  if (!isObject(options))
    throw new Fault('usage', `the options of ${name} must be an object`, { hint: 'such as { signal }' })
  const { signal } = options
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new Fault('usage', `the signal of ${name} must be an AbortSignal`, {
      hint: 'AbortSignal.timeout(1000) is one that is aborted after a second'
    })
}

function areLines(value: unknown): boolean {
  return value instanceof Uint8Array || (isObject(value) && Symbol.asyncIterator in value)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
