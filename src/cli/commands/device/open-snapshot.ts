import { Fault } from '../../../contract/faults.ts'
import type { Device } from '../../../device/types.ts'
import type { Context } from '../../context.ts'
import { parseDuration } from '../../input/parse-duration.ts'
import { refusedBySystem } from '../../input/read-file.ts'
import { spoolInput } from '../../input/spool.ts'
import { shellWord } from '../../output/short-forms.ts'
import type { LockOptions } from '../../rooms.ts'
import { type ChosenSnapshot, chooseSnapshot } from '../../settings/choose-snapshot.ts'

/** Opens the snapshot that the command means for reading, runs the work, and puts away what was opened. */
export async function readSnapshot(context: Context, work: (device: Device) => Promise<void>): Promise<void> {
  const chosen = chooseSnapshot(context.world, context.settings)
  if (chosen.path !== '-') return await withDevice(context, existing(context, chosen), work)
  await spoolInput(context.world, (path) => withDevice(context, path, work))
}

/** What a command does where the default snapshot is yet to be made. One that was named must be there in any case. */
export type WithoutDefault = 'fault' | 'make' | 'go on'

/** The same for a command that writes: the file cannot be stdin. */
export async function writeSnapshot(
  context: Context,
  work: (device: Device) => Promise<void>,
  withoutDefault: WithoutDefault = 'fault'
): Promise<void> {
  const chosen = chooseSnapshot(context.world, context.settings)
  if (chosen.path === '-') {
    throw new Fault('usage', 'this command writes to the snapshot, so it cannot be stdin', {
      hint: 'name a file with --snapshot'
    })
  }
  const isDefault = chosen.why === 'default'
  if (isDefault && withoutDefault === 'make') await makeDefault(context, chosen.path)
  const path = isDefault && withoutDefault === 'go on' ? chosen.path : existing(context, chosen)
  await withDevice(context, path, work)
}

/** From the setting `lock_wait`. */
export function lockOptions(context: Context): LockOptions {
  return { lockWaitMs: parseDuration(context.settings.get('lock_wait').value ?? '') ?? 0 }
}

async function withDevice(context: Context, path: string, work: (device: Device) => Promise<void>): Promise<void> {
  const room = await context.device()
  await context.talk.show([[{ text: `snapshot: ${path}`, look: 'dim' }]])
  const device = room.open(context.world, path, lockOptions(context))
  try {
    await work(device)
  } finally {
    device.close()
  }
}

/** The path, which must lead to something. */
function existing({ world }: Context, chosen: ChosenSnapshot): string {
  if (refusedBySystem(chosen.path, () => world.files.find(chosen.path)) !== undefined) return chosen.path
  if (chosen.why === 'default') {
    throw new Fault('snapshot_missing', 'nothing has been stored yet', {
      hint: 'memctl device store "a text to remember"',
      next: ['memctl device store', 'memctl quickstart']
    })
  }
  const init = `memctl device init ${shellWord(chosen.path)}`
  const named = chosen.where === undefined ? '' : ` (named by ${chosen.where})`
  throw new Fault('snapshot_missing', `there is no snapshot ${chosen.path}${named}`, { hint: init, next: [init] })
}

async function makeDefault({ world, device, talk }: Context, path: string): Promise<void> {
  if (refusedBySystem(path, () => world.files.find(path)) !== undefined) return
  const room = await device()
  refusedBySystem(world.folders.data, () => world.files.makeFolders(world.folders.data))
  try {
    await room.create(world, path, {})
    await talk.show([[`made a new snapshot: ${path}`]])
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'exists') throw error
  }
}
