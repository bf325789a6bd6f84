import { startOverSchema } from './damage-kit.ts'
import { damageSuite } from './damage-suite.ts'
import { damagedRowsSuite, ODD_NUMBERS, ODD_TEXTS } from './damaged-rows-suite.ts'
import { undamagedSuite } from './undamaged-suite.ts'

damageSuite(startOverSchema)
undamagedSuite(startOverSchema)

damagedRowsSuite(startOverSchema, {
  first: 0,
  columns: `select column_name as name, data_type as type from information_schema.columns
    where table_name = ? and table_schema = current_schema()`,
  values(type) {
    if (type.includes('int')) return [...ODD_NUMBERS, '9223372036854775807', 7, null]
    return type === 'bytea' ? [Buffer.from([255, 1]), Buffer.alloc(0), null] : [...ODD_TEXTS, '', null]
  }
})
