import { expect, test } from 'vitest'
import { chooseDocumentType } from '../../src/documents/choose-document-type.ts'

const choose = (mimeType: string, name = 'file') => chooseDocumentType({ mimeType, name })

test('chooses the reader of a file by its type', () => {
  expect(choose('application/vnd.openxmlformats-officedocument.presentationml.presentation')).toEqual({ type: 'pptx' })
  for (const kind of ['text', 'spreadsheet', 'presentation'])
    expect(choose(`application/vnd.oasis.opendocument.${kind}`)).toEqual({ type: 'odf' })
  expect(choose('TEXT/HTML; charset=utf-8')).toEqual({ type: 'html' })
  expect(choose('message/rfc822')).toEqual({ type: 'eml' })
})

test('reads every other type of text, data and source code as text', () => {
  for (const type of ['text/x-python', 'text/calendar', 'application/json', 'application/x-sh', 'application/ld+json'])
    expect(choose(type)).toEqual({ type: 'text' })
})

test('uses the extension of the name if the type is unknown', () => {
  expect(choose('application/octet-stream', 'main.RS')).toEqual({ type: 'text' })
  expect(choose('application/octet-stream', 'notes.odt')).toEqual({ type: 'odf' })
  expect(choose('', 'talk.ppsx')).toEqual({ type: 'pptx' })
  expect(choose('application/vnd.ms-excel', 'costs.csv')).toEqual({ type: 'csv' })
  expect(choose('application/octet-stream', 'program.exe')).toEqual({
    skipped: 'files of the type application/octet-stream are not supported'
  })
})

test('skips old Office formats and files without text with a reason', () => {
  const old = { skipped: 'it is in the old format of Word, which is not supported: save it as .docx' }
  expect(choose('application/msword', 'a.doc')).toEqual(old)
  expect(choose('application/octet-stream', 'a.doc')).toEqual(old)
  expect(choose('application/vnd.ms-powerpoint')).toMatchObject({ skipped: expect.stringContaining('.pptx') })
  expect(choose('image/png')).toEqual({ skipped: 'it is an image, which has no text' })
  expect(choose('application/zip')).toEqual({ skipped: 'files of the type application/zip are not supported' })
})
