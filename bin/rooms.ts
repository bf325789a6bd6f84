import type { Rooms } from '../src/cli/rooms.ts'

/** The rooms that commands use, each loaded by the first command that needs it. */
export const rooms: Rooms = {
  device: async () => {
    const [{ deviceRoom }, { tuneEngine }] = await Promise.all([
      import('./device-room.ts'),
      import('./node/tune-engine.ts')
    ])
    tuneEngine()
    return deviceRoom
  },
  client: async () => (await import('./client-room.ts')).clientRoom,
  lock: async () => (await import('../src/snapshot/file/lock.ts')).withLock,
  server: async () => (await import('./server-host.ts')).serverHost(),
  machine: async () => (await import('./node/machine.ts')).nodeMachine
}
