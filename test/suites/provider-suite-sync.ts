import type { ItemContent, Page, PageFrom, Provider, SeenItem, SyncCall } from '../../server/providers/port/provider.ts'
import { ProviderFailure } from '../../server/providers/port/provider-failure.ts'

/** Far more pages than any test has; a crawl beyond it is endless. */
const PAGES_MAX = 20_000

/** The state of an item. `content` is absent if it was skipped. */
type Known = { place: string | undefined; version: string | undefined; content: ItemContent | undefined }

/**
 * A sync without schedule and storage: requests pages, applies them as `provider.ts` documents, and reads new items. It
 * is the reference for adapters and as simple as possible.
 */
export type SmallSync = {
  items: Map<string, Known>
  ledger: Map<string, string>
  cursor: string | undefined
  pages: number
  /** Pages through changes to the end. */
  follow(): Promise<void>
  /** Pages through changes from the start, as after a lost cursor, and looks up unlisted items. */
  resync(): Promise<void>
  /** Pages through a listing to its end, looks up unlisted items, and returns the existing ids. */
  reconcile(): Promise<Set<string>>
  /** Applies one page of changes. */
  step(): Promise<Page>
}

export type SmallSyncOptions = {
  provider: Provider
  call(): Omit<SyncCall, 'ledger'>
  selection: readonly string[]
  /** Requests each page twice and drops the first reply, as after a crash. */
  twice?: boolean
}

export function smallSync({ provider, call, selection, twice = false }: SmallSyncOptions): SmallSync {
  const ledger = new Map<string, string>()
  const sync: SmallSync = { items: new Map(), ledger, cursor: undefined, pages: 0, follow, resync, reconcile, step }
  return sync

  async function step(): Promise<Page> {
    const page = await ask('changes', sync.cursor)
    await keep(settling(), ledger, page)
    sync.cursor = page.cursor
    return page
  }

  async function follow(): Promise<void> {
    for (let count = 0; count < PAGES_MAX; count += 1) if (!(await step()).more) return
    throw new Error('the changes do not end')
  }

  async function resync(): Promise<void> {
    const listed = new Set<string>()
    sync.cursor = undefined
    for (let more = true; more; ) {
      const page = await step()
      for (const { id } of page.seen) listed.add(id)
      more = page.more
    }
    await settleUnlisted(settling(), listed)
  }

  async function reconcile(): Promise<Set<string>> {
    const listed = new Set<string>()
    let cursor: string | undefined
    for (let count = 0; count < PAGES_MAX; count += 1) {
      const page = await ask('list', cursor)
      await keep(settling(), ledger, page)
      for (const { id } of page.seen) listed.add(id)
      cursor = page.cursor
      if (page.more) continue
      await settleUnlisted(settling(), listed)
      return new Set(sync.items.keys())
    }
    throw new Error('the listing does not end')
  }

  async function ask(kind: 'changes' | 'list', cursor: string | undefined): Promise<Page> {
    const from: PageFrom = { selection, cursor }
    if (twice) await provider[kind](fullCall(), from)
    sync.pages += 1
    return await provider[kind](fullCall(), from)
  }

  function settling(): Settling {
    return { provider, items: sync.items, call: fullCall(), selection }
  }

  function fullCall(): SyncCall {
    const get = async (key: string) => ledger.get(key)
    const entries = async (prefix: string) => new Map([...ledger].filter(([key]) => key.startsWith(prefix)))
    return { ...call(), ledger: { get, entries } }
  }
}

type Settling = { provider: Provider; items: SmallSync['items']; call: SyncCall; selection: readonly string[] }

async function keep(settling: Settling, ledger: SmallSync['ledger'], page: Page): Promise<void> {
  const { items } = settling
  const read = await readAll(settling, page)
  forget(settling, page)
  for (const [id, found] of read) put(settling, id, found)
  for (const [key, value] of page.ledger ?? []) {
    if (value === undefined) ledger.delete(key)
    else ledger.set(key, value)
  }
  for (const id of lackedBy(items, page)) await settle(settling, id)
}

/**
 * Reads all items before anything is stored, so that a failure changes nothing: a page is written in one transaction.
 */
async function readAll({ provider, items, call }: Settling, { seen }: Page): Promise<Map<string, Known | 'gone'>> {
  const read = new Map<string, Known | 'gone'>()
  const readOne = async (item: SeenItem) =>
    read.set(item.id, await known(item, items.get(item.id), (id) => provider.read(call, id)))
  for (const item of seen) {
    await readOne(item)
    const found = read.get(item.id)
    if (found === undefined || found === 'gone' || !provider.facts.attaches) continue
    const attached = found.content?.attached ?? []
    for (const [id, { place }] of items) if (place === item.id) read.set(id, 'gone')
    for (const one of attached) await readOne(one)
  }
  return read
}

function put({ items, provider }: Settling, id: string, found: Known | 'gone'): void {
  if (found !== 'gone') return void items.set(id, found)
  items.delete(id)
  if (provider.facts.attaches) for (const [other, { place }] of items) if (place === id) items.delete(other)
}

/** Looks up items that a full listing lacked. */
async function settleUnlisted(settling: Settling, listed: ReadonlySet<string>): Promise<void> {
  const { listsAll, asksUnlisted } = settling.provider.facts
  if (!listsAll && !asksUnlisted) return
  for (const id of [...settling.items.keys()]) if (!listed.has(id)) await settle(settling, id)
}

/** Looks up an item that seems to be gone. */
async function settle(settling: Settling, id: string): Promise<void> {
  const { provider, items, call, selection } = settling
  const before = items.get(id)
  if (before === undefined || provider.lookUp === undefined) return
  const item = { id, ...(before.place !== undefined && { place: before.place }) }
  const answer = await provider.lookUp(call, item, selection)
  if (answer === 'unknown') return
  const found = answer === 'absent' ? 'gone' : await known(answer, before, (read) => provider.read(call, read))
  put(settling, id, found)
}

/** Returns the state of an item in a page. Reads it unless this version is known. */
async function known(
  { id, version, place, content, skipped }: Page['seen'][number],
  before: Known | undefined,
  read: (id: string) => Promise<ItemContent>
): Promise<Known | 'gone'> {
  if (skipped !== undefined) return { place, version, content: undefined }
  if (content !== undefined) return { place, version, content }
  if (before?.content && version !== undefined && before.version === version) return { ...before, place }
  try {
    return { place, version, content: await read(id) }
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'item_gone') return 'gone'
    if (error instanceof ProviderFailure && error.kind === 'item_permanent')
      return { place, version, content: undefined }
    throw error
  }
}

/** Removes what a page reports as gone. */
function forget(settling: Settling, { gone, emptied = [] }: Page): void {
  const { items } = settling
  const places = new Set(emptied)
  for (const id of gone) put(settling, id, 'gone')
  for (const [id, { place }] of items) if (place !== undefined && places.has(place)) items.delete(id)
}

/**
 * Returns items that left the selection as far as the adapter knows, and items that a page covers without listing them.
 */
function lackedBy(items: ReadonlyMap<string, Known>, { seen, left = [], covered = [] }: Page): string[] {
  const named = new Set(seen.map(({ id }) => id))
  const isCovered = (id: string) => covered.some(({ from, to }) => id >= from && id <= to)
  return [...items.keys()].filter((id) => !named.has(id) && (left.includes(id) || isCovered(id)))
}

/** Returns the complete text of an item. */
export function textOf(content: ItemContent | undefined): string | undefined {
  return content?.parts.map(({ text }) => text).join('\n')
}
