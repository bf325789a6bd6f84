import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shortGuids } from '../../src/cli/output/short-forms.ts'
import { connect } from '../server/end-to-end/consent-kit.ts'
import type { Wishes } from './fake-world.ts'
import { errorLine } from './run-cli.ts'
import { type ServiceCli, serviceCli } from './service-kit.ts'

describe('shortGuids', () => {
  const guid = fc.uuid({ version: 7 })

  test('gives each id an end of at least 6 characters that no other id has, and no longer than needed', () => {
    fc.assert(
      fc.property(fc.uniqueArray(guid, { minLength: 1, maxLength: 30 }), (ids) => {
        const shorten = shortGuids(ids.map((id) => ({ id })))
        for (const id of ids) {
          const short = shorten(id)
          expect(id.endsWith(short)).toBe(true)
          expect(short.length).toBeGreaterThanOrEqual(6)
          expect(ids.filter((other) => other.endsWith(short))).toEqual([id])
          const shorter = ids.filter((other) => other.endsWith(short.slice(1)))
          if (short.length > 6 && id.at(-short.length + 1) !== '-') expect(shorter.length).toBeGreaterThan(1)
        }
      })
    )
  })

  test('starts no short form with a hyphen, and leaves an unknown id whole', () => {
    const ids = ['018f3a00-0000-7000-8000-000000000001', '018f3a00-0000-7000-9000-000000000001']
    const shorten = shortGuids(ids.map((id) => ({ id })))
    expect(ids.map(shorten)).toEqual(['8000-000000000001', '9000-000000000001'])
    expect(shorten('018f3a00-0000-7000-8000-000000000003')).toBe('018f3a00-0000-7000-8000-000000000003')
  })
})

/** Starts a server with two mailboxes in `default` and one in `work`. */
async function startMailboxes(): Promise<ServiceCli & { ids: { default: string[]; work: string } }> {
  const cli = await serviceCli()
  const work = (await cli.run(['collections', 'create', 'work', '--fields', 'id'])).stdout.trim()
  const first = await connect(cli.server, 'mailbox', { account: 0 })
  const second = await connect(cli.server, 'mailbox', { account: 1 })
  const third = await connect(cli.server, 'mailbox', { account: 0, collectionId: work })
  return { ...cli, ids: { default: [first, second], work: third } }
}

const there = ['output', 'errors'] as const

/** Returns the first column of a table, without its title. */
function firstColumn(table: string): string[] {
  return table
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ +/)[0] ?? '')
}

test('every id that a table of connections, collections, keys or runs prints is accepted by commands', async () => {
  const { run, ids } = await startMailboxes()
  const listed = await run(['connections', 'list', '-c', 'default'], { terminals: there, columns: 200 })
  const shortened = firstColumn(listed.stdout)
  expect(shortened).toEqual(ids.default.map((id) => id.slice(-6)))
  for (const [at, short] of shortened.entries())
    expect((await run(['connections', 'show', short, '--fields', 'id'])).stdout).toBe(`${ids.default[at]}\n`)
  const whole = await run(['connections', 'list', '-c', 'default', '--fields', 'id'])
  expect(whole.stdout).toBe(ids.default.map((id) => `${id}\n`).join(''))
  for (const what of ['collections', 'keys']) {
    const [pipe, table] = [await run([what, 'list']), await run([what, 'list'], { terminals: there, columns: 200 })]
    const full = pipe.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0] ?? '')
    expect(firstColumn(table.stdout)).toEqual(full.map((id) => id.slice(-6)))
  }
})

test.each([
  ['the name of an account', (account: string) => account],
  ['the name of an account in another case', (account: string) => account.toUpperCase()]
])('finds a connection in a collection by %s', async (_what, spell) => {
  const { run, ids } = await startMailboxes()
  const shown = await run(['connections', 'show', ids.default[1] ?? '', '--json'], {})
  const { external_account_id } = JSON.parse(shown.stdout)
  const found = await run(['connections', 'pause', spell(external_account_id), '--json'])
  expect(found).toMatchObject({ code: 0 })
  const after = await run(['connections', 'list', '-c', 'default'], { terminals: there, columns: 200 })
  expect(after.stderr).toContain(`mailbox ${ids.default[1]?.slice(-6)} is paused`)
})

test('finds a connection by its provider in the collection that -c names', async () => {
  const { run, ids } = await startMailboxes()
  expect((await run(['connections', 'show', 'mailbox', '-c', 'work', '--fields', 'id'])).stdout).toBe(`${ids.work}\n`)
  expect((await run(['connections', 'disconnect', 'mailbox', '-c', 'work', '--yes'])).code).toBe(0)
  expect((await run(['connections', 'list', '-c', 'work'])).stdout).toBe('')
})

test('exits 2 for an ambiguous provider, changes nothing, and lists the candidates with their accounts', async () => {
  const { run, ids } = await startMailboxes()
  const refused = await run(['connections', 'disconnect', 'mailbox', '--yes', '--json'])
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' })
  const { code, message, next } = errorLine(refused)
  expect({ code, next }).toEqual({ code: 'usage', next: ['memctl connections list'] })
  expect(message).toMatch(/^'mailbox' matches 3 connections: /)
  for (const id of [...ids.default, ids.work]) expect(message).toContain(`${id.slice(-6)} (mailbox `)
  expect((await run(['connections', 'list', '-c', 'default', '--json'])).stdout.match(/"id"/g)).toHaveLength(2)
})

test('exits 3 for an unknown name; disconnect --ignore-missing skips it', async () => {
  const { run } = await startMailboxes()
  const missing = await run(['connections', 'sync', 'team_chat', '--json'])
  expect(errorLine(missing)).toMatchObject({ code: 'not_found', exit_code: 3, next: ['memctl connections list'] })
  const words = ['connections', 'disconnect', 'unknown@example.com', '--yes', '--ignore-missing']
  expect((await run(words)).code).toBe(0)
})

test('grants a key access to collections by name, and revokes it by its name', async () => {
  const { run } = await serviceCli()
  expect((await run(['keys', 'create', 'phone', '--read', 'default'])).code).toBe(0)
  const [key] = JSON.parse((await run(['keys', 'list', '--json'])).stdout).filter(
    ({ name }: { name: string }) => name === 'phone'
  )
  expect(key.grants).toHaveLength(1)
  expect((await run(['keys', 'revoke', 'phone'])).stdout).toBe(`${key.id}\n`)
})

describe('completion', () => {
  /** Returns the values that completion offers, without their descriptions. */
  async function offered(
    { run }: Pick<ServiceCli, 'run'>,
    kind: string,
    { typed = [], ...wishes }: Wishes & { typed?: readonly string[] } = {}
  ): Promise<string[]> {
    const { code, stdout, stderr } = await run(['__complete', kind, '--', 'memctl', ...typed], wishes)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']))
  }

  const isName = (value: string): boolean => !/^[0-9a-f]{6,}$/.test(value)

  test('offers names that are unique, and shortened ids', async () => {
    const cli = await startMailboxes()
    const [default0, default1] = cli.ids.default.map((id) => id.slice(-6))
    const all = await offered(cli, 'connection', { typed: ['connections', 'sync'] })
    expect(all).toEqual(expect.arrayContaining([default0, default1, cli.ids.work.slice(-6)]))
    expect(all).not.toContain('mailbox')
    const inWork = await offered(cli, 'connection', { typed: ['connections', 'sync', '-c', '"work"'] })
    expect(inWork).toEqual(['mailbox', expect.stringContaining('@'), cli.ids.work.slice(-6)])
    expect(await offered(cli, 'connection', { typed: ['connections', '--collection=work', 'sync'] })).toEqual(inWork)
    const collections = await offered(cli, 'collection')
    expect(collections.filter(isName).toSorted()).toEqual(['default', 'work'])
    expect(await offered(cli, 'key')).toEqual(['admin', expect.stringMatching(/^[0-9a-f]{6}$/)])
    for (const value of [...inWork, ...collections]) expect(value).toMatch(/^[^\s-]/)
  })

  test('offers no name that has control characters or looks like a flag', async () => {
    const cli = await serviceCli()
    for (const name of ['--yes', '\u001b[2Jevil', 'a\tb'])
      await cli.server.call('POST', '/v1/collections', { body: { name } })
    const offers = await offered(cli, 'collection')
    expect(offers.filter(isName)).toEqual(['default'])
  })

  test.each<[string, Wishes]>([
    ['without a key', { environment: {} }],
    ['with an unknown key', { environment: { MEMCTL_API_KEY: 'mk_unknown' } }],
    ['with a program for the key, which it does not run', { environment: { MEMCTL_API_KEY_COMMAND: 'false' } }],
    ['with an invalid setting', { environment: { MEMCTL_SERVER: 'nowhere' } }],
    ['if nothing listens', { fetch: () => Promise.reject(new TypeError('fetch failed')) }],
    ['if the server is busy', { fetch: async () => new Response('{}', { status: 503 }) }],
    ['if the server does not respond in time', { fetch: () => new Promise(() => undefined), quickTime: true }],
    ['for an unknown collection', {}]
  ])('offers nothing and prints no error %s', async (what, wishes) => {
    const cli = await serviceCli()
    const environment = { MEMCTL_API_KEY: cli.server.adminKey }
    const typed = what.includes('collection') ? ['-c', 'nowhere'] : []
    expect(await offered(cli, 'connection', { environment, typed, ...wishes })).toEqual([])
  })

  test('asks the server that the command line names', async () => {
    const asked: string[] = []
    const fetch = async (request: Request) => {
      asked.push(new URL(request.url).origin)
      return new Response('[]', { headers: { 'content-type': 'application/json' } })
    }
    const cli = await serviceCli()
    const typed = ['connections', 'list', '--server', 'https://memory.example', '-c']
    expect(await offered(cli, 'collection', { typed, fetch, environment: { MEMCTL_API_KEY: 'mk_x' } })).toEqual([])
    expect(asked).toEqual(['https://memory.example'])
  })
})
