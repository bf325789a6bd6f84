import { type ScriptedOptions, type ScriptedSource, scriptedSource } from './scripted-source.ts'
import { type KitOptions, type SyncKit, syncKit } from './sync-kit.ts'

export type ScriptedKit = SyncKit & { source: ScriptedSource }

/** A connection to a scripted provider, of which folder `A` is selected. */
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

/** What an item says if nothing else is said. */
export function sayingOf(id: string): string {
  return `This is ${id}.`
}

/** Ids `p1`, `p2`, …, so that their order is that of their numbers. */
export function idsOf(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${prefix}${String(at + 1).padStart(3, '0')}`)
}
