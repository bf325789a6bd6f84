import { expect, test } from 'vitest'
import { cloudDriveProvider } from '../../../../server/providers/cloud-drive/cloud-drive-provider.ts'
import { cloudDriveSandbox } from '../../../../server/sandbox/cloud-drive/cloud-drive-sandbox.ts'
import { dropNode, getContent } from '../../../../server/sandbox/cloud-drive/content.ts'
import { expectSame } from '../../../suites/provider-suite-content.ts'
import { type SuiteWorld, suiteWorld } from '../../../suites/provider-suite-world.ts'
import { heldBy, MARA, named } from './drive-kit.ts'

const OPTIONS = {
  provider: cloudDriveProvider,
  sandboxProvider: cloudDriveSandbox,
  account: MARA,
  selection: (account: SuiteWorld['account']) => [named(account, 'Drawings').id, named(account, 'Rates').id],
  holds: heldBy,
  edits: [],
  listing: 'drive.files.list'
} as const

const NATIVE = 'application/vnd.google-apps.'
const NO_LEDGER = { get: async () => undefined, entries: async () => new Map<string, string>() }

function read(world: SuiteWorld, id: string) {
  return cloudDriveProvider.read({ ...world.call(), ledger: NO_LEDGER }, id)
}

async function added(world: SuiteWorld, file: Record<string, unknown>): Promise<string> {
  const { id } = await world.change('add_file', { parent: named(world.account, 'Drawings').id, name: 'odd', ...file })
  return String(id)
}

test('gives each unreadable file a specific reason', async () => {
  const world = await suiteWorld(OPTIONS)
  const size = 10 * 1024 * 1024 + 1
  const files: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ abusive: true }, /Google Drive does not allow it to be read \(403 cannotDownloadAbusiveFile/],
    [{ downloadable: false }, /^its owner does not allow/],
    [
      { mimeType: `${NATIVE}document`, text: 'x', size },
      /Google Drive does not allow it to be read \(403 exportSizeLimitExceeded/
    ],
    [{ mimeType: `${NATIVE}form` }, /^a Google form has no text/],
    [{ mimeType: 'video/mp4' }, /^it is a video/],
    [{ mimeType: 'application/x-tar' }, /^files of the type application\/x-tar are not supported$/]
  ]
  for (const [file, message] of files) {
    const id = await added(world, file)
    await expect(read(world, id)).rejects.toMatchObject({
      kind: 'item_permanent',
      message: expect.stringMatching(message)
    })
  }
})

test('reads a file with its title, its URL and its modification time', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { name: 'note.txt', text: 'The quay was dry.' })
  expect(await read(world, id)).toMatchObject({
    id,
    title: 'note.txt',
    url: `https://drive.sandbox.invalid/file/${id}`,
    parts: [{ text: 'The quay was dry.', at: world.kit.clock.now() }]
  })
  await world.change('trash', { id })
  await expect(read(world, id)).rejects.toMatchObject({ kind: 'item_gone' })
})

test('falls back to plain text if Drive does not export Markdown', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { mimeType: `${NATIVE}document`, text: '# Plan\n\nGo.' })
  world.around((fetch) => (request) => {
    const old = request.url.replace('text%2Fmarkdown', 'text%2Fa-form-of-later')
    return fetch(new Request(old, request))
  })
  expect((await read(world, id)).parts[0]?.text).toBe('Plan\n\nGo.')
})

test('does not try another format when a proxy refuses an export', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { mimeType: `${NATIVE}document`, text: '# Plan\n\nGo.' })
  await world.order({ kind: 'html', status: 400, operation: 'drive.files.export' })
  await expect(read(world, id)).rejects.toMatchObject({ kind: 'transient' })
  expect((await read(world, id)).parts[0]?.text).toContain('# Plan')
})

test.for(['html', 'wrong_shape'])('does not accept %s as the content of a file', async (kind) => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { name: 'note.txt', text: 'The quay was dry.' })
  await world.order({ kind, operation: 'drive.files.get', after: 1 })
  await expect(read(world, id)).rejects.toMatchObject({
    kind: 'transient',
    message: 'the content of the file: the response cannot be used, because its size differs from that of the file'
  })
  expect((await read(world, id)).parts[0]?.text).toBe('The quay was dry.')
})

test('rejects bytes of the right length with a wrong checksum', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { name: 'note.txt', text: 'The quay was dry.' })
  const large = await added(world, { name: 'large.txt', text: 'no end ', size: 200_000 })
  expect((await read(world, large)).parts[0]?.text).toContain('no end no end')
  world.around((fetch) => async (request) => {
    const reply = await fetch(request)
    if (!request.url.includes('alt=media')) return reply
    return new Response((await reply.text()).replace('dry', 'wet').replace('no end', 'at end'), reply)
  })
  for (const one of [id, large])
    await expect(read(world, one)).rejects.toMatchObject({
      kind: 'transient',
      message:
        'the content of the file: the response cannot be used, because its checksum differs from that of the file'
    })
})

test('rejects an export of another type than requested', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { mimeType: `${NATIVE}document`, text: 'Go.' })
  for (const [kind, said] of [
    ['html', 'text/html'],
    ['wrong_shape', 'application/json']
  ] as const) {
    await world.order({ kind, operation: 'drive.files.export' })
    await expect(read(world, id)).rejects.toMatchObject({
      kind: 'transient',
      message: expect.stringContaining(`because its type is ${said} instead of text/markdown`)
    })
  }
  let type: string | undefined = 'Text/X-Markdown; charset=UTF-8'
  world.around((fetch) => async (request) => {
    const reply = await fetch(request)
    if (!request.url.includes('/export')) return reply
    const body = await reply.arrayBuffer()
    return new Response(body, type === undefined ? {} : { headers: { 'content-type': type } })
  })
  expect((await read(world, id)).parts[0]?.text).toBe('Go.')
  type = undefined
  await expect(read(world, id)).rejects.toMatchObject({
    kind: 'transient',
    message: expect.stringContaining('its type is unknown')
  })
})

test('skips a file of 500 MiB without fetching it, and stops in the middle if Drive did not report its size', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { name: 'large.txt', text: 'no end ', size: 500 * 1024 * 1024 })
  const asked: string[] = []
  world.around((fetch) => (request) => {
    asked.push(request.url)
    return fetch(request)
  })
  const sync = world.sync()
  await sync.follow()
  expect(sync.items.get(id)?.content).toBeUndefined()
  expect(asked.filter((url) => url.includes(id) && url.includes('alt=media'))).toEqual([])
  world.around((fetch) => async (request) => {
    const reply = await fetch(request)
    if (!reply.headers.get('content-type')?.includes('json')) return new Response(reply.body)
    return new Response((await reply.text()).replace(/"size":"\d+",?/g, ''), reply)
  })
  await expect(read(world, id)).rejects.toMatchObject({ kind: 'item_permanent', message: 'it is larger than 50 MiB' })
})

test('deletes exactly the files of a shared drive that the account can no longer see', async () => {
  const world = await suiteWorld(OPTIONS)
  const sync = world.sync()
  await sync.follow()
  expect([...sync.items.values()].filter(({ content }) => content?.title === 'Recommended rates')).toHaveLength(1)
  const content = getContent(world.account)
  const drive = named(world.account, 'Guild of Small Studios')
  content.drives.delete(drive.id)
  dropNode(content, drive)
  await sync.follow()
  expectSame(sync, world)
  expect(sync.items.size).toBeGreaterThan(1)
  await sync.follow()
  expectSame(sync, world)
})

test('treats a missing selected folder as empty, and syncs it once it exists', async () => {
  const world = await suiteWorld(OPTIONS)
  const selection = ['1unknown', named(world.account, 'Drawings').id]
  const sync = world.sync({ selection })
  await sync.follow()
  expect([...sync.items.keys()].sort()).toEqual([...heldBy(world.account, selection).keys()].sort())
})

test('lists everything again if the feed does not know the token', async () => {
  const world = await suiteWorld(OPTIONS)
  const sync = world.sync()
  await sync.follow()
  sync.cursor = (sync.cursor ?? '').replace(/"token":"\d+"/, '"token":"999999"')
  await expect(sync.follow()).rejects.toMatchObject({ kind: 'cursor_invalid' })
  sync.cursor = undefined
  await sync.follow()
  expectSame(sync, world)
})

test('restarts a folder if Drive has forgotten its page token', async () => {
  const world = await suiteWorld(OPTIONS)
  for (let i = 0; i < 8; i += 1) await added(world, { name: `${i}.txt`, text: `number ${i}` })
  let forgotten = 2
  world.around((fetch) => (request) => {
    const url = new URL(request.url)
    url.searchParams.set('pageSize', '3')
    if (url.pathname.endsWith('/files') && url.searchParams.has('pageToken') && forgotten-- > 0)
      url.searchParams.set('pageToken', 'forgotten')
    return fetch(url.pathname.endsWith('/files') ? new Request(url, request) : request)
  })
  const sync = world.sync()
  await sync.follow()
  expectSame(sync, world)
  forgotten = 1000
  await expect(world.sync().follow()).rejects.toMatchObject({ kind: 'cursor_invalid' })
})

test('reads comments and replies as turns with their author and date, and follows new ones', async () => {
  const world = await suiteWorld(OPTIONS)
  const sync = world.sync()
  const id = await added(world, { name: 'plan.txt', text: 'We sail in May.' })
  await sync.follow()
  const comment = await world.change('comment', { id, author: 'Ben', text: 'Too early.', quoted: 'in May' })
  await world.change('comment', { id, author: 'Cleo', text: 'June, then.', reply_to: comment.id })
  const { id: other } = await world.change('comment', { id, author: 'Dan', text: 'Never mind.' })
  await sync.follow()
  const parts = () =>
    sync.items.get(id)?.content?.parts.map(({ text, speaker, conversation }) => [speaker, text, conversation])
  expect(parts()).toEqual([
    [undefined, 'We sail in May.', undefined],
    ['Ben', '> in May\n\nToo early.', id],
    ['Cleo', 'June, then.', id],
    ['Dan', 'Never mind.', id]
  ])
  expect(
    sync.items
      .get(id)
      ?.content?.parts.slice(1)
      .every(({ at }) => at !== undefined)
  ).toBe(true)

  await world.change('delete_comment', { id, comment: other })
  await sync.follow()
  expect(parts()).toHaveLength(3)
})

test('reads no comments if they are off, and gives a reason if the account may not read them', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { name: 'plan.txt', text: 'We sail in May.' })
  await world.change('comment', { id, author: 'Ben', text: 'Too early.' })
  const reads = { attachmentBytesMax: undefined, comments: false }
  const off = await cloudDriveProvider.read({ ...world.call(), ledger: NO_LEDGER, reads }, id)
  expect(off.parts).toHaveLength(1)

  const errors = [{ reason: 'insufficientFilePermissions' }]
  const refusals = [
    () => Response.json({ error: { code: 403, message: 'No.', errors } }, { status: 403 }),
    () => new Response('not found', { status: 404 })
  ]
  for (const refuse of refusals) {
    world.around((fetch) => async (request) => (request.url.includes('/comments') ? refuse() : await fetch(request)))
    const { parts, cut } = await read(world, id)
    expect(parts).toHaveLength(1)
    expect(cut).toBe('its comments are not read: Drive does not show them to this account')
  }
})

test('reads more comments than one page lists', async () => {
  const world = await suiteWorld(OPTIONS)
  const id = await added(world, { name: 'plan.txt', text: 'We sail in May.' })
  for (let at = 0; at < 101; at++) await world.change('comment', { id, author: 'Ben', text: `Comment ${at}.` })
  await world.signInAgain()
  expect((await read(world, id)).parts).toHaveLength(102)
})
