import type { DeviceRoom, Rooms } from '../../src/cli/rooms.ts'
import { createClient } from '../../src/client/create-client.ts'
import { withLock } from '../../src/snapshot/lock.ts'

/** The real rooms, but for the device. */
export function testRooms(device: DeviceRoom): Rooms {
  return { device: async () => device, client: async () => ({ createClient }), lock: async () => withLock }
}
