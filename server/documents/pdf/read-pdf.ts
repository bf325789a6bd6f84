import { getDocumentProxy } from 'unpdf'
import type { Read } from '../read-document.ts'
import { TEXT_BYTES_MAX } from '../text/cut-text.ts'
import { asTooMuchMemory, orUnreadable, unreadable } from '../unreadable.ts'
import { checkStreams } from './check-streams.ts'
import { type PageItem, pageText } from './page-text.ts'

const PAGES_MAX = 2000

/** The text of a PDF file, page by page. Nothing is fetched, run or drawn. */
export async function readPdf(bytes: Uint8Array): Promise<Read> {
  checkStreams(bytes)
  const pdf = await opened(bytes)
  try {
    const pages = Math.min(pdf.numPages, PAGES_MAX)
    const texts: string[] = []
    let length = 0
    let number = 1
    for (; number <= pages && length <= TEXT_BYTES_MAX; number += 1) {
      const text = await orUnreadable('it is a broken PDF file', async () => {
        const page = await pdf.getPage(number)
        const { items } = await page.getTextContent()
        page.cleanup()
        return pageText(items.filter((item): item is typeof item & PageItem => 'str' in item))
      })
      if (text !== '') texts.push(text)
      length += text.length
    }
    if (texts.length === 0) throw unreadable('it has no text: perhaps its pages were scanned')
    return { text: texts.join('\n\n'), cut: number <= pdf.numPages }
  } finally {
    await pdf.loadingTask.destroy()
  }
}

/** Fonts and tables of characters would be looked for in files or by fetch: what is in the file has to do. */
const OFFLINE = {
  useSystemFonts: false,
  disableFontFace: true,
  useWorkerFetch: false,
  verbosity: 0,
  stopAtErrors: false
}

async function opened(bytes: Uint8Array) {
  try {
    return await getDocumentProxy(new Uint8Array(bytes), OFFLINE)
  } catch (error) {
    const isLocked = error instanceof Error && error.name === 'PasswordException'
    throw (
      asTooMuchMemory(error) ??
      unreadable(isLocked ? 'it is protected by a password' : 'it is a broken PDF file', error)
    )
  }
}
