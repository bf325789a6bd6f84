import { expect, test } from 'vitest'
import { testFormat } from '../format-suite.ts'
import { batchOf, folderOf } from '../ingest-kit.ts'

const DOCUMENTS = {
  'report.html': '<h1>Quay</h1><p>The crane lifts forty tonnes.</p>',
  'prices.csv': 'fish,price\nherring,4\ncod,9\n',
  'notes.txt': 'The lighthouse keeper retires in June.',
  'plan.md': 'We repaint the ferry in spring.',
  'data-without-ending': 'The tide tables of the year.',
  'data.bin': new Uint8Array([1, 2, 3]),
  'photo.jpg': new Uint8Array([0xff, 0xd8]),
  'broken.pdf': '%PDF-1.7 nothing follows'
}

testFormat('documents', {
  files: DOCUMENTS,
  phrases: ['The crane lifts forty tonnes', 'The lighthouse keeper retires in June', 'We repaint the ferry in spring']
})

test('names the reason for every file that is left out', async () => {
  const { report } = await batchOf(folderOf(DOCUMENTS))
  expect(report).toMatchObject({ seen: 8, taken: 4, left_out: 4 })
  expect(report.losses).toEqual([
    { kind: 'file', reason: 'unsupported', count: 2, examples: ['data-without-ending', 'data.bin'] },
    { kind: 'document', reason: 'damaged', count: 1, examples: ['broken.pdf'] },
    { kind: 'file', reason: 'image', count: 1, examples: ['photo.jpg'] }
  ])
})

test('gives the same ids to a file whatever else is in the folder', async () => {
  const alone = await batchOf(folderOf({ 'plan.md': DOCUMENTS['plan.md'] }))
  const { text } = await batchOf(folderOf(DOCUMENTS))
  expect(text).toContain(alone.text.trim())
})
