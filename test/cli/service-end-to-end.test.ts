import { expect, test } from 'vitest'
import { errorLine } from './run-cli.ts'
import { serviceCli } from './service-kit.ts'

const NOBODY = '00000000-0000-0000-0000-000000000000'
const there = ['input', 'errors'] as const

test('finds a memory that was added on the server', async () => {
  const { run } = await serviceCli()
  const added = await run(['memories', 'add', 'Anna moved to Lisbon in May', '--speaker', 'Ben', '--at', '2026-04-30'])
  expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mem_[0-9a-f]{32}\n$/) })
  expect(added.stderr).toMatch(/^collection: default \(.{36}\)\n$/)
  const found = await run(['memories', 'search', 'where does Anna live', '--json'])
  expect(found.stderr).toBe('')
  expect(JSON.parse(found.stdout).sources).toMatchObject([
    {
      id: added.stdout.trim(),
      text: 'Anna moved to Lisbon in May',
      speaker: 'Ben',
      timestamp: '2026-04-30T00:00:00.000Z'
    }
  ])
})

test('stores the same memory once, and flags override metadata', async () => {
  const { run } = await serviceCli()
  const words = ['memories', 'add', 'x', '--metadata', '{"speaker":"Eve","k":1}', '--speaker', 'Ben', '--position', '2']
  const [first, second] = [await run([...words, '--json']), await run([...words, '--json'])]
  expect(JSON.parse(first.stdout)).toEqual({ memory_id: expect.any(String) })
  expect(second.stdout).toBe(first.stdout)
  const { stdout } = await run(['memories', 'search', 'x', '--json', '--fields', 'sources,speaker,metadata'])
  expect(JSON.parse(stdout)).toEqual({
    sources: [{ speaker: 'Ben', metadata: { speaker: 'Ben', k: 1, position: 2 } }]
  })
  expect((await run(['collections', 'list'])).stdout).toMatch(/^.{36}\tdefault\t1\t/)
})

test('a terminal shows hits with marked matches, and explanations only with --explain', async () => {
  const { run } = await serviceCli()
  await run(['memories', 'add', 'Anna moved to Lisbon in May'])
  const { stdout } = await run(['memories', 'search', 'Lisbon'], { terminals: ['output'], colors: true })
  expect(stdout).toContain('\u001b[1;35mLisbon\u001b[0m')
  expect(stdout).not.toContain('words 0.')
  expect((await run(['memories', 'search', 'Lisbon', '--explain'], { terminals: ['output'] })).stdout).toContain(
    'words '
  )
})

test('searches several collections as one by shortened ids', async () => {
  const { run, server } = await serviceCli()
  const made = await run(['collections', 'create', 'team', '--json'])
  const { id } = JSON.parse(made.stdout)
  await run(['memories', 'add', 'the deadline is on Monday', '-c', id.slice(0, 18)])
  await run(['memories', 'add', 'a deadline was missed', '-c', server.collectionId])
  const both = await run(['memories', 'search', 'deadline', '-c', id, '-c', server.collectionId, '--json'])
  expect(JSON.parse(both.stdout).sources).toHaveLength(2)
  const one = await run(['memories', 'search', 'deadline', '--collection', id, '--json'])
  expect(JSON.parse(one.stdout).sources).toHaveLength(1)
})

test('creates, shows, and deletes a collection only if its id is confirmed', async () => {
  const { run } = await serviceCli()
  const id =
    (await run(['collections', 'create', 'team', '--fields', 'id', '--json'])).stdout.match(/[0-9a-f-]{36}/)?.[0] ?? ''
  expect(JSON.parse((await run(['collections', 'show', id, '--json'])).stdout)).toMatchObject({
    id,
    name: 'team',
    memories: 0,
    expires_at: null
  })
  await run(['memories', 'add', 'x', '-c', id])
  const refused = await run(['collections', 'delete', id, '--yes', '--json'])
  expect(refused.code).toBe(2)
  expect(errorLine(refused)).toMatchObject({ next: [`memctl collections delete ${id} --confirm ${id}`] })
  expect((await run(['collections', 'delete', id, '--confirm', NOBODY])).code).toBe(2)
  expect((await run(['collections', 'delete', id], { terminals: there, typed: ['no'] })).stderr).toContain(
    'declined: the collection was not deleted'
  )
  const deleted = await run(['collections', 'delete', id], { terminals: there, typed: [id.slice(0, 8)] })
  expect(deleted.stderr).toContain('team  1 memory')
  expect(deleted.code).toBe(0)
  expect((await run(['collections', 'show', id])).code).toBe(3)
})

test('--yes deletes an empty collection', async () => {
  const { run } = await serviceCli()
  const { id } = JSON.parse((await run(['collections', 'create', 'team', '--json'])).stdout)
  expect((await run(['collections', 'delete', id])).code).toBe(2)
  expect(await run(['collections', 'delete', id, '--yes'])).toMatchObject({ code: 0, stdout: `${id}\n` })
})

test('creates a key with grants, prints its secret once on a line of its own, and revokes it', async () => {
  const { run, server } = await serviceCli()
  const { stdout: secret } = await run(['keys', 'create', 'phone', '--read', server.collectionId])
  expect(secret).toMatch(/^mk_\S+\n$/)
  const environment = { MEMCTL_API_KEY: secret.trim() }
  expect((await run(['collections', 'list'], { environment })).stdout).toContain('default')
  expect((await run(['memories', 'add', 'x'], { environment })).code).toBe(5)
  const listed = JSON.parse((await run(['keys', 'list', '--json'])).stdout)
  expect(listed).toHaveLength(2)
  expect(JSON.stringify(listed)).not.toContain(secret.trim())
  const phone = listed.find(({ name }: { name: string }) => name === 'phone')
  expect(phone.grants).toEqual([{ collection_id: server.collectionId, permission: 'read' }])
  expect((await run(['keys', 'revoke', phone.id])).code).toBe(0)
  expect((await run(['keys', 'revoke', phone.id])).code).toBe(3)
})

test('api sends the given request and prints the response', async () => {
  const { run, server } = await serviceCli()
  expect(JSON.parse((await run(['api', 'GET', '/v1/collections'])).stdout)).toMatchObject([{ name: 'default' }])
  const field = `collection_ids:=["${server.collectionId}"]`
  const found = await run(['api', 'post', '/v1/memories/search', '-f', 'query=x', '-f', field])
  expect(JSON.parse(found.stdout)).toEqual({ semantics: [], procedures: [], episodes: [], sources: [] })
  const made = await run(['api', 'POST', '/v1/collections', '--input', '-', '--fields', 'name'], {
    stdin: '{"name":"é"}'
  })
  expect(JSON.parse(made.stdout)).toEqual({ name: 'é' })
})

test('api exits with the code of a failure, and prints the body except in JSON mode', async () => {
  const { run } = await serviceCli()
  const plain = await run(['api', 'GET', '/v1/nothing'])
  expect(plain.code).toBe(3)
  expect(JSON.parse(plain.stdout)).toMatchObject({ status: 404, code: 'not_found' })
  const inJson = await run(['api', 'GET', '/v1/nothing', '--json'])
  expect(inJson).toMatchObject({ code: 3, stdout: '' })
  expect(errorLine(inJson)).toMatchObject({ code: 'not_found', http_status: 404 })
  expect((await run(['api', 'POST', '/v1/collections', '-f', 'name:=7'])).code).toBe(10)
  expect((await run(['api', 'POST', '/healthz'])).code).toBe(2)
})

const unknown = { MEMCTL_API_KEY: 'mk_unknown' }

test.each([
  { what: 'no key', environment: {}, argv: ['collections', 'list'], code: 'unauthenticated', exit: 4 },
  { what: 'an unknown key', environment: unknown, argv: ['collections', 'list'], code: 'unauthenticated', exit: 4 },
  { what: 'an unknown collection', argv: ['collections', 'show', NOBODY], code: 'not_found', exit: 3 },
  { what: 'a part of no id', argv: ['collections', 'show', 'ffffff'], code: 'not_found', exit: 3 },
  { what: 'a part of an id that is too short', argv: ['collections', 'show', 'fff'], code: 'not_found', exit: 3 },
  { what: 'an unknown name', argv: ['collections', 'create', ' '], code: 'invalid_input', exit: 10 },
  { what: 'an unknown key id', argv: ['keys', 'revoke', NOBODY], code: 'not_found', exit: 3 }
])('$what exits with its own code, and prints one line in JSON mode', async ({ environment, argv, code, exit }) => {
  const { run } = await serviceCli()
  const failed = await run([...argv, '--json'], environment === undefined ? {} : { environment })
  expect(failed).toMatchObject({ code: exit, stdout: '' })
  const message = expect.any(String)
  expect(errorLine(failed)).toMatchObject({ code, exit_code: exit, message, hint: message })
})

test('exits 5 without permission, and 6 when revoking the last admin key', async () => {
  const { run, makeKey } = await serviceCli()
  const environment = { MEMCTL_API_KEY: await makeKey() }
  expect((await run(['keys', 'list'], { environment })).code).toBe(5)
  expect((await run(['collections', 'create', 'x'], { environment })).code).toBe(5)
  const [admin] = JSON.parse((await run(['keys', 'list', '--json'])).stdout)
  const revoked = await run(['keys', 'revoke', admin.id, '--json'])
  expect(revoked.code).toBe(6)
  expect(errorLine(revoked)).toMatchObject({ code: 'conflict' })
})

test('suggests what to do for a key without access', async () => {
  const { run, makeKey } = await serviceCli()
  const environment = { MEMCTL_API_KEY: await makeKey() }
  const searched = await run(['memories', 'search', 'x'], { environment })
  expect(searched.code).toBe(3)
  expect(searched.stderr).toContain('your key does not have access to any collection')
})

test('no command prints the key that it uses', async () => {
  const { run, server } = await serviceCli()
  const argvs = [
    ...[
      ['collections', 'list'],
      ['keys', 'list'],
      ['auth', 'status'],
      ['api', 'GET', '/v1/keys']
    ],
    ...[
      ['collections', 'show', NOBODY],
      ['memories', 'add', 'x', '--verbose'],
      ['memories', 'search', 'x', '--debug']
    ],
    ['config', 'list', '--show-origin']
  ]
  for (const argv of argvs) {
    for (const mode of [[], ['--json']]) {
      const { stdout, stderr } = await run([...argv, ...mode])
      expect(stdout + stderr).not.toContain(server.adminKey)
    }
  }
})
