import type { DeviceRoom, Rooms } from '../../src/cli/rooms.ts'
import { createClient } from '../../src/client/create-client.ts'
import { withLock } from '../../src/snapshot/file/with-lock.ts'
import { fakeHost, type HostWishes } from './fake-host.ts'

/** The real rooms, but for the device and the machine. */
export function testRooms(device: DeviceRoom, wishes: HostWishes = {}): Rooms {
  const { server, machine } = fakeHost(wishes)
  return {
    device: async () => device,
    client: async () => ({ createClient }),
    lock: async () => withLock,
    server: async () => server,
    machine: async () => machine
  }
}
