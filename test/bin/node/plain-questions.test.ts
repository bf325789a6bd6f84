import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import {
  askPlainly,
  askSecretPlainly,
  confirmPlainly,
  type PlainTerminal
} from '../../../bin/node/terminal/plain-terminal.ts'

/** A terminal at which somebody types; what it shows, and whether it echoes by itself. */
function terminal(typed: string) {
  const raw: boolean[] = []
  const input = Object.assign(new PassThrough(), { setRawMode: (now: boolean) => void raw.push(now) })
  const output = new PassThrough()
  let shown = ''
  output.on('data', (text) => {
    shown += text
  })
  const over = new AbortController()
  const place = { input, output, signal: over.signal } as unknown as PlainTerminal
  input.write(typed)
  return { place, input, raw, shown: () => shown, stop: () => over.abort() }
}

test.each([
  ['y\n', false, true],
  ['Yes\r\n', false, true],
  ['n\n', true, false],
  ['\n', true, true],
  ['\n', false, false],
  ['perhaps\n', true, false]
])('%j to a question that is %s by default is %s', async (typed, otherwise, answer) => {
  const { place, shown } = terminal(typed)
  expect(await confirmPlainly('End it?', otherwise, place)).toBe(answer)
  expect(shown()).toMatch(otherwise ? /^End it\? \(Y\/n\) / : /^End it\? \(y\/N\) /)
})

test('a line is what was typed, and nothing but the question is written', async () => {
  const { place, shown } = terminal('http://x/?a=1\n')
  expect(await askPlainly('The address:', place)).toBe('http://x/?a=1')
  expect(shown()).toBe('The address: ')
})

test.each([
  ['askPlainly', askPlainly],
  ['askSecretPlainly', askSecretPlainly]
])('%s ends without an answer where it is interrupted', async (_name, ask) => {
  const { place, stop } = terminal('half')
  const answer = ask('The key:', place)
  stop()
  expect(await answer).toBeUndefined()
})

test('a line is undefined where the input ends', async () => {
  const { place, input } = terminal('')
  input.end()
  expect(await askPlainly('The address:', place)).toBeUndefined()
})

test('a secret is not shown, and can be mended', async () => {
  const { place, raw, shown } = terminal('mk_x\u007fy\r')
  expect(await askSecretPlainly('The key:', place)).toBe('mk_y')
  expect({ shown: shown(), raw }).toEqual({ shown: 'The key: \n', raw: [true, false] })
})

test.each(['\u0003', '\u0004'])('Ctrl-C and Ctrl-D end a secret without an answer: %j', async (key) => {
  const { place, raw } = terminal(`mk${key}`)
  expect(await askSecretPlainly('The key:', place)).toBeUndefined()
  expect(raw.at(-1)).toBe(false)
})
