import { join } from 'node:path'
import type { Context } from '../../command/context.ts'
import { shellWord } from '../../output/short-forms.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { chooseSnapshot } from '../../snapshots/choose-snapshot.ts'
import { type CheckResult, ok, warning } from './check.ts'

/** Checks the lock of the snapshot. A lock normally lasts milliseconds; a longer one belongs to a running or an unknown process. */
export async function checkSnapshotLock(context: Context): Promise<CheckResult> {
  const { path } = chooseSnapshot(context.world, context.settings)
  if (path === '-') return ok('free')
  const found = await findHolder(context, realPath(context, path))
  if (found === undefined) return ok('free')
  const { pid, host, state, lock } = found
  if (state === 'gone') return ok(`left by process ${pid}, which has ended; the next store takes it over`)
  if (state === 'runs')
    return warning(`process ${pid} has locked ${path}`, `wait, or inspect the process: ps -p ${pid}`)
  return warning(`held by process ${pid} on ${host}`, removal(lock))
}

/** Checks the lock of the data folder. After a container was killed, the next one cannot tell whether the owner still runs. */
export async function checkServerLock(context: Context): Promise<CheckResult> {
  const host = await context.modules.server()
  const folder = await findDataFolder(context, host, {})
  const found = await findHolder(context, join(folder, 'server.db'))
  if (found === undefined) return ok('free')
  const { pid, host: where, state, lock } = found
  if (state === 'gone') return ok(`left by process ${pid}, which has ended; the next start takes it over`)
  if (state === 'runs') return ok(`held by the running process ${pid}`)
  return warning(`process ${pid} on ${where} has locked ${folder}, so no other server can start in it`, removal(lock))
}

function removal(lock: string): string {
  return `if you are sure that process has ended: rm ${shellWord(lock)}`
}

function realPath({ world: { files } }: Context, path: string): string {
  return files.find(path) === undefined ? path : files.realPath(path)
}

async function findHolder({ world, device }: Context, path: string) {
  const holder = (await device()).lockHolder(world, path)
  return holder === undefined ? undefined : { ...holder, lock: `${path}.lock` }
}
