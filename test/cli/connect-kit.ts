import type { Wishes } from './fake-world.ts'
import { runCli } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION_ID, scriptedService, series } from './scripted-service.ts'

export const AUTH_URL = 'http://127.0.0.1:8787/sandbox/mailbox/authorize?client_id=memctl-sandbox'
export const STATE = 'c3RhdGU.bWFj'
export const BEGUN = { auth_url: AUTH_URL, state: STATE }
export const WAITING = { status: 'waiting', connection_id: null, detail: null }
export const COMPLETED = { ...WAITING, status: 'completed', connection_id: CONNECTION_ID }
export const BEGIN = 'POST /v1/connectors/mailbox/connect'
export const LOOK = 'GET /v1/connectors/attempts'
export const SHOW = `GET /v1/connectors/${CONNECTION_ID}`
export const CALLBACK = '/v1/oauth/callback/mailbox'
export const MAILBOX = { ...ACTIVE, provider: 'mailbox', config: {} }
export const LOOKS = { [BEGIN]: BEGUN, [LOOK]: series(WAITING, WAITING, COMPLETED), [SHOW]: MAILBOX }
export const KEY = { MEMCTL_API_KEY: 'mk_x' }
export const SSH = { ...KEY, SSH_CONNECTION: '198.51.100.7 50000 192.0.2.4 22', USER: 'ada' }
export const words = ['connect', 'mailbox', '-c', COLLECTION_ID]

/** Runs a command in an interactive session. */
export async function run(argv: readonly string[], script: Record<string, unknown>, wishes: Wishes = {}) {
  const { fetch, sent } = scriptedService(script)
  const usual = { environment: KEY, fetch, quickTime: true, terminals: ['input', 'errors'] as const }
  const ended = await runCli(argv, { ...usual, ...wishes })
  return { ...ended, sent, paths: sent.map(({ path }) => path) }
}
