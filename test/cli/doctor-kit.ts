import type { DeviceWishes } from './fake-device.ts'
import type { HostWishes } from './fake-host.ts'
import type { Wishes } from './fake-world.ts'
import { type Run, runCli } from './run-cli.ts'
import { COLLECTION_ID } from './scripted-service.ts'

export type DoctorFinding = { about: string; check: string; state: string; message: string; hint: string | null }

export type Examined = Run & {
  findings: DoctorFinding[]
  /** Returns the checks that did not succeed. */
  wrong: DoctorFinding[]
}

/** Runs the doctor in a fake world and returns its findings. */
export async function examine(
  wishes: Wishes & DeviceWishes & HostWishes = {},
  words: readonly string[] = []
): Promise<Examined> {
  const run = await runCli(['doctor', '--json', ...words], wishes)
  const findings: DoctorFinding[] = JSON.parse(run.stdout)
  return { ...run, findings, wrong: findings.filter(({ state }) => state !== 'ok') }
}

const COLLECTION = {
  id: COLLECTION_ID,
  name: 'default',
  created_at: '2026-05-01T11:00:00.000Z',
  expires_at: null,
  memories: 3
}

/** The script of a service without problems. */
export const WELL: Readonly<Record<string, unknown>> = {
  'GET /healthz': { status: 'ok' },
  'GET /readyz': { status: 'ready' },
  'GET /v1/collections': [COLLECTION],
  [`GET /v1/collections/${COLLECTION_ID}`]: COLLECTION,
  'GET /v1/connectors/providers': ['cloud_drive', 'notes'],
  'GET /v1/connectors': []
}

/** The key for that service. */
export const WITH_KEY = { MEMCTL_API_KEY: 'mk_secret_of_a_test' }
