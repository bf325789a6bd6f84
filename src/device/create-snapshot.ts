import { Fault } from '../contract/faults.ts'
import { replaceFile } from '../snapshot/file/replace-file.ts'
import { withLock } from '../snapshot/file/with-lock.ts'
import type { Form } from '../snapshot/read-snapshot.ts'
import { createHeader } from '../snapshot/record/create-header.ts'
import { createRecordTable } from '../snapshot/table/record-table.ts'
import { writeCanonical } from '../snapshot/write-canonical.ts'
import type { DeviceOptions } from './device.ts'
import { type DeviceWorld, withSystemFaults } from './device-world.ts'

/**
 * Creates an empty snapshot at `path`, whose folder must exist.
 * @throws Fault `exists` if the path exists, even as a link to a missing file.
 */
export async function createSnapshot(
  world: DeviceWorld,
  path: string,
  options: DeviceOptions & { format?: Form | undefined } = {}
): Promise<{ path: string; id: string }> {
  const refuseIfThere = (): void => {
    if (world.files.findEntry(path) !== undefined) {
      throw new Fault('exists', `${path} already exists`, { hint: 'choose another name, or use the existing file' })
    }
  }
  return withSystemFaults(`make ${path}`, async () => {
    refuseIfThere()
    return withLock(world, { path, waitMs: options.lockWaitMs }, () => {
      refuseIfThere()
      const header = createHeader(world)
      const empty = { table: createRecordTable(), sources: [], headers: [header], form: options.format ?? 'jsonl' }
      replaceFile(world.files, { path }, (sink) => writeCanonical(sink, empty))
      return { path, id: header.id }
    })
  })
}
