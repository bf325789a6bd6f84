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
  ['others', ACTIVE, ['F1', 'F3']],
  ['fewer', ACTIVE, ['F1']],
  ['none yet', CONNECTION, ['F1']]
])(
  'an account that keeps its folders, %s than those given, is 8 with the command that chooses them',
  async (...[, found, ids]) => {
    const script = { [BEGIN]: BEGUN, [LOOK]: COMPLETED, [SHOW]: found }
    const { code, stderr, stdout } = await run([...drive, '--folder', ids.join(',')], script, nobody)
    expect(code).toBe(8)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual({ event: 'connected', connection: found })
    expect(JSON.parse(stderr).error).toMatchObject({
      code: 'still_pending',
      message: `connected as ${CONNECTION_ID}, but not with the folders that were given`,
      next: [config(...ids)],
      retryable: false
    })
  }
)

test('an account that has the folders that were given, in whatever order, is connected', async () => {
  const script = { [BEGIN]: BEGUN, [LOOK]: COMPLETED, [SHOW]: ACTIVE }
  const { code, stdout } = await run([...drive, '--folder', 'F2, F1'], script, nobody)
  expect({ code, events: stdout.match(/"event":"\w+"/g) }).toEqual({
    code: 0,
    events: ['"event":"consent"', '"event":"connected"']
  })
})

test('nothing is picked where folders were given', async () => {
  const argv = ['connect', 'cloud_drive', '-c', COLLECTION_ID, '--folder', 'F9']
  const { code, screens } = await run(argv, { [BEGIN]: BEGUN, [LOOK]: COMPLETED, [SHOW]: CONNECTION })
  expect({ code, screens }).toEqual({ code: 8, screens: [] })
})

test('the command that goes on later knows the folders that were given, and looks at them', async () => {
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
  [['connect', 'cloud_drive', '--folder', ''], "--folder '' names no id"],
  [['connect', 'cloud_drive', '--folder', ','], '--folder , names no id'],
  [['connect', 'cloud_drive', '--folder', 'F1', '--folder', ' '], "--folder ' ' names no id"],
  [['connect', 'team_chat', '--channel', ''], "--channel '' names no id"],
  [['connections', 'config', CONNECTION_ID, '--folder', ''], "--folder '' names no id"],
  [['connections', 'config', CONNECTION_ID, '--add-folder', ''], "--add-folder '' names no id"],
  [['connections', 'config', CONNECTION_ID, '--remove-channel', ','], '--remove-channel , names no id']
])('a flag that was given without an id is refused: %j', async (words, message) => {
  const ended = await run([...words, '--json'], {}, nobody)
  expect({ code: ended.code, sent: ended.sent }).toEqual({ code: 2, sent: [] })
  expect(errorLine(ended).message).toBe(message)
})

test.each([
  [['cloud_drive', '--channel', 'C1'], 'cloud_drive has folders to choose, not channels', 'give --folder'],
  [['team_chat', '--folder', 'F1'], 'team_chat has channels to choose, not folders', 'give --channel'],
  [['mailbox', '--folder', 'F1'], 'mailbox has no folders to choose: all of it is synced', 'leave --folder out'],
  [['notes', '--channel', 'C1'], 'notes has no channels to choose: all of it is synced', 'leave --channel out'],
  [['team_chat', '--channel', 'general'], "'general' is no channel", 'memctl connections channels ID'],
  [['cloud_drive', '--folder', 'a/b'], "'a/b' is no folder", 'memctl connections folders ID'],
  [
    ['cloud_drive', '--folder', Array.from({ length: 11 }, (_, n) => `F${n}`).join(',')],
    '11 folders are chosen, and a connection has at most 10',
    'the folder that holds them'
  ]
])('what a provider cannot have chosen is refused before it is asked for: %j', async (words, message, hint) => {
  const ended = await run(['connect', ...words, '--json'], {}, nobody)
  expect({ code: ended.code, sent: ended.sent }).toEqual({ code: 2, sent: [] })
  expect(errorLine(ended)).toMatchObject({
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint)
  })
})
