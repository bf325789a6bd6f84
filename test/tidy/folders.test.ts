import { expect, test } from 'vitest'
import { keepFilesWhole, keepFoldersOneWay, keepFoldersSmall, keepImportsAcyclic } from './folders.ts'

const file = (path: string, ...targets: string[]) => ({
  path,
  text: targets.map((target) => `import { a } from '${target}'\n`).join('')
})

test('finds a folder of 26 files, and accepts one of 25', () => {
  const folder = (count: number) => Array.from({ length: count }, (_, at) => file(`src/cli/${at}.ts`))
  expect(keepFoldersSmall(folder(25))).toEqual([])
  expect(keepFoldersSmall(folder(26))).toEqual(['src/cli: 26 files, at most 25'])
})

test('finds two folders that import from each other, through types too', () => {
  const upper = file('src/cli/a.ts', './output/b.ts')
  const lower = { path: 'src/cli/output/c.ts', text: "import type { D } from '../d.ts'\n" }
  expect(keepFoldersOneWay([upper])).toEqual([])
  expect(keepFoldersOneWay([upper, lower])).toEqual(['src/cli and src/cli/output import from each other'])
})

test('finds a cycle of three files once, and accepts a diamond', () => {
  const diamond = [file('src/a.ts', './b.ts', './c.ts'), file('src/b.ts', './d.ts'), file('src/c.ts', './d.ts')]
  expect(keepImportsAcyclic(diamond)).toEqual([])
  expect(keepImportsAcyclic([...diamond, file('src/d.ts', './a.ts')])).toEqual([
    'src/a.ts, src/b.ts, src/c.ts, src/d.ts: import each other'
  ])
})

test('finds a short file with one importer in its folder, unless a test imports it or it is loaded at first use', () => {
  const short = file('src/cli/short.ts')
  const user = file('src/cli/user.ts', './short.ts')
  expect(keepFilesWhole([short, user])).toEqual([
    'src/cli/short.ts: 0 lines, and only src/cli/user.ts imports it: it belongs there'
  ])
  expect(keepFilesWhole([short, user, file('test/cli/short.test.ts', '../../src/cli/short.ts')])).toEqual([])
  expect(keepFilesWhole([short, { path: 'src/cli/user.ts', text: "await import('./short.ts')" }])).toEqual([])
  expect(keepFilesWhole([{ ...short, text: 'const a = 1\n'.repeat(80) }, user])).toEqual([])
})
