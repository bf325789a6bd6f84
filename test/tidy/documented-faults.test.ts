import { expect, test } from 'vitest'
import { FAULTS } from '../../src/contract/faults.ts'
import { wrongInReadme } from './documented-faults.ts'
import { projectFiles } from './project-files.ts'

const faults = Object.entries(FAULTS).map(([code, { exit }]) => ({ code, exit }))

test('lists the exit code of every fault in the README, and no other', () => {
  const readme = projectFiles().find(({ path }) => path === 'README.md')?.text ?? ''
  expect(wrongInReadme(readme, faults)).toEqual([])
})

test('finds a missing, an unknown, a duplicate and a wrong row', () => {
  const readme = [
    ...['# memctl', '', '## Faults and exit codes', '', '| code | exit code | means |', '|---|---|---|'],
    ...[
      '| `usage` | 2 | words |',
      '| `locked` | 7 | owned |',
      '| `usage` | 2 | again |',
      '| `moody` | 1 | no |',
      '',
      '## Other',
      ''
    ]
  ].join('\n')
  const known = [
    { code: 'usage', exit: 2 },
    { code: 'locked', exit: 6 },
    { code: 'exists', exit: 6 }
  ]
  expect(wrongInReadme(readme, known)).toEqual([
    'exists is missing',
    'locked has exit code 6, not 7',
    'usage stands there twice',
    'moody is no fault'
  ])
})

test('finds a README without the table', () => {
  expect(wrongInReadme('# memctl\n\n| code | exit code |\n|---|---|\n| `usage` | 2 |\n', [])).toHaveLength(1)
})
