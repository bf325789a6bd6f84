import { keysSuite } from './keys-suite.ts'
import { memoriesSuite } from './memories-suite.ts'
import { startOverPostgres as start } from './postgres-start.ts'
import { snapshotsSuite } from './snapshots-suite.ts'
import { stormSuite } from './storm-suite.ts'

memoriesSuite(start)
snapshotsSuite(start)
keysSuite(start)
stormSuite(start)
