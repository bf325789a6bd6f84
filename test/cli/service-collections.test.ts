import { expect, test } from 'vitest'
import type { Collection } from '../../src/contract/endpoints/collections.ts'
import type { Wishes } from './fake-world.ts'
import { memoryFiles } from './memory-files.ts'
import { errorLine, runCli } from './run-cli.ts'

const A = '018f3a00-0000-7000-8000-00000000000a'
const B = '018f3a00-0000-7000-8000-00000000000b'
const EMPTY = { semantics: [], procedures: [], episodes: [], sources: [] }

function collection(id: string, name: string, more: Partial<Collection> = {}): Collection {
  return { id, name, created_at: '2026-04-01T08:00:00.000Z', expires_at: null, memories: 0, ...more }
}

/** Searches a service with these collections. Returns the run and the searched collections. */
async function searched(collections: readonly Collection[], words: readonly string[] = [], wishes: Wishes = {}) {
  const paths: string[] = []
  let ids: string[] | undefined
  const fetch = async (request: Request) => {
    paths.push(new URL(request.url).pathname)
    if (request.method === 'POST') ids = JSON.parse(await request.text()).collection_ids
    const answer = request.method === 'POST' ? EMPTY : collections
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } })
  }
  const run = await runCli(['memories', 'search', 'x', ...words], { fetch, ...wishes })
  return { run, ids, paths }
}

test('uses and names the only collection', async () => {
  const { run, ids } = await searched([collection(A, 'team')])
  expect(ids).toEqual([A])
  expect(run.stderr).toBe(`collection: team (${A})\n`)
})

test('uses the collection named default among several', async () => {
  expect((await searched([collection(A, 'team'), collection(B, 'default')])).ids).toEqual([B])
})

test('accepts a name without regard to case, and exits 3 for an unknown one', async () => {
  const several = [collection(A, 'team'), collection(B, 'other')]
  expect((await searched(several, ['-c', 'Team'])).ids).toEqual([A])
  const { run, ids } = await searched(several, ['-c', 'tea'])
  expect({ code: run.code, ids }).toEqual({ code: 3, ids: undefined })
  expect(run.stderr).toContain("no collection has the id or name 'tea'\nhint: ")
  expect(run.stderr).toContain('memctl collections list')
})

test('exits 2 for a name of several collections, and lists them with ids that it accepts', async () => {
  const several = [collection(A, 'team'), collection(B, 'team')]
  const { run, ids } = await searched(several, ['-c', 'team', '--json'])
  expect({ code: run.code, ids }).toEqual({ code: 2, ids: undefined })
  expect(errorLine(run)).toMatchObject({
    code: 'usage',
    message: "'team' matches 2 collections: 00000a (team), 00000b (team)",
    next: ['memctl collections list']
  })
  expect((await searched(several, ['-c', '00000b'])).ids).toEqual([B])
})

test('takes a text that is both a name and the end of an id as ambiguous', async () => {
  const several = [collection(A, '00000b'), collection(B, 'other')]
  expect((await searched(several, ['-c', '00000b'])).run.code).toBe(2)
})

test('an ephemeral collection is never the default', async () => {
  const ephemeral = collection(A, 'default', { expires_at: '2026-04-01T09:00:00.000Z' })
  expect((await searched([ephemeral, collection(B, 'team')])).ids).toEqual([B])
})

test.each([[['team', 'home']], [['default', 'default']]])(
  'exits 2 and names the flag instead of choosing among %j',
  async (names) => {
    const { run, ids } = await searched(
      names.map((name, at) => collection(at === 0 ? A : B, name)),
      ['--json']
    )
    expect(run.code).toBe(2)
    expect(ids).toBeUndefined()
    expect(errorLine(run)).toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('--collection'),
      next: ['memctl collections list']
    })
  }
)

test('requests no list for a full collection id', async () => {
  const flag = await searched([], ['-c', A.toUpperCase()])
  expect(flag).toMatchObject({ ids: [A], paths: ['/v1/memories/search'] })
  const variable = await searched([], [], { environment: { MEMCTL_COLLECTION: A.toUpperCase() } })
  expect(variable).toMatchObject({ ids: [A], paths: ['/v1/memories/search'] })
  const files = memoryFiles()
  files.put('/project/memctl.json', JSON.stringify({ collection: B }))
  expect((await searched([], [], { files })).ids).toEqual([B])
})

test('the flag overrides the variable', async () => {
  expect((await searched([], ['-c', B], { environment: { MEMCTL_COLLECTION: A } })).ids).toEqual([B])
})

test('accepts a shortened id if it is unique', async () => {
  const there = [collection(A, 'team'), collection('018f3b00-0000-7000-8000-00000000000b', 'home')]
  expect((await searched(there, ['-c', '00000A'])).ids).toEqual([A])
  expect((await searched(there, ['-c', '018F3A'])).ids).toEqual([A])
  expect((await searched(there, ['-c', '0000b'])).run.code).toBe(3)
  const several = await searched([collection(A, 'team'), collection(B, 'home')], ['-c', '018f3a'])
  expect(several.run.code).toBe(2)
  expect(several.run.stderr).toContain("'018f3a' matches 2 collections: 00000a (team), 00000b (home)")
})

test('accepts repeated and comma-separated collections, each once', async () => {
  expect((await searched([], ['-c', `${A},${B}`, '-c', A])).ids).toEqual([A, B])
})

test('accepts a name in a variable and a settings file, and names the source of an unknown one', async () => {
  const several = [collection(A, 'team'), collection(B, 'other')]
  const environment = { MEMCTL_COLLECTION: 'other' }
  expect((await searched(several, [], { environment })).ids).toEqual([B])
  const files = memoryFiles()
  files.put('/project/memctl.json', JSON.stringify({ collection: 'team' }))
  expect((await searched(several, [], { files })).ids).toEqual([A])
  const { run } = await searched([], [], { environment })
  expect(run.code).toBe(3)
  expect(run.stderr).toContain("no collection has the id or name 'other' (MEMCTL_COLLECTION)")
})

test('removes control characters from server texts on a terminal, and keeps them in JSON', async () => {
  const hostile = '\u001b[2Jevil\u202e'
  const { run } = await searched([collection(A, hostile)])
  expect(run.stderr).toBe(`collection: evil (${A})\n`)
  const answer = JSON.stringify([collection(A, hostile)])
  const fetch = async () => new Response(answer, { headers: { 'content-type': 'application/json' } })
  for (const argv of [
    ['collections', 'list'],
    ['api', 'GET', '/v1/collections']
  ]) {
    const { stdout } = await runCli(argv, { fetch, terminals: ['output'] })
    expect(stdout).toContain('evil')
    expect(stdout).not.toMatch(/[^\P{Cc}\n\t]|\p{Bidi_Control}/u)
  }
  const { stdout } = await runCli(['collections', 'list', '--json'], { fetch })
  expect(JSON.parse(stdout)[0].name).toBe(hostile)
})

test('an error from a server cannot control a terminal or imitate the program', async () => {
  const problem = { title: 't', status: 400, detail: '\u001b[2Jno\u0007', hint: '\u009b2Jhint', code: 'cancelled' }
  const fetch = async () =>
    new Response(JSON.stringify(problem), { status: 400, headers: { 'content-type': 'application/problem+json' } })
  const run = await runCli(['collections', 'list'], { fetch })
  expect(run).toMatchObject({ code: 10, stderr: 'error: no\nhint: hint\n' })
})

test('config shows the server and collection in effect and their origins', async () => {
  const environment = { MEMCTL_COLLECTION: A }
  const shown = ['--server', 'https://memory.example', '--show-origin']
  const run = await runCli(['config', 'list', ...shown], { environment })
  expect(run.stdout).toContain('server\thttps://memory.example\tflag\t--server\n')
  expect(run.stdout).toContain(`collection\t${A}\tenvironment\tMEMCTL_COLLECTION\n`)
})

test('sends search filters in the wire format', async () => {
  let body: unknown
  const fetch = async (request: Request) => {
    body = JSON.parse(await request.text())
    return new Response(JSON.stringify(EMPTY), { headers: { 'content-type': 'application/json' } })
  }
  const words = ['--limit', '3', '--group', 'sources,semantics', '--as-of', '2h', '--explain']
  await runCli(['memories', 'search', 'two', 'words', '-c', A, ...words], { fetch })
  expect(body).toEqual({
    query: 'two words',
    collection_ids: [A],
    limit: 3,
    groups: ['sources', 'semantics'],
    as_of: '2026-05-01T10:00:00.000Z',
    explain: true
  })
})

test.each([
  [['memories', 'search'], 'missing query'],
  [['memories', 'add'], 'missing text'],
  [['memories', 'add', 'x', '-f', 'y'], 'cannot be used together'],
  [['memories', 'add', ''], 'the text is empty'],
  [['memories', 'add', 'x', '--at', 'soon'], "invalid --at 'soon': expected a time"],
  [['memories', 'add', 'x', '--metadata', 'k'], "invalid --metadata 'k': expected a key"],
  [['collections', 'create', ''], 'the name is empty: expected a name'],
  [['keys', 'create', ''], 'the name is empty: expected a name'],
  [['keys', 'create', 'x', '--admin', '--read', A], '--admin already includes'],
  [['api', 'FETCH', '/v1'], "invalid method 'FETCH'"],
  [['api', 'GET', 'v1'], "invalid path 'v1'"],
  [['api', 'GET', '/v1', '--input', '-'], 'GET requests cannot have a body'],
  [['api', 'POST', '/v1', '--input', '-', '-f', 'a=b'], 'cannot be used together'],
  [['api', 'POST', '/v1', '-f', 'a'], "invalid --field 'a': expected a key"]
])('rejects %j without sending a request', async (argv, why) => {
  let asked = 0
  const fetch = async () => {
    asked++
    return new Response('[]')
  }
  const run = await runCli([...argv, '--server', 'https://memory.example'], { fetch })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain(why)
  expect(asked).toBe(0)
})
