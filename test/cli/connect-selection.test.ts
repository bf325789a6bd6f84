import { expect, test } from 'vitest'
import { BEGUN, COMPLETED, LOOK, run, SHOW, STATE } from './connect-kit.ts'
import { errorLine } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION, CONNECTION_ID } from './scripted-service.ts'

const BEGIN = 'POST /v1/connectors/cloud_drive/connect'
const nobody = { terminals: [] } as const
const drive = ['connect', 'cloud_drive', '-c', COLLECTION_ID, '--wait-timeout', '2s', '--jsonl']
const config = (...ids: string[]) =>
  `memctl connections config ${CONNECTION_ID} ${ids.map((id) => `--folder ${id}`).join(' ')} --yes`

test.each([
  ['other folders', ACTIVE, ['F1', 'F3']],
  ['more folders', ACTIVE, ['F1']],
  ['no folders', CONNECTION, ['F1']]
])('exits 8 with the command that selects the given folders if the account kept %s', async (...[, found, ids]) => {
  const script = { [BEGIN]: BEGUN, [LOOK]: COMPLETED, [SHOW]: found }
  const { code, stderr, stdout } = await run([...drive, '--folder', ids.join(',')], script, nobody)
  expect(code).toBe(8)
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({ event: 'connected', connection: found })
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'still_pending',
    message: `connected as ${CONNECTION_ID}, but the account kept its previous folders`,
    next: [config(...ids)],
    retryable: false
  })
})

test('succeeds if the account has the given folders in any order', async () => {
  const script = { [BEGIN]: BEGUN, [LOOK]: COMPLETED, [SHOW]: ACTIVE }
  const { code, stdout } = await run([...drive, '--folder', 'F2, F1'], script, nobody)
  expect({ code, events: stdout.match(/"event":"\w+"/g) }).toEqual({
    code: 0,
    events: ['"event":"consent"', '"event":"connected"']
  })
})

test('shows no picker if folders are given', async () => {
  const argv = ['connect', 'cloud_drive', '-c', COLLECTION_ID, '--folder', 'F9']
  const { code, screens } = await run(argv, { [BEGIN]: BEGUN, [LOOK]: COMPLETED, [SHOW]: CONNECTION })
  expect({ code, screens }).toEqual({ code: 8, screens: [] })
})

test('the command that continues later contains the given folders and checks them', async () => {
  const begun = await run(
    ['connect', 'cloud_drive', '-c', COLLECTION_ID, '--folder', 'F9', '--json'],
    { [BEGIN]: BEGUN },
    nobody
  )
  const next = `memctl connect cloud_drive -c ${COLLECTION_ID} --folder F9 --resume ${STATE} --wait-timeout 10m`
  expect(JSON.parse(begun.stdout).next).toEqual([next])
  const ended = await run([...next.split(' ').slice(1), '--json'], { [LOOK]: COMPLETED, [SHOW]: ACTIVE }, nobody)
  expect({ code: ended.code, next: errorLine(ended).next }).toEqual({ code: 8, next: [config('F9')] })
})

test.each([
  [['connect', 'cloud_drive', '--folder', ''], "--folder '' is empty: expected an id"],
  [['connect', 'cloud_drive', '--folder', ','], '--folder , is empty: expected an id'],
  [['connect', 'cloud_drive', '--folder', 'F1', '--folder', ' '], "--folder ' ' is empty: expected an id"],
  [['connect', 'team_chat', '--channel', ''], "--channel '' is empty: expected an id"],
  [['connections', 'config', CONNECTION_ID, '--folder', ''], "--folder '' is empty: expected an id"],
  [['connections', 'config', CONNECTION_ID, '--add-folder', ''], "--add-folder '' is empty: expected an id"],
  [['connections', 'config', CONNECTION_ID, '--remove-channel', ','], '--remove-channel , is empty: expected an id']
])('rejects a flag without an id: %j', async (words, message) => {
  const ended = await run([...words, '--json'], {}, nobody)
  expect({ code: ended.code, sent: ended.sent }).toEqual({ code: 2, sent: [] })
  expect(errorLine(ended).message).toBe(message)
})

test.each([
  [['cloud_drive', '--channel', 'C1'], 'cloud_drive syncs folders, not channels', 'use --folder'],
  [['team_chat', '--folder', 'F1'], 'team_chat syncs channels, not folders', 'use --channel'],
  [['mailbox', '--folder', 'F1'], 'mailbox has no folders to select: it syncs everything', 'omit --folder'],
  [['notes', '--channel', 'C1'], 'notes has no channels to select: it syncs everything', 'omit --channel'],
  [['team_chat', '--channel', 'general'], "invalid channel id 'general'", 'memctl connections channels ID'],
  [['cloud_drive', '--folder', 'a/b'], "invalid folder id 'a/b'", 'memctl connections folders ID'],
  [
    ['cloud_drive', '--folder', Array.from({ length: 11 }, (_, n) => `F${n}`).join(',')],
    'expected at most 10, received 11',
    'their parent folder'
  ]
])('rejects an invalid selection before sending a request: %j', async (words, message, hint) => {
  const ended = await run(['connect', ...words, '--json'], {}, nobody)
  expect({ code: ended.code, sent: ended.sent }).toEqual({ code: 2, sent: [] })
  expect(errorLine(ended)).toMatchObject({
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint)
  })
})
