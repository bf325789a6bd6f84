import { createSnapshot, openDevice } from '../../dist/device.js'

/** `node store-plain.mjs SNAPSHOT BATCH`: stores a batch into a new snapshot with the library, without extraction. */
const [snapshot, batch] = process.argv.slice(2)
await createSnapshot(snapshot)
await openDevice(snapshot, { extract: false }).storeBatch({ file: batch })
