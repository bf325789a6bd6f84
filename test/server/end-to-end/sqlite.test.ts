import { temporaryFolder } from '../../device/device-kit.ts'
import { mcpSuite } from '../../mcp/http-suite.ts'
import { changesSuite, nodesSuite, restoredSuite } from './changes-suite.ts'
import { startOverFile } from './damage-kit.ts'
import { keysSuite } from './keys-suite.ts'
import { memoriesSuite } from './memories-suite.ts'
import { sqliteStorage, startTestServer } from './server-kit.ts'
import { snapshotsSuite } from './snapshots-suite.ts'
import { stormSuite } from './storm-suite.ts'

memoriesSuite(startTestServer)
snapshotsSuite(startTestServer)
keysSuite(startTestServer)
mcpSuite(startTestServer)
stormSuite(startTestServer)
changesSuite(startTestServer)
restoredSuite(startOverFile)
nodesSuite(async () => {
  const storage = await sqliteStorage(temporaryFolder())
  return [storage, { ...storage, close: async () => undefined }]
})
