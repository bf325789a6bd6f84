import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SLOW_FILES } from '../config/quick.config.ts'
import { projectRoot } from './project-files.ts'

test('the quick suite leaves out only tests that exist', () => {
  expect(SLOW_FILES.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([])
})
