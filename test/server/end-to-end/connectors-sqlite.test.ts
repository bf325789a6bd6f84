import { browseSuite } from './browse-suite.ts'
import { callbackSuite } from './callback-suite.ts'
import { configSuite } from './config-suite.ts'
import { confirmSuite } from './confirm-suite.ts'
import { connectSuite } from './connect-suite.ts'
import { connectionsSuite } from './connections-suite.ts'
import { refusedTokensSuite } from './refused-tokens-suite.ts'
import { startTestServer } from './server-kit.ts'

connectSuite(startTestServer)
callbackSuite(startTestServer)
confirmSuite(startTestServer)
connectionsSuite(startTestServer)
configSuite(startTestServer)
browseSuite(startTestServer)
refusedTokensSuite(startTestServer)
