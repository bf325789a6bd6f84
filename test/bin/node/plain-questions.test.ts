import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import {
  askPlainly,
  askSecretPlainly,
  confirmPlainly,
  type PlainTerminal
} from '../../../bin/node/terminal/plain-terminal.ts'

/** Simulates a terminal with typed input. Records its output and whether it echoes. */
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
])('interprets %j for a question with the default %s as %s', async (typed, otherwise, answer) => {
  const { place, shown } = terminal(typed)
  expect(await confirmPlainly('End it?', otherwise, place)).toBe(answer)
  expect(shown()).toMatch(otherwise ? /^End it\? \(Y\/n\) / : /^End it\? \(y\/N\) /)
})

test('returns the typed line, and writes only the question', async () => {
  const { place, shown } = terminal('http://x/?a=1\n')
  expect(await askPlainly('The address:', place)).toBe('http://x/?a=1')
  expect(shown()).toBe('The address: ')
})

test.each([
  ['askPlainly', askPlainly],
  ['askSecretPlainly', askSecretPlainly]
])('ends %s without an answer when interrupted', async (_name, ask) => {
  const { place, stop } = terminal('half')
  const answer = ask('The key:', place)
  stop()
  expect(await answer).toBeUndefined()
})

test('returns undefined for a line if the input ends', async () => {
  const { place, input } = terminal('')
  input.end()
  expect(await askPlainly('The address:', place)).toBeUndefined()
})

test('hides a secret, which can be edited', async () => {
  const { place, raw, shown } = terminal('mk_x\u007fy\r')
  expect(await askSecretPlainly('The key:', place)).toBe('mk_y')
  expect({ shown: shown(), raw }).toEqual({ shown: 'The key: \n', raw: [true, false] })
})

test.each(['\u0003', '\u0004'])('ends a secret without an answer at Ctrl-C and Ctrl-D: %j', async (key) => {
  const { place, raw } = terminal(`mk${key}`)
  expect(await askSecretPlainly('The key:', place)).toBeUndefined()
  expect(raw.at(-1)).toBe(false)
})
