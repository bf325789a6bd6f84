import { expect, test } from 'vitest'
import { QUESTIONS } from '../../src/cli/commands/quickstart/quickstart-command.ts'
import type { DetachedStart, Fetch } from '../../src/ports.ts'
import { FACTS, type HostWishes } from './fake-host.ts'
import type { Wishes } from './fake-world.ts'
import { runCli } from './run-cli.ts'
import { COLLECTION_ID, CONNECTION, problem, scriptedService } from './scripted-service.ts'
import { runId, schedule, syncRun } from './sync-script.ts'

const { origin } = FACTS
const PROVIDERS = ['cloud_drive', 'team_chat', 'mailbox', 'notes'] as const
const MORE = { title: null, url: null, metadata: {}, speaker: null, timestamp: null }
const source = { id: 'mem_1', score: 1, source_ids: [], text: 'an answer', ...MORE }
const response = { semantics: [], procedures: [], episodes: [], sources: [source] }

/** The id of the connection to the nth provider. */
const idOf = (n: number): string => `0190bbbb-0000-7000-8000-00000000000${n}`

/** The replies of a new server. */
function script(): Record<string, unknown> {
  const ofProviders = PROVIDERS.flatMap((provider, n) => {
    const connection = { ...CONNECTION, id: idOf(n), provider, external_account_id: `account-${n}` }
    const run = syncRun(n, { connection_id: idOf(n), created: 10 + n })
    const one = `/v1/connectors/${idOf(n)}`
    return [
      [`POST /v1/connectors/${provider}/connect`, { auth_url: `${origin}/sandbox/${provider}`, state: provider }],
      [`GET /v1/connectors/attempts?state=${provider}`, { status: 'completed', connection_id: idOf(n), detail: null }],
      [`GET ${one}`, connection],
      [`PATCH ${one}/config`, connection],
      [`GET ${one}/schedule`, schedule({ last_run: run })],
      [`GET ${one}/folders`, many(12, { has_children: false })],
      [`GET ${one}/channels`, many(3, { is_private: false, num_members: 2 })]
    ]
  })
  const collection = { id: COLLECTION_ID, name: 'default', memories: 0, created_at: '2026-05-01T11:00:00.000Z' }
  return {
    ...Object.fromEntries(ofProviders),
    'GET /v1/collections': [{ ...collection, expires_at: null, permission: 'edit' }],
    'POST /v1/device-memory/snapshot/export': new Response('a line\n', {
      headers: { 'content-type': 'application/jsonl' }
    })
  }
}

function many(count: number, more: object): object[] {
  return Array.from({ length: count }, (_, n) => ({ id: `F${n}`, name: `folder ${n}`, is_selected: false, ...more }))
}

type Posted = { address: string; form: string }

/**
 * A fetch that serves the pages of the sandbox and records what is sent to them, before it passes requests to a
 * service.
 */
function withSandbox(service: Fetch, { posted, leadsTo }: { posted: Posted[]; leadsTo: string }): Fetch {
  return async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/back') return new Response('done')
    if (!pathname.startsWith('/sandbox/')) return await service(request)
    if (request.method === 'POST') {
      posted.push({ address: pathname, form: await request.text() })
      return new Response(null, { status: 303, headers: { location: leadsTo } })
    }
    return new Response(
      `<form method="post" action="${pathname}/decide"><input name="request" value="signed">` +
        '<input type="radio" name="account" value="ada" checked><input type="radio" name="account" value="ben"></form>'
    )
  }
}

type More = Wishes & { script?: Record<string, unknown>; leadsTo?: string }

/** Runs the quickstart against a script. Returns what was started, stopped, posted to the sandbox and searched. */
async function runQuickstart(args: readonly string[], { script: changes, leadsTo, ...wishes }: More = {}) {
  const { fetch, sent } = scriptedService({ ...script(), ...changes })
  const posted: Posted[] = []
  const started: DetachedStart[] = []
  const ended: number[] = []
  const searched: [string[], Record<string, string>][] = []
  const host: HostWishes['host'] = {
    detach: (start) => {
      started.push(start)
      const firstLine = Promise.resolve(JSON.stringify(FACTS))
      return { pid: FACTS.pid, firstLine, ended: Promise.resolve(0), release: () => undefined }
    },
    terminate: (pid) => void ended.push(pid)
  }
  const run = await runCli(['quickstart', ...args], {
    fetch: withSandbox(fetch, { posted, leadsTo: leadsTo ?? `${origin}/back` }),
    quickTime: true,
    host,
    runSelfOffline: async (words, environment) => {
      searched.push([words, environment])
      return { exitCode: 0, stdout: JSON.stringify(response), stderr: '' }
    },
    ...wishes
  })
  return { ...run, sent, posted, started, ended, searched }
}

test('prints each step with its command and its result', async () => {
  const run = await runQuickstart([])
  expect(run).toMatchObject({ code: 0, stderr: '' })
  const told = run.stdout.split('\n').filter((line) => /^ {2}(\$|ready|connected|stopped|\d)/.test(line))
  expect(told.slice(0, 3)).toEqual([
    expect.stringContaining('$ cd /tmp/memctl-quickstart-'),
    '  $ memctl server start --detach --data-dir server',
    `  ready: ${origin}`
  ])
  for (const [n, provider] of PROVIDERS.entries()) {
    expect(told).toContain(`  $ memctl connect ${provider}`)
    expect(told).toContain(`  connected account account-${n}`)
    expect(run.stdout).toMatch(new RegExp(`${provider} +seen 1,200 · new 1${n}`))
  }
  const rest = told.slice(told.indexOf('  $ memctl connections wait --for synced') + 1)
  expect(rest.slice(0, 4)).toEqual([
    '  $ memctl device export -o memctl.mem.jsonl',
    '  2 memories, 7 B',
    '  $ memctl server stop --data-dir server',
    `  stopped: ${origin}`
  ])
  expect(rest.filter((line) => line.includes("device search '"))).toHaveLength(QUESTIONS.length)
  expect(run.stdout).toContain('an answer')
  expect(run.stdout).toContain('To keep a server running')
})

test('approves the first sandbox account of each provider outside an interactive session', async () => {
  const { posted } = await runQuickstart([])
  expect(posted).toEqual(
    PROVIDERS.map((provider) => ({
      address: `/sandbox/${provider}/decide`,
      form: 'request=signed&account=ada&decision=approve'
    }))
  )
})

test('lets the user consent in the browser, except with --auto', async () => {
  const terminals = ['input', 'output', 'errors'] as const
  const byHand = await runQuickstart([], { terminals })
  expect(byHand.code).toBe(0)
  expect(byHand.posted).toEqual([])
  for (const provider of PROVIDERS) expect(byHand.stderr).toContain(`${origin}/sandbox/${provider}\n`)
  expect((await runQuickstart(['--auto'], { terminals })).posted).toHaveLength(PROVIDERS.length)
})

test('does not suggest waiting later, because the server ends with the command', async () => {
  const { stderr } = await runQuickstart([], { terminals: ['input', 'output', 'errors'] })
  expect(stderr).not.toContain('later')
  expect(stderr.split('Press Ctrl-C to cancel the quickstart and stop its server')).toHaveLength(2)
})

test('suggests deleting the folder, and no resume command, when the user cancels a consent', async () => {
  const waiting = { status: 'waiting', connection_id: null, detail: null }
  const run = await runQuickstart([], {
    terminals: ['input', 'output', 'errors'],
    browser: async () => 'no screen',
    keys: [],
    script: { 'GET /v1/connectors/attempts?state=cloud_drive': waiting }
  })
  expect(run).toMatchObject({ code: 130, ended: [FACTS.pid] })
  expect(run.stderr).toMatch(/cancelled; .*\n *hint: to delete its files: rm -r \/tmp\/memctl-quickstart-\w+\n$/)
})

test('selects all folders and channels, up to the limit', async () => {
  const { sent } = await runQuickstart([])
  const chosen = sent.filter(({ path }) => path.endsWith('/config')).map(({ body }) => body)
  const ids = Array.from({ length: 10 }, (_, n) => `F${n}`)
  expect(chosen).toEqual([{ config: { folder_ids: ids } }, { config: { channel_ids: ids.slice(0, 3) } }])
})

test('uses neither settings nor files of the user for the server and the search', async () => {
  const environment = { MEMCTL_DATABASE_URL: 'postgres://db/theirs', MEMCTL_API_KEY: 'mk_theirs', PATH: '/bin' }
  const { started, searched, world } = await runQuickstart([], { environment })
  const variables = started[0]?.environment ?? {}
  expect(variables).toMatchObject({ MEMCTL_DATABASE_URL: '', MEMCTL_API_KEY: '' })
  expect(variables.PATH).toBeUndefined()
  expect(variables.MEMCTL_ADMIN_KEY).toMatch(/^mk_[\w-]{43}$/)
  expect(variables.MEMCTL_CONFIG_DIR).toMatch(/^\/tmp\/memctl-quickstart-/)
  expect(searched[0]?.[1]).toMatchObject({ MEMCTL_DATABASE_URL: '', MEMCTL_API_KEY: '' })
  expect(searched[0]?.[1]).not.toHaveProperty('MEMCTL_ADMIN_KEY')
  expect(world.files.paths().filter((path) => path.startsWith('/home'))).toEqual([])
})

test('stops its server once, before it searches the file', async () => {
  const order: string[] = []
  const run = await runQuickstart([], {
    runSelfOffline: async () => {
      order.push('search')
      return { exitCode: 1, stdout: '', stderr: 'the network is off' }
    }
  })
  expect(run.ended).toEqual([FACTS.pid])
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('the network is off') })
  expect(run.stdout).toContain('stopped:')
  expect(order).toEqual(['search'])
})

test.each([
  ['a provider that cannot be connected', { 'POST /v1/connectors/mailbox/connect': problem(500, 'internal', 'x') }, 1],
  [
    'a sync that fails',
    {
      [`GET /v1/connectors/${idOf(3)}/schedule`]: schedule({
        last_run: syncRun(1, { id: runId(1), outcome: 'failed' })
      })
    },
    1
  ]
])('stops the server after %s, and reports the error', async (_name, changes, code) => {
  const run = await runQuickstart([], { script: changes })
  expect(run).toMatchObject({ code, ended: [FACTS.pid] })
  expect(run.stderr).not.toBe('')
  expect(run.searched).toEqual([])
})

test('does not follow a consent page that redirects to another site', async () => {
  const run = await runQuickstart([], { leadsTo: 'https://elsewhere.example/' })
  expect(run).toMatchObject({ code: 1, ended: [FACTS.pid] })
  expect(run.stderr).toContain('consent in the sandbox failed')
})

test('prints one result with all steps in JSON mode', async () => {
  const run = await runQuickstart(['--json'])
  const answer = JSON.parse(run.stdout)
  expect(answer).toMatchObject({ memories: 2, searches: QUESTIONS.map((query) => ({ query, response })) })
  expect(answer.connections.map(({ provider }: { provider: string }) => provider)).toEqual(PROVIDERS)
  expect(answer.runs).toHaveLength(PROVIDERS.length)
  expect(answer.snapshot).toBe(`${answer.folder}/memctl.mem.jsonl`)
})
