import { startOverFile } from './damage-kit.ts'
import { damageSuite } from './damage-suite.ts'

damageSuite(startOverFile)
