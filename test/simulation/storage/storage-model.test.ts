import { nodeClock } from '../../../bin/node/node-clock.ts'
import { storageSuite } from '../../suites/storage-suite.ts'
import { createStorageModel } from './storage-model.ts'

storageSuite(async () => {
  const model = createStorageModel()
  return { open: async () => model.open({ clock: nodeClock }) }
})
