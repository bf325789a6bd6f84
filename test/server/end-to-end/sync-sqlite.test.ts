import { startTestServer } from './server-kit.ts'
import { syncContentSuite } from './sync-content-suite.ts'
import { syncDisconnectSuite } from './sync-disconnect-suite.ts'
import { syncFailuresSuite } from './sync-failures-suite.ts'
import { syncPathsSuite } from './sync-paths-suite.ts'
import { syncSelectionSuite } from './sync-selection-suite.ts'
import { syncStatesSuite } from './sync-states-suite.ts'

syncSelectionSuite(startTestServer)
syncStatesSuite(startTestServer)
syncContentSuite(startTestServer)
syncFailuresSuite(startTestServer)
syncDisconnectSuite(startTestServer)
syncPathsSuite(startTestServer)
