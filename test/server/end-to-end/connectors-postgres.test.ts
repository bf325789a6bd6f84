import { browseSuite } from './browse-suite.ts'
import { callbackSuite } from './callback-suite.ts'
import { configSuite } from './config-suite.ts'
import { confirmSuite } from './confirm-suite.ts'
import { connectSuite } from './connect-suite.ts'
import { connectionsSuite } from './connections-suite.ts'
import { makeStartOverPostgres } from './postgres-start.ts'

const startOverPostgres = makeStartOverPostgres()

connectSuite(startOverPostgres)
callbackSuite(startOverPostgres)
confirmSuite(startOverPostgres)
connectionsSuite(startOverPostgres)
configSuite(startOverPostgres)
browseSuite(startOverPostgres)
