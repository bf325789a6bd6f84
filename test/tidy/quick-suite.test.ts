import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { SLOW_FILES } from '../config/quick.config.ts'
import { projectRoot } from './project-files.ts'

test('excludes only existing tests from the quick suite', () => {
  expect(SLOW_FILES.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([])
})
