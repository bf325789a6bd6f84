import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { ProviderId } from '../../../src/contract/provider-ids.ts'
import type { SyncRun } from '../../../src/contract/sync-run.ts'
import { attemptOf, begin, formFields, visit } from '../end-to-end/consent-kit.ts'
import { ORIGIN, startTestServer, type TestServer } from '../end-to-end/server-kit.ts'
import { at, runsOf, scheduleOf } from '../end-to-end/sync-kit.ts'
import { startGoogleShim } from './google-shim.ts'
import { startSlackShim } from './slack-shim.ts'

/** Tokens with which a test changes the content of the emulated accounts. */
export const WRITER = { google: 'google-writer', slack: 'xoxp-writer' } as const

const CLIENT = { client_id: 'memctl-client', client_secret: 'memctl-secret', name: 'memctl' } as const

const redirects = (...providers: ProviderId[]) => providers.map((provider) => `${ORIGIN}/v1/oauth/callback/${provider}`)

const ADA = 'ada@example.com'

const SEEDS = {
  google: {
    tokens: { [WRITER.google]: { login: ADA } },
    google: {
      users: [{ email: ADA, name: 'Ada' }],
      oauth_clients: [{ ...CLIENT, redirect_uris: redirects('cloud_drive', 'mailbox') }],
      drive_items: [
        { id: 'reports', user_email: ADA, name: 'Reports', mime_type: 'application/vnd.google-apps.folder' },
        {
          id: 'buoy',
          user_email: ADA,
          name: 'buoy.txt',
          mime_type: 'text/plain',
          parent_ids: ['reports'],
          data: 'The buoy is red.'
        }
      ],
      messages: [
        {
          id: 'mail1',
          user_email: ADA,
          from: 'ben@example.com',
          to: ADA,
          subject: 'Ferry',
          body_text: 'The ferry leaves at nine.',
          label_ids: ['INBOX'],
          date: '2026-01-05T09:00:00.000Z'
        }
      ]
    }
  },
  slack: {
    slack: {
      users: [{ name: 'ada', real_name: 'Ada' }],
      channels: [{ name: 'harbour' }],
      tokens: [{ token: WRITER.slack, user: 'ada', type: 'user' }],
      oauth_apps: [{ ...CLIENT, redirect_uris: redirects('team_chat') }]
    }
  }
}

/** A memctl server whose settings name the emulators, and the addresses of these. */
export type EmulatedServer = TestServer & Origins

type Origins = { google: string; slack: string }

/**
 * Starts the emulators, their shims, and a server that reaches them through its settings alone. `change` returns settings that
 * replace these.
 */
export async function startEmulated(
  change: (origins: Origins) => Record<string, string> = () => ({})
): Promise<EmulatedServer> {
  const emulators = await startEmulators()
  const [google, slack] = [await startGoogleShim(emulators.google), await startSlackShim(emulators.slack)]
  const variables = {
    ...googleSettings('cloud_drive', google),
    ...googleSettings('mailbox', google),
    ...slackSettings(slack)
  }
  const server = await startTestServer({ syncs: true, variables: { ...variables, ...change({ google, slack }) } })
  return { ...server, google, slack }
}

function settingsOf(provider: ProviderId, addresses: Readonly<Record<string, string>>): Record<string, string> {
  const all = { client_id: CLIENT.client_id, client_secret: CLIENT.client_secret, ...addresses }
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [`MEMCTL_${provider}_${name}`.toUpperCase(), value])
  )
}

const googleSettings = (provider: ProviderId, origin: string) =>
  settingsOf(provider, {
    authorize_url: `${origin}/o/oauth2/v2/auth`,
    token_url: `${origin}/oauth2/token`,
    revoke_url: `${origin}/oauth2/revoke`,
    api_url: origin
  })

const slackSettings = (origin: string) =>
  settingsOf('team_chat', {
    authorize_url: `${origin}/oauth/v2/authorize`,
    token_url: `${origin}/api/oauth.v2.access`,
    revoke_url: `${origin}/api/auth.revoke`,
    api_url: `${origin}/api`
  })

async function startEmulators(): Promise<Origins> {
  const script = fileURLToPath(new URL('run-emulators.mjs', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify(SEEDS)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.stdin.end()
    await ended
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const { google, slack } = JSON.parse(line)
    return { google: onLoopback(google), slack: onLoopback(slack) }
  }
  throw new Error('the emulators did not start')
}

function onLoopback(url: string): string {
  return `http://127.0.0.1:${new URL(url).port}`
}

/**
 * Gives consent as a person at the emulator does: chooses the account whose form has this text. Returns the last page.
 */
export async function answerConsent(server: EmulatedServer, provider: ProviderId, account = 'Ada') {
  const { auth_url, state } = await begin(server, provider)
  const html = await (await fetch(auth_url)).text()
  const form = html.match(/<form[\s\S]*?<\/form>/g)?.find((one) => one.includes(account))
  const action = form?.match(/action="([^"]+)"/)?.[1]
  if (form === undefined || action === undefined) throw new Error(`no form for ${account}: ${html}`)
  const body = new URLSearchParams(formFields(form))
  const reply = await fetch(new URL(action, auth_url), { method: 'POST', body, redirect: 'manual' })
  return { state, page: await visit(server, reply.headers.get('location') ?? '') }
}

/** Connects an account, and returns the id of the connection. */
export async function connectAt(server: EmulatedServer, provider: ProviderId): Promise<string> {
  const { state, page } = await answerConsent(server, provider)
  const { connection_id } = await attemptOf(server, state)
  if (connection_id === null) throw new Error(`no connection was made: ${page.status} ${page.html}`)
  return connection_id
}

/** Waits for the end of the sync that a consent or a selection triggers, and returns its run. */
export async function rested(server: EmulatedServer, id: string, before?: string): Promise<SyncRun> {
  for (;;) {
    const { state } = await scheduleOf(server, id)
    const [newest] = state === 'idle' ? await runsOf(server, id) : []
    if (newest !== undefined && newest.id !== before && newest.ended_at !== null) return newest
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Requests a sync, and returns its run when it has ended. */
export async function synced(server: EmulatedServer, id: string): Promise<SyncRun> {
  const [newest] = await runsOf(server, id)
  const { status, json } = await server.call('POST', at(id, 'sync'))
  if (status !== 200) throw new Error(`no sync was triggered: ${status} ${JSON.stringify(json)}`)
  return await rested(server, id, newest?.id)
}

/** Changes the content of an account at the emulator. */
export async function changeAt(
  origin: string,
  token: string,
  { path, method = 'POST', ...sent }: { path: string; method?: string; json?: unknown; text?: string }
) {
  const type = sent.text === undefined ? 'application/json' : 'text/plain'
  const reply = await fetch(new URL(path, origin), {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type },
    body: sent.text ?? (sent.json === undefined ? null : JSON.stringify(sent.json))
  })
  const text = await reply.text()
  if (!reply.ok || text.includes('"ok":false')) throw new Error(`${path} was refused: ${reply.status} ${text}`)
  return text === '' ? {} : JSON.parse(text)
}
