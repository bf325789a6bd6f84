import { join } from 'node:path'
import type { Context } from '../../command/context.ts'
import { shellWord } from '../../output/short-forms.ts'
import { findDataFolder } from '../../service/find-own-server.ts'
import { chooseSnapshot } from '../../snapshots/choose-snapshot.ts'
import { type CheckResult, ok, warning } from './check.ts'

/** A lock is there for milliseconds. One that stays belongs to somebody who still runs, or whom nobody here can see. */
export async function checkSnapshotLock(context: Context): Promise<CheckResult> {
  const { path } = chooseSnapshot(context.world, context.settings)
  if (path === '-') return ok('free')
  const found = await findHolder(context, realPath(context, path))
  if (found === undefined) return ok('free')
  const { pid, host, state, lock } = found
  if (state === 'gone') return ok(`left by process ${pid}, which is gone: the next store takes it over`)
  if (state === 'runs')
    return warning(`process ${pid} writes to ${path} now, or holds its lock`, `wait, or see what it does: ps -p ${pid}`)
  return warning(`held by process ${pid} of ${host}`, removal(lock))
}

/** A server holds its data folder as long as it runs. In a container that was killed, the next one cannot see who did. */
export async function checkServerLock(context: Context): Promise<CheckResult> {
  const host = await context.modules.server()
  const folder = await findDataFolder(context, host, {})
  const found = await findHolder(context, join(folder, 'server.db'))
  if (found === undefined) return ok('free')
  const { pid, host: where, state, lock } = found
  if (state === 'gone') return ok(`left by process ${pid}, which is gone: the next start takes it over`)
  if (state === 'runs') return ok(`held by process ${pid}, which runs`)
  return warning(`${folder} is held by process ${pid} of ${where}, and no other server starts in it`, removal(lock))
}

function removal(lock: string): string {
  return `if that one is gone for certain: rm ${shellWord(lock)}`
}

function realPath({ world: { files } }: Context, path: string): string {
  return files.find(path) === undefined ? path : files.realPath(path)
}

async function findHolder({ world, device }: Context, path: string) {
  const holder = (await device()).lockHolder(world, path)
  return holder === undefined ? undefined : { ...holder, lock: `${path}.lock` }
}
