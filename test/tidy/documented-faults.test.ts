import { expect, test } from 'vitest'
import { FAULTS } from '../../src/contract/faults.ts'
import { findWrongCodes } from './documented-faults.ts'
import { projectFiles } from './project-files.ts'

const MANUAL = 'src/cli/README.md'

const faults = Object.entries(FAULTS).map(([code, { exit }]) => ({ code, exit }))

test('lists every error code with its exit code, and no other', () => {
  const manual = projectFiles().find(({ path }) => path === MANUAL)?.text ?? ''
  expect(findWrongCodes(manual, faults)).toEqual([])
})

test('finds a missing, an unknown, a duplicate and a wrong row', () => {
  const document = `# memctl

## Error codes

| code | exit | meaning |
|---|---|---|
| \`usage\` | 2 | invalid |
| \`locked\` | 7 | locked |
| \`usage\` | 2 | again |
| \`moody\` | 1 | unknown |

## Other
`
  const known = [
    { code: 'usage', exit: 2 },
    { code: 'locked', exit: 6 },
    { code: 'exists', exit: 6 }
  ]
  expect(findWrongCodes(document, known)).toEqual([
    'exists is missing',
    'locked has exit code 6, not 7',
    'usage is listed twice',
    'moody is unknown'
  ])
})

test('finds a document without the table', () => {
  expect(findWrongCodes('# memctl\n\n| code | exit |\n|---|---|\n| `usage` | 2 |\n', [])).toHaveLength(1)
})
