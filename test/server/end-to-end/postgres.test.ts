import { mcpSuite } from '../../mcp/http-suite.ts'
import { changesSuite, nodesSuite, restoredSuite } from './changes-suite.ts'
import { startOverSchema } from './damage-kit.ts'
import { keysSuite } from './keys-suite.ts'
import { memoriesSuite } from './memories-suite.ts'
import { makeStartOverPostgres, openPostgresPair } from './postgres-start.ts'
import { snapshotsSuite } from './snapshots-suite.ts'
import { stormSuite } from './storm-suite.ts'

const start = makeStartOverPostgres()

memoriesSuite(start)
snapshotsSuite(start)
keysSuite(start)
mcpSuite(start)
stormSuite(start)
changesSuite(start)
restoredSuite(startOverSchema)
nodesSuite(openPostgresPair)
