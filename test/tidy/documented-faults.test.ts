import { expect, test } from 'vitest'
import { FAULTS } from '../../src/contract/faults.ts'
import { wrongInReadme } from './documented-faults.ts'
import { projectFiles } from './project-files.ts'

const faults = Object.entries(FAULTS).map(([code, { exit }]) => ({ code, exit }))

test('the README tells the exit code of every fault and of nothing else', () => {
  const readme = projectFiles().find(({ path }) => path === 'README.md')?.text ?? ''
  expect(wrongInReadme(readme, faults)).toEqual([])
})

test('a missing, an unknown, a doubled and a wrong row are found', () => {
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

test('a README without the table is found', () => {
  expect(wrongInReadme('# memctl\n\n| code | exit code |\n|---|---|\n| `usage` | 2 |\n', [])).toHaveLength(1)
})
