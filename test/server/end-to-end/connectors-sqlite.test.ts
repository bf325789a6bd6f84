import { configSuite } from './config-suite.ts'
import { connectSuite } from './connect-suite.ts'
import { connectionsSuite } from './connections-suite.ts'
import { startTestServer } from './server-kit.ts'

connectSuite(startTestServer)
connectionsSuite(startTestServer)
configSuite(startTestServer)
