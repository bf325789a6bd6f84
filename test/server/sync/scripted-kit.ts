import { type ScriptedOptions, type ScriptedSource, scriptedSource } from './scripted-source.ts'
import { type KitOptions, type SyncKit, syncKit } from './sync-kit.ts'

export type ScriptedKit = SyncKit & { source: ScriptedSource }

/** Creates a connection to a scripted provider whose folder `A` is selected. */
export async function scriptedKit(
  options: ScriptedOptions & { holds?: readonly string[] } & Partial<Omit<KitOptions, 'source'>> = {}
): Promise<ScriptedKit> {
  const { holds = [], ...rest } = options
  const source = scriptedSource(options)
  for (const id of holds) source.put(id, sayingOf(id))
  const where = { provider: source.provider, apiUrl: 'https://files.example' }
  const kit = await syncKit({ config: { folder_ids: ['A'] }, ...rest, source: where })
  return { ...kit, source }
}

/** Returns the default text of an item. */
export function sayingOf(id: string): string {
  return `This is ${id}.`
}

/** Returns ids such as `p001` and `p002`, whose order is that of their numbers. */
export function idsOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${String(at + 1).padStart(3, '0')}`)
}
