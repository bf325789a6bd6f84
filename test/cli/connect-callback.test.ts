import { expect, test } from 'vitest'
import { AUTH_URL, CALLBACK, COMPLETED, LOOK, LOOKS, run, STATE, WAITING } from './connect-kit.ts'
import { problem, scriptedService, series } from './scripted-service.ts'

test('--callback-url completes a consent without a browser or other arguments', async () => {
  const url = `https://memory.example.org${CALLBACK}?state=${STATE}&code=7`
  const script = { ...LOOKS, [LOOK]: series(WAITING, COMPLETED), [`GET ${CALLBACK}`]: new Response('ok') }
  const { code, paths } = await run(['connect', 'mailbox', '--callback-url', url], script, { terminals: [] })
  expect(code).toBe(0)
  const look = `/v1/connectors/attempts?state=${STATE}`
  expect(paths.slice(0, 3)).toEqual([look, `${CALLBACK}?state=${STATE}&code=7`, look])
})

test('does not send --callback-url if the consent is already complete', async () => {
  const argv = ['connect', 'mailbox', '--callback-url', `http://x${CALLBACK}?state=${STATE}`]
  const { code, paths } = await run(argv, { ...LOOKS, [LOOK]: COMPLETED }, { terminals: [] })
  expect({ code, sent: paths.filter((path) => path.startsWith(CALLBACK)) }).toEqual({ code: 0, sent: [] })
})

test('--callback-url - reads stdin and confirms the page that asks to link the account', async () => {
  const page = '<input type="hidden" name="ticket" value="0190.abc-_"><button name="decision" value="approve">'
  const script = {
    ...LOOKS,
    [LOOK]: series(WAITING, COMPLETED),
    [`GET ${CALLBACK}`]: new Response(page),
    [`POST ${CALLBACK}`]: new Response('ok')
  }
  const forms: string[] = []
  const { fetch } = scriptedService(script)
  const ended = await run(['connect', 'mailbox', '--callback-url', '-'], script, {
    terminals: [],
    stdin: ` http://x${CALLBACK}?state=${STATE}\n`,
    fetch: async (request) => {
      if (request.method !== 'POST') return await fetch(request)
      forms.push(await request.text())
      return new Response('ok')
    }
  })
  expect(ended.code).toBe(0)
  expect(forms).toEqual(['ticket=0190.abc-_&decision=approve'])
})

test.each([
  ['an address of the provider', [AUTH_URL], {}, 'not the final URL of a consent'],
  ['no address', ['approve'], {}, 'not the final URL of a consent'],
  ['of another provider', [`http://x/v1/oauth/callback/notes?state=${STATE}`], {}, 'not the final URL of a consent'],
  ['of another consent', [`http://x${CALLBACK}?state=y`, '--resume', 'x'], {}, 'belong to different consents'],
  ['with --no-wait', [`http://x${CALLBACK}?state=y`, '--no-wait'], {}, 'cannot be used together'],
  [
    'unknown to the server',
    [`http://x${CALLBACK}?state=y`],
    { [LOOK]: WAITING, [`GET ${CALLBACK}`]: problem(400, 'usage', 'unknown') },
    'the server does not know this URL'
  ]
])('rejects --callback-url with exit code 2: %s', async (...[, more, script, message]) => {
  const { code, stderr } = await run(['connect', 'mailbox', '--callback-url', ...more], script)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

test('exits 3 without sending --callback-url if the server does not know the state', async () => {
  const argv = ['connect', 'mailbox', '--callback-url', `http://x${CALLBACK}?state=y`]
  const { code, paths } = await run(argv, { [LOOK]: problem(404, 'not_found', 'no such attempt') })
  expect({ code, paths }).toEqual({ code: 3, paths: ['/v1/connectors/attempts?state=y'] })
})

test('notes that the page may still ask for confirmation if --callback-url was used before', async () => {
  const argv = ['connect', 'mailbox', '--callback-url', `http://x${CALLBACK}?state=${STATE}`, '--wait-timeout', '2s']
  const script = { ...LOOKS, [LOOK]: WAITING, [`GET ${CALLBACK}`]: new Response('used', { status: 410 }) }
  const { code, stderr, progress } = await run(argv, script)
  expect(code).toBe(8)
  expect(stderr.replace(/\n +/g, ' ')).toContain(
    'this URL was used before; the page that it opened may still ask you to confirm the link'
  )
  expect(progress[0]).toMatch(/^Waiting for your consent \(0 s,/)
})
