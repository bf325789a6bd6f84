import { expect, test } from 'vitest'
import { AUTH_URL, CALLBACK, COMPLETED, LOOK, LOOKS, run, STATE, WAITING } from './connect-kit.ts'
import { problem, scriptedService, series } from './scripted-service.ts'

test('--callback-url brings the end of a consent without a browser, and needs no other word', async () => {
  const url = `https://memory.example.org${CALLBACK}?state=${STATE}&code=7`
  const script = { ...LOOKS, [LOOK]: series(WAITING, COMPLETED), [`GET ${CALLBACK}`]: new Response('ok') }
  const { code, paths } = await run(['connect', 'mailbox', '--callback-url', url], script, { terminals: [] })
  expect(code).toBe(0)
  const look = `/v1/connectors/attempts?state=${STATE}`
  expect(paths.slice(0, 3)).toEqual([look, `${CALLBACK}?state=${STATE}&code=7`, look])
})

test('--callback-url of a consent that came to its end is not sent again', async () => {
  const argv = ['connect', 'mailbox', '--callback-url', `http://x${CALLBACK}?state=${STATE}`]
  const { code, paths } = await run(argv, { ...LOOKS, [LOOK]: COMPLETED }, { terminals: [] })
  expect({ code, sent: paths.filter((path) => path.startsWith(CALLBACK)) }).toEqual({ code: 0, sent: [] })
})

test('--callback-url - reads stdin, and answers the page that asks whether to link', async () => {
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
  ['an address of the provider', [AUTH_URL], {}, 'not the address at which the consent ended'],
  ['no address', ['approve'], {}, 'not the address at which the consent ended'],
  ['of another provider', [`http://x/v1/oauth/callback/notes?state=${STATE}`], {}, 'not the address at which'],
  ['of another consent', [`http://x${CALLBACK}?state=y`, '--resume', 'x'], {}, 'belongs to another consent'],
  ['beside --no-wait', [`http://x${CALLBACK}?state=y`, '--no-wait'], {}, 'say different things'],
  [
    'that the server refuses',
    [`http://x${CALLBACK}?state=y`],
    { [LOOK]: WAITING, [`GET ${CALLBACK}`]: problem(400, 'usage', 'unknown') },
    'the server does not know that address'
  ]
])('--callback-url is refused with 2: %s', async (...[, more, script, message]) => {
  const { code, stderr } = await run(['connect', 'mailbox', '--callback-url', ...more], script)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
})

test('--callback-url of a consent that is nobody’s here is 3, and not sent', async () => {
  const argv = ['connect', 'mailbox', '--callback-url', `http://x${CALLBACK}?state=y`]
  const { code, paths } = await run(argv, { [LOOK]: problem(404, 'not_found', 'no such attempt') })
  expect({ code, paths }).toEqual({ code: 3, paths: ['/v1/connectors/attempts?state=y'] })
})

test('--callback-url of an address that the browser did reach says that its page may still ask', async () => {
  const argv = ['connect', 'mailbox', '--callback-url', `http://x${CALLBACK}?state=${STATE}`, '--wait-timeout', '2s']
  const script = { ...LOOKS, [LOOK]: WAITING, [`GET ${CALLBACK}`]: new Response('used', { status: 410 }) }
  const { code, stderr, progress } = await run(argv, script)
  expect(code).toBe(8)
  expect(stderr.replace(/\n +/g, ' ')).toContain(
    'that address was used before. The page that it led to may still ask whether to link'
  )
  expect(progress[0]).toMatch(/^waiting for the consent \(0 s;/)
})
