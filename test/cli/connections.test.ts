import { expect, test } from 'vitest'
import type { DeviceWishes } from './fake-device.ts'
import type { Wishes } from './fake-world.ts'
import { errorLine, runCli } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID, problem, scriptedService } from './scripted-service.ts'
import { schedule } from './sync-script.ts'

const ONE = `/v1/connectors/${CONNECTION_ID}`
const SHOW = `GET ${ONE}`
const FOLDERS = `GET ${ONE}/folders`
const PATCH = `PATCH ${ONE}/config`
const DELETE = `DELETE ${ONE}`
const there = ['input', 'errors'] as const
const GONE = { message: `Connection ${CONNECTION_ID} disconnected`, warnings: [] }

async function run(argv: readonly string[], script: Record<string, unknown>, wishes: Wishes & DeviceWishes = {}) {
  const { fetch, sent } = scriptedService(script)
  const ended = await runCli(['connections', ...argv], { environment: { MEMCTL_API_KEY: 'mk_x' }, fetch, ...wishes })
  return { ...ended, sent }
}

function folder(id: string, name: string, has_children = false) {
  return { id, name, has_children, is_selected: id === 'F1' }
}

test('lists interface objects in JSON, rows in a pipe and a table on a terminal', async () => {
  const script = { [`GET /v1/connectors?collection_id=${COLLECTION_ID}`]: [ACTIVE, CONNECTION] }
  const words = ['list', '-c', COLLECTION_ID]
  expect(JSON.parse((await run([...words, '--json'], script)).stdout)).toEqual([ACTIVE, CONNECTION])
  const rows = (await run(words, script)).stdout.split('\n')
  expect(rows[0]?.split('\t').slice(0, 5)).toEqual([CONNECTION_ID, 'cloud_drive', 'ada-1', 'active', 'ok'])
  expect((await run(words, script, { terminals: ['output'], columns: 120 })).stdout).toMatch(/^ID +PROVIDER/)
})

test('shows the names of account and selection on a terminal, without escape sequences, and not in JSON', async () => {
  const selection = [
    { id: 'F1', name: 'Plans \u001b[31mred' },
    { id: 'F2', name: 'F2' }
  ]
  const named = {
    ...{ ...ACTIVE, config: { folder_ids: ['F1', 'F2'] } },
    ...{ account_name: 'ada@example.com\u001b]0;title\u0007', selection }
  }
  const script = { [`GET ${ONE}?include=names`]: named, [SHOW]: ACTIVE, [`GET ${ONE}/schedule`]: schedule() }
  const shown = await run(['show', CONNECTION_ID], script, { terminals: ['output'], columns: 120 })
  expect(shown.stdout).toMatch(/^account +ada@example\.com$/m)
  expect(shown.stdout).toMatch(/^account id +ada-1$/m)
  expect(shown.stdout).toMatch(/^selection +2 folders: Plans red \(F1\), F2$/m)
  expect(JSON.parse((await run(['show', CONNECTION_ID, '--json'], script)).stdout)).toEqual(ACTIVE)
  const listed = { [`GET /v1/connectors?collection_id=${COLLECTION_ID}&include=names`]: [named] }
  const list = await run(['list', '-c', COLLECTION_ID], listed, { terminals: ['output'], columns: 120 })
  expect(list.stdout).toContain('ada@example.com')
})

test.each([40, 80, 200])(
  'a table of %s columns shows which connections need attention, and ids that other commands accept',
  async (columns) => {
    const failing = {
      ...ACTIVE,
      id: ACTIVE.id.replace(/2$/, '9'),
      health: 'error',
      last_error: 'away; again'
    }
    const script = { [`GET /v1/connectors?collection_id=${COLLECTION_ID}`]: [CONNECTION, failing] }
    const { code, stdout, stderr } = await run(['list', '-c', COLLECTION_ID], script, {
      terminals: ['output'],
      columns
    })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^000002 {2}cloud_drive/m)
    for (const line of stdout.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(columns)
    if (columns > 40) expect(stdout).toMatch(/needs folders[\s\S]*error/)
    expect(stderr).toContain('hint: select folders for cloud_drive 000002: memctl connections config 000002\n')
    expect(stderr).toContain('warning: cloud_drive 000009: away; again\n')
  }
)

test('prints an empty list and a note if there are no connections, and exits 0', async () => {
  const script = { 'GET /v1/connectors': [] }
  const ended = await run(['list', '-c', COLLECTION_ID, '--json'], script)
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: '[]\n' })
  const seen = await run(['list', '-c', COLLECTION_ID], script, { terminals: ['output'] })
  expect(seen).toMatchObject({ code: 0, stdout: '' })
  expect(seen.stderr.match(/No connections yet/g)).toHaveLength(1)
  expect(seen.stderr).toContain('memctl connect mailbox, or list the providers with memctl providers\n')
})

test('finds a shortened id in all collections that the key may read', async () => {
  const script = {
    'GET /v1/collections': [COLLECTION_ID, COLLECTION_ID.replace(/1$/, '9')].map((id) => {
      return { id, name: 'default', created_at: CONNECTION.created_at, expires_at: null, memories: 0 }
    }),
    [`GET /v1/connectors?collection_id=${COLLECTION_ID}`]: [ACTIVE],
    'GET /v1/connectors': [],
    [SHOW]: ACTIVE
  }
  const shown = await run(['show', CONNECTION_ID.slice(0, 8), '--json'], script)
  expect(JSON.parse(shown.stdout)).toEqual(ACTIVE)
  const missing = await run(['show', 'abcdef0', '--json'], script)
  expect({ code: missing.code, error: errorLine(missing).code }).toEqual({ code: 3, error: 'not_found' })
})

test('exits 5 for a forbidden connection and 3 for a missing one', async () => {
  const forbidden = await run(['show', CONNECTION_ID], { [SHOW]: problem(403, 'forbidden', 'may not read') })
  const missing = await run(['show', CONNECTION_ID], { [SHOW]: problem(404, 'not_found', 'there is none') })
  expect([forbidden.code, missing.code]).toEqual([5, 3])
})

test('removes control characters from folder names on a terminal and keeps one row each in a pipe', async () => {
  const script = { [FOLDERS]: [folder('F1', 'a\u001b]0;owned\u0007b\u202Egpj\nc\td')] }
  for (const terminals of [['output'] as const, [] as const]) {
    const { stdout } = await run(['folders', CONNECTION_ID], script, { terminals })
    expect(stdout).not.toMatch(/[\u001b\u0007\u202e]/)
  }
  expect((await run(['folders', CONNECTION_ID], script)).stdout.trim().split('\n')).toHaveLength(1)
})

test('lists subfolders level by level, and a cycle only once', async () => {
  const script = {
    [FOLDERS]: [folder('F1', 'top', true)],
    [`${FOLDERS}?parent_id=F1`]: [folder('F2', 'below', true), folder('F3', 'leaf')],
    [`${FOLDERS}?parent_id=F2`]: [folder('F1', 'top again', true)]
  }
  const flat = await run(['folders', CONNECTION_ID, '--depth', '9', '--fields', 'id'], script)
  expect(flat.stdout).toBe('F1\nF2\nF1\nF3\n')
  expect(flat.sent).toHaveLength(3)
  const tree = await run(['folders', CONNECTION_ID, '--depth', '2', '--tree'], script, { terminals: ['output'] })
  expect(tree.stdout).toBe('[x] top  F1\n  [ ] below  F2\n  [ ] leaf  F3\n')
  const one = await run(['folders', CONNECTION_ID, '--parent', 'F1', '--json'], script)
  expect(JSON.parse(one.stdout)).toMatchObject([folder('F2', 'below', true), folder('F3', 'leaf')])
})

test('finds channels by a part of their name', async () => {
  const channel = { is_private: false, num_members: 3, is_selected: false }
  const channels = [
    { id: 'C1', name: 'team-news', ...channel },
    { id: 'G2', name: 'lunch', ...channel, is_private: true }
  ]
  const script = { [`GET ${ONE}/channels`]: channels }
  expect(JSON.parse((await run(['channels', CONNECTION_ID, '--json'], script)).stdout)).toEqual(channels)
  expect((await run(['channels', CONNECTION_ID, '--search', 'LUN', '--fields', 'id'], script)).stdout).toBe('G2\n')
})

test('sends a first selection without a prompt', async () => {
  const script = { [SHOW]: CONNECTION, [PATCH]: ACTIVE }
  const { code, stdout, sent } = await run(
    ['config', CONNECTION_ID, '--folder', 'F1', '--folder', 'F2', '--json'],
    script
  )
  expect({ code, connection: JSON.parse(stdout) }).toEqual({ code: 0, connection: ACTIVE })
  expect(sent[1]?.body).toEqual({ config: { folder_ids: ['F1', 'F2'] }, check_ids: true })
})

test('asks before a change of the selection; --yes confirms, and a non-interactive session exits 2 with the full command', async () => {
  const script = { [SHOW]: ACTIVE, [PATCH]: ACTIVE }
  const words = ['config', CONNECTION_ID, '--add-folder', 'F3', '--remove-folder', 'F1']
  const refused = await run([...words, '--json'], script)
  expect(refused.code).toBe(2)
  expect(errorLine(refused).next).toEqual([`memctl connections config ${CONNECTION_ID} --folder F2 --folder F3 --yes`])
  expect(refused.sent).toHaveLength(1)
  expect((await run([...words, '--yes'], script)).sent[1]?.body).toEqual({
    config: { folder_ids: ['F2', 'F3'] },
    check_ids: true
  })
  const asked = await run(words, script, { terminals: there, answers: [true] })
  expect(asked.stderr).toContain('- F1')
  expect(asked.stderr).toContain('+ F3')
  expect(asked.sent).toHaveLength(2)
  expect((await run(words, script, { terminals: there, answers: [false] })).stderr).toContain(
    'declined: the selection was not changed'
  )
})

test('sends no request without a difference or with --dry-run', async () => {
  const script = { [SHOW]: ACTIVE }
  const same = await run(['config', CONNECTION_ID, '--folder', 'F2,F1'], script)
  expect({ code: same.code, calls: same.sent.length }).toEqual({ code: 0, calls: 1 })
  const dry = await run(['config', CONNECTION_ID, '--add-folder', 'F9', '--dry-run', '--json'], script)
  expect(JSON.parse(dry.stdout).config).toEqual({ folder_ids: ['F1', 'F2', 'F9'] })
  expect(dry.sent).toHaveLength(1)
})

test('reads a whole selection from a file or stdin', async () => {
  const script = { [SHOW]: CONNECTION, [PATCH]: ACTIVE }
  const device = { parseJson: (text: string) => ({ value: JSON.parse(text) }) }
  const wishes = { stdin: '{"folder_ids":["F7"]}', parts: device }
  const { sent } = await run(['config', CONNECTION_ID, '--from-file', '-'], script, wishes)
  expect(sent[1]?.body).toEqual({ config: { folder_ids: ['F7'] }, check_ids: true })
})

test.each([
  [['config', CONNECTION_ID], 'no selection was given'],
  [['config', CONNECTION_ID, '--folder', 'F', '--add-folder', 'G'], 'cannot be used together'],
  [['config', CONNECTION_ID, '--channel', 'C1'], 'syncs folders, not channels'],
  [['config', CONNECTION_ID, '--remove-folder', 'F1,F2'], 'the selection would be empty'],
  [['disconnect', CONNECTION_ID, '--confirm', CONNECTION_ID], 'requires --delete-memories'],
  [['folders', CONNECTION_ID, '--depth', '0'], 'expected a whole number']
])('rejects %j with exit code 2 and changes nothing', async (words, message) => {
  const ended = await run([...words, '--json'], { [SHOW]: ACTIVE })
  expect(ended.code).toBe(2)
  expect(errorLine(ended).message).toContain(message)
  expect(ended.sent.every(({ method }) => method === 'GET')).toBe(true)
})

test.each([
  ['F1,no/pe', { provider: 'cloud_drive', list: 'folders' }, "invalid folder id 'no/pe'"],
  ['a,b,c,d,e,f,g,h,i,j,k', { provider: 'cloud_drive', list: '' }, 'expected at most 10, received 11'],
  ['general', { provider: 'team_chat', list: 'channels' }, "invalid channel id 'general'"]
] as const)('rejects the selection %s before showing it or asking', async (ids, { provider, list }, message) => {
  const flag = provider === 'team_chat' ? '--channel' : '--folder'
  for (const more of [['--dry-run'], ['--yes'], []]) {
    const script = { [SHOW]: { ...ACTIVE, provider, config: {} } }
    const ended = await run(['config', CONNECTION_ID, flag, ids, ...more, '--json'], script, { terminals: there })
    expect({ code: ended.code, stdout: ended.stdout, sent: ended.sent.length }).toEqual({
      code: 2,
      stdout: '',
      sent: 1
    })
    expect(errorLine(ended).message).toContain(message)
    if (list !== '') expect(errorLine(ended).hint).toContain(`memctl connections ${list} ${CONNECTION_ID}`)
  }
})

test('rejects a selection for a mailbox', async () => {
  const ended = await run(['config', CONNECTION_ID, '--folder', 'F'], { [SHOW]: { ...ACTIVE, provider: 'mailbox' } })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('has no selection')
})

test('names ids that the server rejects', async () => {
  const script = {
    [SHOW]: CONNECTION,
    [PATCH]: problem(422, 'invalid_input', '`config.folder_ids[0]`: a folder id is …')
  }
  const ended = await run(['config', CONNECTION_ID, '--folder', 'not-here'], script)
  expect(ended.code).toBe(10)
  expect(ended.stderr).toContain('config.folder_ids[0]')
})

test('asks before disconnecting; --yes confirms that, but not the deletion of memories', async () => {
  const script = { [SHOW]: ACTIVE, [DELETE]: GONE }
  expect((await run(['disconnect', CONNECTION_ID, '--json'], script)).code).toBe(2)
  const ended = await run(['disconnect', CONNECTION_ID, '--yes', '--json'], script)
  expect(JSON.parse(ended.stdout)).toEqual(GONE)
  expect(ended.sent[1]?.path).toBe(ONE)
  const kept = await run(['disconnect', CONNECTION_ID, '--yes', '--delete-memories', '--json'], script)
  expect({ code: kept.code, calls: kept.sent.length }).toEqual({ code: 2, calls: 1 })
  const words = ['disconnect', CONNECTION_ID, '--delete-memories']
  const named = await run([...words, '--confirm', CONNECTION_ID], script)
  expect(named.sent[1]?.path).toBe(`${ONE}?delete_memories=true`)
  expect((await run([...words, '--confirm', COLLECTION_ID], script)).code).toBe(2)
  const typed = await run(words, script, { terminals: there, typed: [CONNECTION_ID.slice(0, 8)] })
  expect(typed.sent).toHaveLength(2)
  expect((await run(words, script, { terminals: there, typed: ['no'] })).stderr).toContain(
    'declined: nothing was disconnected'
  )
})

test('shows warnings, which fail the command only with --fail-on-warning', async () => {
  const warnings = [{ code: 'cleanup_partial', message: '3 memories were kept' }]
  const script = { [SHOW]: ACTIVE, [DELETE]: { ...GONE, warnings } }
  const told = await run(['disconnect', CONNECTION_ID, '--yes'], script)
  expect(told.code).toBe(0)
  expect(told.stderr).toContain('cleanup_partial: 3 memories were kept')
  expect((await run(['disconnect', CONNECTION_ID, '--yes', '--fail-on-warning'], script)).code).toBe(9)
})

test('exits 3 for a missing connection, or skips it with --ignore-missing', async () => {
  const script = { [SHOW]: problem(404, 'not_found', 'there is no connection') }
  expect((await run(['disconnect', CONNECTION_ID, '--yes'], script)).code).toBe(3)
  const passed = await run(['disconnect', CONNECTION_ID, '--yes', '--ignore-missing', '--json'], script)
  expect({ code: passed.code, stdout: passed.stdout }).toEqual({ code: 0, stdout: '[]\n' })
})

test('disconnects a revoked connection again without a prompt', async () => {
  const script = { [SHOW]: { ...ACTIVE, status: 'revoked', health: null, next_sync_at: null }, [DELETE]: GONE }
  expect((await run(['disconnect', CONNECTION_ID], script)).code).toBe(0)
})
