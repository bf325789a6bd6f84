import { expect, test } from 'vitest'
import { readBlocks } from '../../../src/memory/structure/read-blocks.ts'
import { outline } from './blocks.ts'

test('reads a Markdown table with the names of its columns', () => {
  expect(outline('| Name | Room |\n|------|-----:|\n| Ann \\| Lee | 4 |\n| Bob |  |')).toEqual([
    'row: Name=Name Room=Room',
    'row: Name=Ann \\| Lee Room=4',
    'row: Name=Bob Room='
  ])
  expect(outline('Name | Room\n---|---\nAnn | 4')).toHaveLength(2)
  expect(outline('| Name | Room |\n| Ann | 4 |')).toHaveLength(2)
})

test('reads values with commas, semicolons or tabs as rows if a header and enough rows agree', () => {
  expect(outline('name,city,age\nAnn,"Oslo, west",40\nBob,Rome,41')).toEqual([
    'row: name=name city=city age=age',
    'row: name=Ann city=Oslo, west age=40',
    'row: name=Bob city=Rome age=41'
  ])
  expect(outline('name;city;age\nAnn;Oslo;40\nBob;Rome;41')).toHaveLength(3)
  expect(outline('Name, Age, Town\nAnn, 40, Oslo\nBob, 41, Rome')).toHaveLength(3)
  expect(outline('name\tcity\nAnn\tOslo')).toEqual(['row: name=name city=city', 'row: name=Ann city=Oslo'])
})

test.each([
  'milk, eggs, bread\nham, jam, tea\nrice, oil, salt',
  'Yes, I see, thanks\nNo, you do, not me\nSo, we go, home',
  'a | b',
  'Either this | or that, you choose\nand then we go'
])('finds no table in %j', (text) => {
  expect(outline(text).some((line) => line.startsWith('row'))).toBe(false)
})

test('reads the rest of an overlong table as one row without cells', () => {
  const rows = Array.from({ length: 50_000 }, (_, n) => `${n},person ${n},${n * 3}`)
  const text = `id,name,amount\n${rows.join('\n')}`
  const blocks = readBlocks(text)
  expect(blocks).toHaveLength(1_002)
  expect(blocks.at(-1)).toMatchObject({ kind: 'row', cells: [], end: text.length })
})
