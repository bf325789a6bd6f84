import { expect } from 'vitest'
import type { ScriptedKit } from './scripted-kit.ts'
import { MINUTE } from './sync-kit.ts'

/**
 * Kills the server while it reads an item: later writes are dropped, and no end is recorded. `storage` is the one given
 * to the run, which fails from then on.
 */
export async function killedWhileReading(kit: ScriptedKit, id: string): Promise<void> {
  const { parts, source, storage } = kit
  let isKilled = false
  const dead = new Proxy(storage, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return (...given: unknown[]) => {
        if (isKilled) throw new Error('killed')
        return Reflect.apply(method, target, given)
      }
    }
  })
  parts.storage = dead
  source.when(`read ${id}`, () => {
    isKilled = true
    throw new Error('killed')
  })
  expect(await kit.sync()).toMatchObject({ outcome: 'lost' })
  expect(isKilled).toBe(true)
  parts.storage = storage
  await kit.clock.pass(MINUTE)
}
