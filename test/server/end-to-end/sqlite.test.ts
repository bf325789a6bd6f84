import { keysSuite } from './keys-suite.ts'
import { memoriesSuite } from './memories-suite.ts'
import { startTestServer } from './server-kit.ts'
import { snapshotsSuite } from './snapshots-suite.ts'

memoriesSuite(startTestServer)
snapshotsSuite(startTestServer)
keysSuite(startTestServer)
