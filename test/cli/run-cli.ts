import { main } from '../../src/cli/program/main.ts'
import { type DeviceWishes, type FakeDevice, fakeDevice } from './fake-device.ts'
import type { HostWishes } from './fake-host.ts'
import { type FakeWorld, fakeWorld, type Wishes } from './fake-world.ts'
import { testModules } from './test-modules.ts'

export type Run = FakeWorld['said'] & { code: number; world: FakeWorld; calls: FakeDevice['calls'] }

/** The snapshot that most tests use. */
export const SNAPSHOT = '/project/a.mem.jsonl'

/** Runs a command line in a configurable world. A snapshot `a.mem.jsonl` is in the current folder. */
export async function runCli(argv: readonly string[], wishes: Wishes & DeviceWishes & HostWishes = {}): Promise<Run> {
  const world = fakeWorld(wishes)
  if (world.files.find(SNAPSHOT) === undefined) world.files.put(SNAPSHOT, 'a snapshot\n')
  const { module, calls } = fakeDevice(wishes)
  const code = await main(argv, world, testModules(module, wishes))
  return { ...world.said, code, world, calls }
}

/** Runs a device command on that snapshot. */
export function runDevice(argv: readonly string[], wishes: Wishes & DeviceWishes = {}): Promise<Run> {
  return runCli(['device', ...argv, '--snapshot', 'a.mem.jsonl'], wishes)
}

/** Returns the error line of JSON mode, which must be the only line on stderr. */
export function errorLine(run: Run): Record<string, unknown> {
  const { error } = JSON.parse(run.stderr)
  return error
}
