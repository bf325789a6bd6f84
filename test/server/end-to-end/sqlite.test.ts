import { keysSuite } from './keys-suite.ts'
import { memoriesSuite } from './memories-suite.ts'
import { startTestServer } from './server-kit.ts'
import { snapshotsSuite } from './snapshots-suite.ts'
import { stormSuite } from './storm-suite.ts'

memoriesSuite(startTestServer)
snapshotsSuite(startTestServer)
keysSuite(startTestServer)
stormSuite(startTestServer)
