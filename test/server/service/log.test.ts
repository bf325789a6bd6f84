import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from '../../../bin/node/open-log.ts'
import { textWithoutSecrets, withoutSecrets } from '../../../bin/node/without-secrets.ts'
import { temporaryFolder } from '../../device/device-kit.ts'

const SECRET = 'hunter2'

test('writes lines as JSON with level, time and message, in a file for its owner alone', async () => {
  const to = join(temporaryFolder(), 'server.log')
  const { log, close } = await openLog({ level: 'info', to })
  log.debug({}, 'not at this level')
  log.info({ status: 200 }, 'request')
  log.error({ err: new Error('broken', { cause: new Error('below') }) }, 'a bug')
  close()
  const lines = readFileSync(to, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { level: 'info', status: 200, msg: 'request', time: expect.stringMatching(/Z$/) },
    { level: 'error', msg: 'a bug', err: { name: 'Error', message: 'broken', cause: { message: 'below' } } }
  ])
  expect(statSync(to).mode & 0o777).toBe(0o600)
})

test('writes one line of JSON for any entry', async () => {
  const to = join(temporaryFolder(), 'server.log')
  const { log, close } = await openLog({ level: 'debug', to })
  const loop: Record<string, unknown> = {}
  loop.self = loop
  const unreadable = {
    get secret(): never {
      throw new Error('a getter\nthrew')
    }
  }
  const values = [
    new Error('two\nlines', { cause: new AggregateError([new Error('x\r\ny')], 'more\n') }),
    'a\nb\r\nc\u2028d\u0085e\ud800',
    ...[loop, unreadable, new Map([['a\n', 1]]), new Date(Number.NaN), Symbol('a\nb'), 10n, Number.NaN, undefined],
    () => 'a\nb',
    { toJSON: () => ({ text: 'a\nb' }) },
    Object.create(null)
  ]
  for (const value of values) log.error({ err: value, value, 'a\nname': value }, 'a message\nof two lines')
  close()
  const lines = readFileSync(to, 'utf8').split('\n')
  expect(lines.pop()).toBe('')
  expect(lines).toHaveLength(values.length)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: 'error', msg: 'a message\nof two lines' })
})

test('writes nothing at level silent, not even errors', async () => {
  const to = join(temporaryFolder(), 'server.log')
  const { log, close } = await openLog({ level: 'silent', to })
  log.error({}, 'unheard')
  close()
  expect(readFileSync(to, 'utf8')).toBe('')
})

test.each([
  ...['authorization', 'Authorization', 'X-API-Key', 'key', 'code', 'state', 'token', 'secret', 'client_secret'],
  ...['password', 'cookie', 'Set-Cookie', 'refresh_token', 'database_url']
])('never logs the value of %s, at any depth', (name) => {
  const fields = { [name]: SECRET, a: { b: [{ c: { [name]: [SECRET] } }] } }
  expect(JSON.stringify(withoutSecrets(fields))).not.toContain(SECRET)
})

test('logs ids of keys', () => {
  expect(withoutSecrets({ keyId: '1', status: 200, none: null })).toEqual({ keyId: '1', status: 200, none: null })
})

test.each([
  [`mk_${'x'.repeat(43)}`, 'xxx'],
  [`sent Bearer ${SECRET} along`, SECRET],
  [`postgres://me:${SECRET}@db.example/x is away`, SECRET]
])('removes the secret from a text: %s', (text, secret) => {
  const cleaned = textWithoutSecrets(text)
  expect(cleaned).toContain('[secret]')
  expect(cleaned).not.toContain(secret)
})

test('logs errors without secrets and without additional members', () => {
  const error = Object.assign(new Error(`cannot reach postgres://me:${SECRET}@db.example/x`), { parameters: [SECRET] })
  const text = JSON.stringify(withoutSecrets({ err: new Error('outer', { cause: error }) }))
  expect(text).not.toContain(SECRET)
  expect(text).toContain('db.example')
})

test('cuts off a circular value', () => {
  const loop: Record<string, unknown> = { name: 'loop' }
  loop.self = loop
  expect(JSON.stringify(withoutSecrets(loop))).toContain('[deeper]')
})
