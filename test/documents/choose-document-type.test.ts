import { expect, test } from 'vitest'
import { chooseDocumentType } from '../../src/documents/choose-document-type.ts'

const choose = (mimeType: string, name = 'file') => chooseDocumentType({ mimeType, name })

test('a type says how a file is read', () => {
  expect(choose('application/vnd.openxmlformats-officedocument.presentationml.presentation')).toEqual({ type: 'pptx' })
  for (const kind of ['text', 'spreadsheet', 'presentation'])
    expect(choose(`application/vnd.oasis.opendocument.${kind}`)).toEqual({ type: 'odf' })
  expect(choose('TEXT/HTML; charset=utf-8')).toEqual({ type: 'html' })
  expect(choose('message/rfc822')).toEqual({ type: 'eml' })
})

test('every other type of text, of data and of source code is text', () => {
  for (const type of ['text/x-python', 'text/calendar', 'application/json', 'application/x-sh', 'application/ld+json'])
    expect(choose(type)).toEqual({ type: 'text' })
})

test('the ending of the name decides if the type says nothing', () => {
  expect(choose('application/octet-stream', 'main.RS')).toEqual({ type: 'text' })
  expect(choose('application/octet-stream', 'notes.odt')).toEqual({ type: 'odf' })
  expect(choose('', 'talk.ppsx')).toEqual({ type: 'pptx' })
  expect(choose('application/vnd.ms-excel', 'costs.csv')).toEqual({ type: 'csv' })
  expect(choose('application/octet-stream', 'program.exe')).toEqual({
    skipped: 'files of the type application/octet-stream are not read'
  })
})

test('old formats of Office and files without text are skipped with a reason', () => {
  const old = { skipped: 'it is in the old format of Word, which is not read: save it as .docx' }
  expect(choose('application/msword', 'a.doc')).toEqual(old)
  expect(choose('application/octet-stream', 'a.doc')).toEqual(old)
  expect(choose('application/vnd.ms-powerpoint')).toMatchObject({ skipped: expect.stringContaining('.pptx') })
  expect(choose('image/png')).toEqual({ skipped: 'it is an image, which has no text' })
  expect(choose('application/zip')).toEqual({ skipped: 'files of the type application/zip are not read' })
})
