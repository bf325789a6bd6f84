import type { Connectors } from '../http/handlers/handler-world.ts'
import type { Sync } from '../sync/sync.ts'
import type { Reaper } from './reaper.ts'

type Woken = Pick<Connectors, 'oauth' | 'connections' | 'syncs'>

/** Nobody waits for the next regular look: what a call has made due is begun at once. */
export function wakingConnectors(
  { oauth, connections, syncs }: Woken,
  { sync, reaper }: { sync: Pick<Sync, 'wake'>; reaper: Pick<Reaper, 'wake'> }
): Woken {
  const thenSync = async <T>(done: Promise<T>): Promise<T> => {
    const value = await done
    sync.wake()
    return value
  }
  return {
    oauth: {
      ...oauth,
      receive: (...given) => thenSync(oauth.receive(...given)),
      confirm: (...given) => thenSync(oauth.confirm(...given))
    },
    connections: {
      ...connections,
      configure: (...given) => thenSync(connections.configure(...given)),
      async disconnect(...given) {
        const ended = await connections.disconnect(...given)
        if (ended.warnings.length > 0) reaper.wake()
        return ended
      }
    },
    syncs: {
      ...syncs,
      request: (id) => thenSync(syncs.request(id)),
      retry: (...given) => thenSync(syncs.retry(...given)),
      setPaused: (...given) => thenSync(syncs.setPaused(...given))
    }
  }
}
