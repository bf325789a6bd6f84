import path from 'node:path'
import { nodeClock } from '../../../bin/node/node-clock.ts'
import { nodeFiles } from '../../../bin/node/node-files.ts'
import { openSqliteStorage } from '../../../server/storage/open-sqlite-storage.ts'
import { temporaryFolder } from '../../snapshot/temporary-folder.ts'
import { storageSuite } from '../../suites/storage-suite.ts'

storageSuite(async () => {
  const file = path.join(temporaryFolder(), 'memctl.db')
  return { open: () => openSqliteStorage({ path: file, files: nodeFiles, clock: nodeClock }) }
})
