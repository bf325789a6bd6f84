import { cloudDriveProvider } from '../../../../server/providers/cloud-drive/cloud-drive-provider.ts'
import { toProviderReader } from '../../../../server/providers/port/to-provider-reader.ts'
import { cloudDriveSandbox } from '../../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import { localReaders } from '../../../documents/documents-kit.ts'
import { describedFetch, googleDescription } from '../../../suites/google-description.ts'
import { providerSuite, type SuiteEdit } from '../../../suites/provider-suite.ts'
import type { SuiteWorld } from '../../../suites/provider-suite-world.ts'
import { manualClock } from '../../http/manual-clock.ts'
import { HOSTILE, heldAndRead, MARA, named } from './drive-kit.ts'

const description = googleDescription('drive.v3.json')

/** Returns the id of a node of the first account by its name. */
const idOf = ({ account }: SuiteWorld, name: string) => named(account, name).id

const edits: readonly SuiteEdit[] = [
  {
    name: 'a file is added',
    make: (w) => w.change('add_file', { parent: idOf(w, 'Meeting notes'), name: 'new.txt', text: 'The quay was wet.' })
  },
  {
    name: 'a file is edited',
    make: (w) => w.change('edit_file', { id: idOf(w, 'Risk register'), text: '# Risks\n\nNone are left.' })
  },
  {
    name: 'a file is renamed',
    make: (w) => w.change('rename', { id: idOf(w, 'Materials'), name: 'Materials and suppliers' })
  },
  { name: 'a folder with a file is added', make: addFolder },
  {
    name: 'a folder moves out',
    make: (w) => w.change('move', { id: idOf(w, 'Meeting notes'), parent: idOf(w, 'Personal') })
  },
  {
    name: 'a folder moves in',
    make: (w) => w.change('move', { id: idOf(w, 'Personal'), parent: idOf(w, 'Tidewater Library') })
  },
  { name: 'a folder is trashed', make: (w) => w.change('trash', { id: idOf(w, 'Meeting notes') }) },
  {
    name: 'a folder is taken out of the trash',
    make: (w) => w.change('trash', { id: idOf(w, 'Meeting notes'), trashed: false })
  },
  { name: 'a file is deleted', make: (w) => w.change('delete', { id: idOf(w, 'Acoustics') }) },
  { name: 'a folder is deleted', make: (w) => w.change('delete', { id: idOf(w, 'Drawings') }) },
  {
    name: 'a shortcut leads out of the selection',
    make: (w) =>
      w.change('add_shortcut', { parent: idOf(w, 'Tidewater Library'), name: 'out', target: idOf(w, 'Administration') })
  },
  {
    name: 'what it leads to changes',
    make: (w) =>
      w.change('add_file', { parent: idOf(w, 'Administration'), name: 'more.txt', text: 'Keys are with Ines.' })
  },
  { name: 'the shortcut is deleted', make: (w) => w.change('delete', { id: idOf(w, 'out') }) },
  {
    name: 'a folder above the selection is trashed',
    make: (w) => w.change('trash', { id: idOf(w, 'Harbour Lane Studio') })
  },
  {
    name: 'it is taken out of the trash',
    make: (w) => w.change('trash', { id: idOf(w, 'Harbour Lane Studio'), trashed: false })
  },
  {
    name: 'a file of a shared drive is edited',
    make: (w) => w.change('edit_file', { id: idOf(w, 'Recommended rates'), text: 'An hour is 99 euro.' })
  },
  {
    name: 'a file elsewhere is added',
    make: (w) => w.change('add_file', { parent: 'root', name: 'elsewhere.txt', text: 'Not selected.' })
  }
]

async function addFolder(world: SuiteWorld): Promise<void> {
  const { id } = await world.change('add_folder', { parent: idOf(world, 'Tidewater Library'), name: 'Late ideas' })
  await world.change('add_file', { parent: id, name: 'idea.md', mimeType: 'text/markdown', text: 'A roof garden.' })
}

providerSuite({
  provider: cloudDriveProvider,
  sandboxProvider: cloudDriveSandbox,
  account: MARA,
  hostile: HOSTILE,
  selection: (account) =>
    account.id === MARA
      ? [named(account, 'Tidewater Library').id, named(account, 'Rates').id]
      : [named(account, 'Robin <script>alert(1)</script>').id],
  holds: heldAndRead,
  edits,
  documents: () => toProviderReader(localReaders(manualClock()).of('a connection')),
  listing: 'drive.files.list',
  reading: 'drive.files.get',
  smallPages,
  ...(description && { described: (fetch, more) => describedFetch(fetch, { description, ...more }) })
})

function smallPages(request: Request): Request {
  const url = new URL(request.url)
  if (url.searchParams.has('pageSize')) url.searchParams.set('pageSize', '2')
  return new Request(url, request)
}
