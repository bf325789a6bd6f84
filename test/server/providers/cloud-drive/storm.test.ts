import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cloudDriveProvider } from '../../../../server/providers/cloud-drive/cloud-drive-provider.ts'
import { ProviderFailure } from '../../../../server/providers/port/provider-failure.ts'
import { cloudDriveSandbox } from '../../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import { type DriveNode, FOLDER_TYPE, getContent } from '../../../../server/sandbox/cloud-drive/content.ts'
import { expectSame } from '../../../suites/provider-suite-content.ts'
import { type SuiteWorld, suiteWorld } from '../../../suites/provider-suite-world.ts'
import { heldBy, MARA, named } from './drive-kit.ts'

const RUNS = process.env.SLOW ? 1000 : 15

const OPTIONS = {
  provider: cloudDriveProvider,
  sandboxProvider: cloudDriveSandbox,
  account: MARA,
  selection: (account: SuiteWorld['account']) => [
    named(account, 'Tidewater Library').id,
    named(account, 'Drawings').id
  ],
  holds: heldBy,
  edits: [],
  listing: 'drive.files.list'
} as const

const FAULTS = ['server_error', 'rate_limited', 'cut_body', 'expired_token', 'wrong_shape'] as const

const OPERATIONS = ['drive.files.list', 'drive.files.get', 'drive.changes.list'] as const

type Event =
  | { do: 'add' | 'trash' | 'restore' | 'delete' | 'edit' | 'folder'; one: number }
  | { do: 'move' | 'shortcut'; one: number; other: number }
  | { do: 'step' }
  | { do: 'fault'; kind: (typeof FAULTS)[number]; operation: string }

const nat = fc.nat(10_000)
const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ do: fc.constantFrom('add', 'trash', 'restore', 'delete', 'edit', 'folder'), one: nat }),
  { arbitrary: fc.record({ do: fc.constantFrom('move', 'shortcut'), one: nat, other: nat }), weight: 2 },
  { arbitrary: fc.constant({ do: 'step' } as const), weight: 3 },
  fc.record({
    do: fc.constant('fault' as const),
    kind: fc.constantFrom(...FAULTS),
    operation: fc.constantFrom(...OPERATIONS)
  })
)

test('finds exactly the items of the selection after any events between and within pages', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 60 }), async (events) => {
      const world = await suiteWorld(OPTIONS)
      const sync = world.sync()
      for (const one of events) {
        if (one.do === 'step') await sync.step().catch(expectFailure)
        else if (one.do === 'fault') await world.order({ kind: one.kind, operation: one.operation })
        else await happen(world, one)
        if (one.do === 'step') await world.signInAgain()
      }
      await world.kit.control('DELETE', '/faults')
      await world.signInAgain()
      await sync.follow()
      await sync.follow()
      expectSame(sync, world)
      await sync.reconcile()
      expectSame(sync, world)
    }),
    { numRuns: RUNS }
  )
})

function expectFailure(error: unknown): void {
  expect(error).toBeInstanceOf(ProviderFailure)
}

async function happen(world: SuiteWorld, one: Exclude<Event, { do: 'step' | 'fault' }>): Promise<void> {
  const { root, nodes } = getContent(world.account)
  const mine = [...nodes.values()].filter(({ id, driveId }) => id !== root && driveId === undefined)
  const folders = mine.filter(({ mimeType }) => mimeType === FOLDER_TYPE)
  const pick = (from: readonly DriveNode[], at: number) => from[at % from.length]?.id ?? root
  const [id, folder] = [pick(mine, one.one), pick(folders, one.one)]
  if (one.do === 'add') await world.change('add_file', { parent: folder, name: 'added.txt', text: `added ${one.one}` })
  if (one.do === 'folder') await world.change('add_folder', { parent: folder, name: 'added' })
  if (one.do === 'edit') await world.change('edit_file', { id, text: `edited ${one.one}` })
  if (one.do === 'trash') await world.change('trash', { id })
  if (one.do === 'restore') await world.change('trash', { id, trashed: false })
  if (one.do === 'delete') await world.change('delete', { id })
  if (one.do === 'shortcut') await addShortcut(world, folder, pick(mine, one.other))
  if (one.do === 'move' && !isBelow(world, pick(folders, one.other), id))
    await world.change('move', { id, parent: pick(folders, one.other) })
}

/** Adds a shortcut, but never to a shortcut, like Drive. */
async function addShortcut(world: SuiteWorld, parent: string, target: string): Promise<void> {
  if (getContent(world.account).nodes.get(target)?.target === undefined)
    await world.change('add_shortcut', { parent, name: 'to', target })
}

/** Reports whether a folder is the given one or below it. A folder cannot be moved into itself. */
function isBelow({ account }: SuiteWorld, id: string, folder: string): boolean {
  const { nodes } = getContent(account)
  for (let one = nodes.get(id); one !== undefined; one = nodes.get(one.parent ?? '')) if (one.id === folder) return true
  return false
}
