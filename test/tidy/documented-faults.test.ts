import { expect, test } from 'vitest'
import { FAULTS } from '../../src/contract/faults.ts'
import { findWrongCodes } from './documented-faults.ts'
import { projectFiles } from './project-files.ts'

const MANUAL = 'src/cli/README.md'

const faults = Object.entries(FAULTS).map(([code, { exit, means }]) => ({ code, exit, means }))

test('lists every error code with its exit code and meaning, and no other', () => {
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
| \`forbidden\` | 5 | denied |

## Other
`
  const known = [
    { code: 'usage', exit: 2, means: 'invalid' },
    { code: 'locked', exit: 6, means: 'locked' },
    { code: 'exists', exit: 6, means: 'exists' },
    { code: 'forbidden', exit: 5, means: 'not allowed' }
  ]
  expect(findWrongCodes(document, known)).toEqual([
    'exists is missing',
    'locked has exit code 6, not 7',
    'usage is listed twice',
    'moody is unknown',
    "forbidden means 'not allowed'"
  ])
})

test('finds a document without the table', () => {
  expect(findWrongCodes('# memctl\n\n| code | exit |\n|---|---|\n| `usage` | 2 |\n', [])).toHaveLength(1)
})
