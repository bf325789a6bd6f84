import { startTestServer } from './server-kit.ts'
import { syncStatesSuite } from './sync-states-suite.ts'

syncStatesSuite(startTestServer)
