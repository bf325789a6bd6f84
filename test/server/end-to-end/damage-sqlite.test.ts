import { startOverFile } from './damage-kit.ts'
import { damageSuite } from './damage-suite.ts'
import { damagedRowsSuite, ODD_NUMBERS, ODD_TEXTS } from './damaged-rows-suite.ts'
import { undamagedSuite } from './undamaged-suite.ts'

damageSuite(startOverFile)
undamagedSuite(startOverFile)

// A SQLite file stores any value in any column.
damagedRowsSuite(startOverFile, {
  first: 1,
  columns: 'select name, type from pragma_table_info(?)',
  values: () => [...ODD_TEXTS, ...ODD_NUMBERS, 1.5, Buffer.from([255, 1]), null, "sql:cast(x'6eff6f' as text)"]
})
