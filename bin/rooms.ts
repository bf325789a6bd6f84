import type { DeviceRoom, Rooms } from '../src/cli/rooms.ts'

/** The rooms that commands use, each loaded by the first command that needs it. */
export const rooms: Rooms = { device: loadDevice }

async function loadDevice(): Promise<DeviceRoom> {
  const { openDevice } = await import('../src/device/open-device.ts')
  const { parseJson } = await import('../src/snapshot/parse-json.ts')
  return {
    open: openDevice,
    create: async (...args) => (await import('../src/device/create-snapshot.ts')).createSnapshot(...args),
    diff: async (...args) => (await import('../src/device/diff-snapshots.ts')).diffSnapshots(...args),
    merge: async (...args) => (await import('../src/device/merge-snapshots.ts')).mergeSnapshots(...args),
    parseJson: (text) => parseJson(Buffer.from(text))
  }
}
