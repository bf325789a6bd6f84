import { expect, test } from 'vitest'
import type { Wishes } from './fake-world.ts'
import { runCli } from './run-cli.ts'
import { ACTIVE, CONNECTION, CONNECTION_ID, problem, scriptedService, series } from './scripted-service.ts'

const ONE = `/v1/connectors/${CONNECTION_ID}`
const FOLDERS = `GET ${ONE}/folders`
const there = ['input', 'errors'] as const
const folder = (id: string, name: string, more = {}) => {
  return { id, name, has_children: false, is_selected: false, ...more }
}
const TOP = [folder('F1', 'Letters', { is_selected: true, has_children: true }), folder('F3', 'Plans')]
const script = { [`GET ${ONE}`]: ACTIVE, [`PATCH ${ONE}/config`]: ACTIVE, [FOLDERS]: TOP }

/** Runs `connections config ID` in an interactive session with these keys. */
async function pick(keys: readonly string[], said: Record<string, unknown> = script, wishes: Wishes = {}) {
  const { fetch, sent } = scriptedService(said)
  const environment = { MEMCTL_API_KEY: 'mk_x' }
  const ended = await runCli(['connections', 'config', CONNECTION_ID], {
    ...{ environment, fetch, terminals: there, keys },
    ...wishes
  })
  return { ...ended, bodies: sent.flatMap(({ method, body }) => (method === 'PATCH' ? [body] : [])) }
}

test('config without flags shows a picker, the difference, a prompt and the equivalent command', async () => {
  const run = await pick(['down', 'down', 'space', 'return'], script, { answers: [true] })
  expect(run.code).toBe(0)
  expect(run.screens[0]).toContain('  [x] F2  in a closed folder')
  expect(run.screens[0]).toContain('+ [x] Letters')
  expect(run.stderr).toContain('  + F3  Plans\n')
  expect(run.questions).toEqual(['Change the selection and sync all its folders from the start?'])
  expect(run.bodies).toEqual([{ config: { folder_ids: ['F1', 'F2', 'F3'] } }])
  expect(run.stderr).toContain(`memctl connections config ${CONNECTION_ID} --folder F1 --folder F2 --folder F3 --yes`)
})

test('loads folders when they are opened', async () => {
  const said = { ...script, [`${FOLDERS}?parent_id=F1`]: [folder('F2', 'Drafts', { is_selected: true })] }
  const run = await pick(['down', 'right', 'down', 'space', 'return'], said, { answers: [true] })
  expect(run.screens.at(-2)).toContain('    [x] Drafts')
  expect(run.bodies).toEqual([{ config: { folder_ids: ['F1'] } }])
})

test('Esc changes nothing and sends no request', async () => {
  const run = await pick(['down', 'space', 'escape'])
  expect(run).toMatchObject({ code: 1, stdout: '', bodies: [], questions: [] })
  expect(run.stderr).toContain('declined: the selection was not changed')
})

test.each([
  ['Esc', ['escape'], 1],
  ['Ctrl-C', [], 130]
])('%s aborts loading and leaves no open request', async (_name, keys, exit) => {
  const { fetch } = scriptedService(script)
  let givenUp = false
  const { code, screens } = await pick(keys, script, {
    fetch: async (request) => {
      if (!request.url.includes('/folders')) return await fetch(request)
      return await new Promise((_resolve, reject) =>
        request.signal.addEventListener('abort', () => {
          givenUp = true
          reject(request.signal.reason)
        })
      )
    }
  })
  expect({ code, givenUp }).toEqual({ code: exit, givenUp: true })
  expect(screens[0]).toContain('loading …')
})

test('Ctrl-C exits 130 and sends no request', async () => {
  expect(await pick(['down', 'space'])).toMatchObject({ code: 130, bodies: [] })
})

test('sends a first selection without a prompt and shows the equivalent command', async () => {
  const channels = [
    { id: 'C1', name: 'general', is_private: false, num_members: 1204, is_selected: false },
    { id: 'G2', name: 'board', is_private: true, num_members: 1, is_selected: false }
  ]
  const said = {
    ...script,
    [`GET ${ONE}`]: { ...CONNECTION, provider: 'team_chat' },
    [`GET ${ONE}/channels`]: channels
  }
  const run = await pick(['b', 'o', 'space', 'return'], said)
  expect(run.screens[0]).toContain('[ ] board  private, 1 member')
  expect(run.screens[0]).toContain('0/50')
  expect(run.bodies).toEqual([{ config: { channel_ids: ['G2'] } }])
  expect(run.stderr).toContain(
    `to do the same without prompts: memctl connections config ${CONNECTION_ID} --channel G2`
  )
})

test('shows a failed listing in its place and retries it', async () => {
  const said = { ...script, [FOLDERS]: series(problem(502, 'provider_failed', 'the drive is away'), TOP) }
  const run = await pick(['space', 'escape'], said)
  expect(run.screens[0]).toContain('! Space to retry: the drive is away')
  expect(run.screens[1]).toContain('Letters')
})

test('removes control characters from names', async () => {
  const said = { ...script, [FOLDERS]: [folder('F3', 'a\u001b]0;owned\u0007\u202eb')] }
  const run = await pick(['end', 'space', 'return'], said, { answers: [false] })
  expect(run.screens.join() + run.stderr).not.toMatch(/[\u001b\u0007\u202e]/)
  expect(run.stderr).toContain('  + F3  ab')
})

test('config without flags exits 2 outside an interactive session without sending a request', async () => {
  const run = await pick([], script, { terminals: [] })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('hint: give --folder, --channel')
  expect(run.screens).toEqual([])
})
