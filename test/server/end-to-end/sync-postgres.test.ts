import { makeStartOverPostgres } from './postgres-start.ts'
import { syncContentSuite } from './sync-content-suite.ts'
import { syncDisconnectSuite } from './sync-disconnect-suite.ts'
import { syncFailuresSuite } from './sync-failures-suite.ts'
import { syncPathsSuite } from './sync-paths-suite.ts'
import { syncSelectionSuite } from './sync-selection-suite.ts'
import { syncStatesSuite } from './sync-states-suite.ts'

const startOverPostgres = makeStartOverPostgres()

syncStatesSuite(startOverPostgres)
syncDisconnectSuite(startOverPostgres)
syncPathsSuite(startOverPostgres)

// What the provider does here differs only above the storage, whose own suite runs on each engine.
if (process.env.SLOW) {
  syncSelectionSuite(startOverPostgres)
  syncContentSuite(startOverPostgres)
  syncFailuresSuite(startOverPostgres)
}
