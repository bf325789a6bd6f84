import { expect, test } from 'vitest'
import { keepTheTopLevel, nameInKebabCase } from './names.ts'

const named = (...paths: string[]) => paths.map((path) => ({ path, text: '' }))

test('finds other cases in files and folders', () => {
  const files = named(
    'src/cli/readFile.ts',
    'src/Cli/a.ts',
    'src/cli/read_file.ts',
    'src/cli/read-file.test.ts',
    'src/FORMAT.md'
  )
  expect(nameInKebabCase(files)).toEqual([
    'src/cli/readFile.ts: readFile.ts is not in kebab-case',
    'src/Cli/a.ts: Cli is not in kebab-case',
    'src/cli/read_file.ts: read_file.ts is not in kebab-case'
  ])
})

test('finds an unknown entry of the top level once', () => {
  expect(keepTheTopLevel(named('README.md', 'scripts/a.sh', 'scripts/b.sh'))).toEqual([
    'scripts: does not belong at the top level'
  ])
})
