import { notesProvider } from '../../../../server/providers/notes/notes-provider.ts'
import type { SandboxAccount } from '../../../../server/sandbox/core/sandbox-provider.ts'
import type { NotePage, Workspace } from '../../../../server/sandbox/notes/content.ts'
import { isDiscarded, isVisible } from '../../../../server/sandbox/notes/content.ts'
import { notesSandbox } from '../../../../server/sandbox/notes/notes-sandbox.ts'
import { type RichText, toPlain } from '../../../../server/sandbox/notes/views.ts'
import type { ProviderSuiteOptions } from '../../../suites/provider-suite.ts'
import { type SuiteWorld, suiteWorld } from '../../../suites/provider-suite-world.ts'

export const ADA = '5eed0001-0000-4000-8000-000000000ada'
export const BEN = '5eed0002-0000-4000-8000-000000000be2'
const CLIO = '5eed0003-0000-4000-8000-0000000c1100'

/** The options of the adapter suite, without the edits. */
export const NOTES_SUITE: Omit<ProviderSuiteOptions, 'edits'> = {
  provider: notesProvider,
  sandboxProvider: notesSandbox,
  account: ADA,
  hostile: CLIO,
  selection: () => [],
  holds: shownPages,
  listing: 'post-search',
  reading: 'retrieve-a-page',
  smallPages: withSmallPages
}

/** Creates a sandbox with an account in use. */
export function notesWorld(account: string): Promise<SuiteWorld> {
  return suiteWorld({ ...NOTES_SUITE, edits: [] }, account)
}

/** Returns the visible pages of a workspace: ids with the first words of their texts. */
export function shownPages({ content }: Pick<SandboxAccount, 'content'>): ReadonlyMap<string, string> {
  const workspace = content as Workspace
  const shown = [...workspace.pages.values()].filter(
    (page) => isVisible(workspace, page) && !isDiscarded(workspace, page)
  )
  return new Map(shown.map((page) => [page.id, pieceOf(page)]))
}

/** Returns the first words of the last paragraph, so that appended text is checked. */
function pieceOf({ blocks }: NotePage): string {
  const texts = blocks.filter(({ type }) => type === 'paragraph').map(({ content }) => content.rich_text as RichText[])
  return /^[\w ,.]*/.exec(toPlain(texts.at(-1) ?? []))?.[0].trim() ?? ''
}

/** Finds a page of a workspace by its title. */
export function pageTitled({ content }: Pick<SandboxAccount, 'content'>, title: string): NotePage {
  const found = [...(content as Workspace).pages.values()].findLast((page) => page.title === title)
  if (found === undefined) throw new Error(`no page ${title}`)
  return found
}

/** Reduces the page size of a request to two entries. */
export function withSmallPages(request: Request): Request {
  const url = new URL(request.url)
  if (url.searchParams.has('page_size')) url.searchParams.set('page_size', '2')
  const { method, headers, signal } = request
  if (request.body === null) return new Request(url, { method, headers, signal })
  const smaller = new TransformStream<string, string>({
    transform: (text, sink) => sink.enqueue(text.replace(/"page_size":\d+/, '"page_size":2'))
  })
  const body = request.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(smaller)
    .pipeThrough(new TextEncoderStream())
  return new Request(url, { method, headers, signal, body, duplex: 'half' } as RequestInit)
}
