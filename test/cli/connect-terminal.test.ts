import { expect, test } from 'vitest'
import { main } from '../../src/cli/program/main.ts'
import {
  AUTH_URL,
  BEGIN,
  BEGUN,
  CALLBACK,
  COMPLETED,
  KEY,
  LOOK,
  LOOKS,
  MAILBOX,
  run,
  SHOW,
  SSH,
  STATE,
  WAITING,
  words
} from './connect-kit.ts'
import { fakeDevice } from './fake-device.ts'
import { FACTS } from './fake-host.ts'
import { fakeWorld } from './fake-world.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, scriptedService, series } from './scripted-service.ts'
import { testModules } from './test-modules.ts'

test('prints the URL on a line of its own and the command that continues later, then opens the browser', async () => {
  let before = ''
  const { fetch } = scriptedService(LOOKS)
  const world = fakeWorld({
    ...{ environment: KEY, fetch, quickTime: true, terminals: ['input', 'errors'] },
    browser: async () => {
      before = world.said.stderr
      return undefined
    }
  })
  expect(await main(words, world, testModules(fakeDevice().module))).toBe(0)
  expect(world.said.opened).toEqual([AUTH_URL])
  expect(before.split('\n')[0]).toBe(AUTH_URL)
  expect(before.replace(/\s+/g, ' ')).toContain(
    `to continue waiting later: memctl connect mailbox -c ${COLLECTION_ID} --resume ${STATE}`
  )
  expect(world.said.stderr).not.toContain('could not open a browser')
})

test('names the collection after the URL', async () => {
  const collection = { id: COLLECTION_ID, name: 'team', created_at: '2026-04-01T08:00:00.000Z', expires_at: null }
  const script = { ...LOOKS, [LOOK]: COMPLETED, 'GET /v1/collections': [{ ...collection, memories: 0 }] }
  for (const argv of [
    ['connect', 'mailbox', '--no-browser'],
    ['connect', 'mailbox', '--wait-timeout', '5s']
  ]) {
    const [first, second] = (await run(argv, script)).stderr.split('\n')
    expect([first, second]).toEqual([AUTH_URL, `collection: team (${COLLECTION_ID})`])
  }
})

test('reports a browser that fails late, and keeps waiting', async () => {
  let fail = (_why: string): void => undefined
  const failed = new Promise<string>((resolve) => {
    fail = resolve
  })
  const { fetch } = scriptedService({ ...LOOKS, [LOOK]: series(WAITING, WAITING, WAITING, COMPLETED) })
  const { code, stderr, progress } = await run(
    words,
    {},
    {
      browser: () => failed,
      fetch: async (request) => {
        if (request.url.includes('/attempts')) fail('the program that opens it exited with 3')
        return await fetch(request)
      }
    }
  )
  expect(code).toBe(0)
  expect(stderr.replace(/\n +/g, ' ')).toContain(
    'warning: could not open a browser: the program that opens it exited with 3. Open the URL above yourself.\n'
  )
  expect(progress.filter((line) => line === 'stopped')).toHaveLength(2)
})

test.each([
  ['--no-browser', [...words, '--no-browser'], {}, LOOKS],
  ['outside an interactive session', [...words, '--wait-timeout', '5s'], { terminals: [] }, LOOKS],
  ['over ssh', words, { environment: SSH, keys: [] }, { ...LOOKS, [LOOK]: COMPLETED }],
  ['the URL is not http or https', words, {}, { ...LOOKS, [BEGIN]: { ...BEGUN, auth_url: 'file:///etc/passwd' } }]
])('opens no browser: %s', async (...[, argv, wishes, script]) => {
  expect((await run(argv, script, wishes)).opened).toEqual([])
})

test('opens the browser named by BROWSER over ssh, because an editor opens it on the user’s machine', async () => {
  const environment = { ...SSH, BROWSER: '/opt/editor/open' }
  expect((await run(words, { ...LOOKS, [LOOK]: COMPLETED }, { environment })).opened).toEqual([AUTH_URL])
})

test('prints over ssh the command that makes the server reachable', async () => {
  const { stderr } = await run(words, { ...LOOKS, [LOOK]: COMPLETED }, { environment: SSH })
  expect(stderr.split('\n')[0]).toBe(AUTH_URL)
  expect(stderr).toContain('ssh -L 8787:127.0.0.1:8787 ada@192.0.2.4\n')
})

test('does not copy unsafe values from the ssh environment, and suggests no tunnel to a remote server', async () => {
  const environment = { ...SSH, SSH_CONNECTION: '1 2 $(boom) 2222', USER: 'a;b', MEMCTL_SERVER: 'http://localhost:99' }
  const { stderr } = await run(words, { ...LOOKS, [LOOK]: COMPLETED }, { environment })
  expect(stderr).toContain('ssh -p 2222 -L 99:127.0.0.1:99 HOST\n')
  const far = { ...SSH, MEMCTL_SERVER: 'https://memory.example.org' }
  expect((await run(words, { ...LOOKS, [LOOK]: COMPLETED }, { environment: far })).stderr).not.toContain('ssh -L')
})

test.each([
  ['over ssh', words, { environment: SSH }, ''],
  ['with --no-browser', [...words, '--no-browser'], {}, ''],
  ['without a browser', words, { browser: async () => 'no screen' }, 'warning: could not open a browser: no screen']
])('sends a pasted URL to the server regardless of its host: %s', async (...[, argv, wishes, said]) => {
  const brought: string[] = []
  const { fetch } = scriptedService({ ...LOOKS, [LOOK]: WAITING })
  const done = scriptedService({ ...LOOKS, [LOOK]: COMPLETED })
  const { code, screens, stderr } = await run(
    argv,
    {},
    {
      keys: [...`http://localhost:1${CALLBACK}?code=42&state=${STATE}`, 'return'],
      fetch: async (request) => {
        if (!request.url.includes(CALLBACK)) return await (brought.length === 0 ? fetch : done.fetch)(request)
        brought.push(request.url)
        return new Response('<h1>Connected</h1>')
      },
      ...wishes
    }
  )
  expect({ code, brought }).toEqual({ code: 0, brought: [`http://127.0.0.1:8787${CALLBACK}?code=42&state=${STATE}`] })
  expect(screens[0]).toContain('Or paste the final URL from your browser here')
  expect(stderr).toContain(said)
})

test('does not send a pasted URL of another consent over ssh, and Ctrl-C shows how to continue', async () => {
  const pasted = [...`http://localhost:1${CALLBACK}?code=42&state=other`, 'return', 'x']
  const { code, paths, screens, stderr } = await run(
    words,
    { ...LOOKS, [LOOK]: WAITING },
    { environment: SSH, keys: pasted }
  )
  expect(code).toBe(130)
  expect(paths.filter((path) => path.startsWith(CALLBACK))).toEqual([])
  expect(screens.at(-1)).toContain('that URL belongs to another consent')
  expect(stderr).toContain(`hint: continue waiting: memctl connect mailbox -c ${COLLECTION_ID} --resume ${STATE}`)
})

test('follows two concurrent consents by their own states', async () => {
  const attempts = (status: object, state: string) => [`${LOOK}?state=${state}`, status] as const
  const script = {
    [SHOW]: MAILBOX,
    ...Object.fromEntries([
      attempts({ ...WAITING, status: 'denied', detail: 'the person said no' }, 'one'),
      attempts(COMPLETED, 'two')
    ])
  }
  const resume = (state: string) => run(['connect', 'mailbox', '--resume', state], script)
  const [one, two] = await Promise.all([resume('one'), resume('two')])
  expect([one.code, two.code]).toEqual([5, 0])
})

const DRIVE = {
  'POST /v1/connectors/cloud_drive/connect': BEGUN,
  [LOOK]: COMPLETED,
  [SHOW]: CONNECTION,
  [`GET /v1/connectors/${CONNECTION_ID}/folders`]: [
    { id: 'F1', name: 'Letters', has_children: false, is_selected: false }
  ],
  [`PATCH /v1/connectors/${CONNECTION_ID}/config`]: ACTIVE
}
const drive = ['connect', 'cloud_drive', '-c', COLLECTION_ID]

test('lets the user pick folders at the end and shows the equivalent command', async () => {
  const { code, sent, stderr } = await run(drive, DRIVE, { keys: ['space', 'return'] })
  expect(code).toBe(0)
  expect(sent.at(-1)?.body).toEqual({ config: { folder_ids: ['F1'] } })
  expect(stderr).toContain(`to do the same without prompts: memctl connections config ${CONNECTION_ID} --folder F1`)
})

test.each([
  ['Esc in the picker', drive, { keys: ['escape'] }, 8],
  ['--no-pick', [...drive, '--no-pick'], {}, 8],
  ['outside an interactive session', [...drive, '--wait-timeout', '2s'], { terminals: [] }, 8],
  ['a terminal that cannot be redrawn', drive, { dumb: true }, 8],
  ['Ctrl-C in the picker', drive, { keys: [] }, 130]
])('selects nothing and shows the next command: %s', async (...[, argv, wishes, exit]) => {
  const { code, sent, stderr } = await run(argv, DRIVE, wishes)
  expect(code).toBe(exit)
  expect(sent.filter(({ method }) => method === 'PATCH')).toEqual([])
  expect(stderr).toContain(`memctl connections config ${CONNECTION_ID}`)
})

test('a terminal that cannot be redrawn has no paste prompt, and its hint names the flags of config', async () => {
  const { screens, progress } = await run(words, { ...LOOKS, [LOOK]: COMPLETED }, { environment: SSH, dumb: true })
  expect({ screens, progress: progress.length > 0 }).toEqual({ screens: [], progress: true })
  const config = await run(['connections', 'config', CONNECTION_ID], DRIVE, { dumb: true })
  expect(config).toMatchObject({ code: 2, stderr: expect.stringContaining('give --folder') })
})

/** Simulates a machine whose server responds only once it is started. */
function startable(script: Record<string, unknown>) {
  const started: string[] = []
  const { fetch } = scriptedService(script)
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })
  const detach = ({ args }: { args: readonly string[] }) => {
    started.push(args.join(' '))
    return { pid: 42, firstLine: Promise.resolve(JSON.stringify(FACTS)), ended: Promise.resolve(0), release() {} }
  }
  return {
    started,
    wishes: {
      host: { detach },
      fetch: async (request: Request) => {
        if (started.length === 0) throw refused
        return await fetch(request)
      }
    }
  }
}

test('offers to start a local server if none runs, and continues with it', async () => {
  const { started, wishes } = startable({ ...LOOKS, [LOOK]: COMPLETED })
  const { code, questions, stderr } = await run(words, {}, { ...wishes, answers: [true] })
  expect({ code, questions }).toEqual({ code: 0, questions: ['Start a server?'] })
  expect(started).toEqual([expect.stringMatching(/^server start --json .*--port=8787/)])
  expect(stderr).toContain('cannot reach http://127.0.0.1:8787')
})

test.each([
  ['the user declines', { answers: [false] }, 1],
  ['outside an interactive session', { terminals: [] }, 0]
])('starts no server and shows the command: %s', async (_what, more, asked) => {
  const { started, wishes } = startable(LOOKS)
  const { code, questions, stderr } = await run(words, {}, { ...wishes, ...more })
  expect({ code, asked: questions.length, started }).toEqual({ code: 7, asked, started: [] })
  expect(stderr).toContain('hint: memctl server start --detach\n')
})

test('does not offer to start a server on another machine', async () => {
  const { wishes } = startable(LOOKS)
  const environment = { ...KEY, MEMCTL_SERVER: 'https://memory.example.org' }
  const { code, questions } = await run(words, {}, { ...wishes, environment })
  expect({ code, questions }).toEqual({ code: 7, questions: [] })
})
