import type { Workspace } from '../../../../server/sandbox/notes/content.ts'
import { describedNotionFetch, notionDescription } from '../../../suites/notion-description.ts'
import { providerSuite, type SuiteEdit } from '../../../suites/provider-suite.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { NOTES_SUITE, pageTitled } from './notes-kit.ts'

const description = notionDescription()

const edits: readonly SuiteEdit[] = [
  { name: 'a page is added at the top', make: (w) => w.change('add_page', { title: 'Tea', text: 'Tea is ready.' }) },
  { name: 'one below it', make: (w) => w.change('add_page', { title: 'Cups', text: 'Six.', parent: idOf(w, 'Tea') }) },
  { name: 'one that search does not list', make: (w) => hidden(w, { title: 'Sugar', text: 'None.', parent: 'Cups' }) },
  { name: 'a page is edited', make: (w) => w.change('edit_page', { page: idOf(w, 'Tea'), text: 'Tea is cold.' }) },
  { name: 'the hidden one is edited', make: (w) => w.change('edit_page', { page: idOf(w, 'Sugar'), text: 'Two.' }) },
  {
    name: 'a block is added',
    make: (w) => w.change('append_block', { page: idOf(w, 'Handbook'), text: 'And so on.' })
  },
  {
    name: 'a row is added',
    make: (w) => w.change('add_row', { database: table(w, 'Units'), title: 'Unit 8', text: 'New.' })
  },
  {
    name: 'a row is edited',
    make: (w) => w.change('edit_page', { page: idOf(w, 'Unit 1'), values: { State: 'Lost' } })
  },
  { name: 'a row is thrown away', make: (w) => w.change('trash', { id: idOf(w, 'Unit 2') }) },
  { name: 'a database is added', make: (w) => w.change('add_database', { parent: idOf(w, 'Tea'), title: 'Sorts' }) },
  {
    name: 'it gets a row',
    make: (w) => w.change('add_row', { database: table(w, 'Sorts'), title: 'Oolong', text: 'Green.' })
  },
  {
    name: 'a page with others in it is thrown away',
    make: (w) => w.change('trash', { id: idOf(w, 'Safety on board') })
  },
  { name: 'it comes back', make: (w) => w.change('restore', { id: idOf(w, 'Safety on board') }) },
  { name: 'one is moved', make: (w) => w.change('move', { page: idOf(w, 'Cups'), to: idOf(w, 'Engineering') }) },
  { name: 'where it was is thrown away', make: (w) => w.change('trash', { id: idOf(w, 'Tea') }) },
  { name: 'a database is thrown away', make: (w) => w.change('trash', { id: table(w, 'Units') }) },
  { name: 'a page is not shared any more', make: (w) => w.change('unshare', { id: idOf(w, 'Pilot with Northquay') }) },
  { name: 'it is shared again', make: (w) => w.change('share', { id: idOf(w, 'Pilot with Northquay') }) },
  { name: 'a page is emptied', make: (w) => w.change('edit_page', { page: idOf(w, 'Holidays'), text: '' }) }
]

providerSuite({
  ...NOTES_SUITE,
  edits,
  ...(description && { described: (fetch, more) => describedNotionFetch(fetch, { description, ...more }) })
})

function idOf({ account }: SuiteWorld, title: string): string {
  return pageTitled(account, title).id
}

function hidden(world: SuiteWorld, { parent, ...page }: { title: string; text: string; parent: string }) {
  return world.change('add_page', { ...page, parent: idOf(world, parent), listed: false })
}

function table({ account }: SuiteWorld, title: string): string {
  const { databases } = account.content as Workspace
  return [...databases.values()].find((database) => database.title === title)?.id ?? `no ${title}`
}
