import { FACTS as CLOUD_DRIVE_FACTS } from '../../../server/providers/cloud-drive/facts.ts'
import type {
  ItemContent,
  Page,
  PageFrom,
  Provider,
  SeenItem,
  SyncCall
} from '../../../server/providers/port/provider.ts'
import { type FailureKind, ProviderFailure } from '../../../server/providers/port/provider-failure.ts'
import { toMillis } from '../../../src/contract/epoch-ms.ts'

export type ScriptedItem = { id: string; text: string; version: number; place: string }

/** A provider that serves the items of a test in small pages, and fails where the test requires it. */
export type ScriptedSource = {
  provider: Provider
  items: Map<string, ScriptedItem>
  /** The calls made so far, such as `changes`, `list`, `read`, `look up`. */
  calls: string[]
  put(id: string, text: string, place?: string): void
  remove(id: string): void
  /** Removes an item without reporting it in the feed. */
  vanish(id: string): void
  /** Leaves items out of listings and changes, although they exist and can be looked up. */
  hide(...ids: string[]): void
  /** Makes the next call of that name fail. `read a` and `look up a` are calls for one item. */
  fail(call: string, ...failures: ProviderFailure[]): void
  /** Runs a function at the next call of that name and waits for its result. */
  when(call: string, act: (signal: AbortSignal) => Promise<unknown> | unknown): void
  /** Changes the pages before they are returned. */
  bend(change: (page: Page) => Page): void
}

export type ScriptedOptions = {
  pageSize?: number
  listsAll?: boolean
  asksUnlisted?: boolean
  /** Whether items can be looked up by their ids. */
  looksUp?: boolean
  versions?: boolean
  inline?: boolean
}

/** Creates a provider without items. Its places are the folder `A` and others. */
export function scriptedSource(options: ScriptedOptions = {}): ScriptedSource {
  const held: Held = { items: new Map(), hidden: new Set(), feed: [], ...USUAL, ...options }
  const script = createScript()
  let bent = (page: Page) => page
  let versionsGiven = 0
  const { listsAll = true, asksUnlisted = false, looksUp = true } = options

  const provider: Provider = {
    facts: { ...CLOUD_DRIVE_FACTS, listsAll, ...(asksUnlisted && { asksUnlisted }) },
    identify: async () => ({ id: 'ada', name: 'Ada' }),
    async changes(call, from) {
      await script.enter('changes', call)
      const at = from.cursor === undefined ? { seq: held.feed.length, after: '' } : placeIn(from.cursor)
      return bent(at.after === undefined ? news(held, from, at.seq) : listed(held, from, at))
    },
    async list(call, from) {
      await script.enter('list', call)
      return bent(listed(held, from, { after: from.cursor === undefined ? '' : placeIn(from.cursor).after, seq: 0 }))
    },
    async read(call, id) {
      script.calls.push('read')
      await script.enter(`read ${id}`, call)
      const item = held.items.get(id)
      if (item === undefined) throw new ProviderFailure('item_gone', 'the file is no more')
      return contentOf(item)
    },
    ...(looksUp && {
      async lookUp(call, { id }, selection) {
        script.calls.push('look up')
        await script.enter(`look up ${id}`, call)
        const item = held.items.get(id)
        return item !== undefined && selection.includes(item.place) ? seenOf(held, item) : 'absent'
      }
    })
  }

  return {
    provider,
    items: held.items,
    ...script,
    put(id, text, place = 'A') {
      versionsGiven += 1
      held.items.set(id, { id, text, version: versionsGiven, place })
      held.feed.push(id)
    },
    remove(id) {
      held.items.delete(id)
      held.feed.push(id)
    },
    vanish: (id) => void held.items.delete(id),
    hide(...ids) {
      held.hidden = new Set(ids)
    },
    bend: (change) => {
      bent = change
    }
  }
}

const USUAL = { pageSize: 3, versions: true, inline: false }

type Held = { items: Map<string, ScriptedItem>; hidden: Set<string>; feed: string[] } & typeof USUAL

/** Records the calls and holds the planned actions and failures. */
function createScript() {
  const calls: string[] = []
  const failures = new Map<string, ProviderFailure[]>()
  const acts = new Map<string, (signal: AbortSignal) => unknown>()
  return {
    calls,
    fail: (call: string, ...more: ProviderFailure[]) =>
      void failures.set(call, [...(failures.get(call) ?? []), ...more]),
    when: (call: string, act: (signal: AbortSignal) => unknown) => void acts.set(call, act),
    async enter(name: string, { signal }: SyncCall): Promise<void> {
      calls.push(name)
      const act = acts.get(name)
      acts.delete(name)
      await act?.(signal)
      const failure = failures.get(name)?.shift()
      if (failure !== undefined) throw failure
    }
  }
}

function listed(held: Held, { selection }: PageFrom, { seq, after = '' }: At): Page {
  const left = [...held.items.values()]
    .filter(({ id, place }) => id > after && selection.includes(place) && !held.hidden.has(id))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  const page = left.slice(0, held.pageSize)
  const last = page.at(-1)
  const isOver = left.length <= held.pageSize || last === undefined
  const cursor = cursorOf(isOver ? { seq } : { seq, after: last.id })
  return { seen: page.map((item) => seenOf(held, item)), gone: [], cursor, more: !isOver }
}

function news(held: Held, { selection }: PageFrom, seq: number): Page {
  const { items, feed, pageSize } = held
  const told = feed.slice(seq, seq + pageSize)
  const next = seq + told.length
  const here = told.filter((id) => selection.includes(items.get(id)?.place ?? ''))
  return {
    seen: here.flatMap((id) => items.get(id) ?? []).map((item) => seenOf(held, item)),
    gone: told.filter((id) => !here.includes(id)),
    cursor: cursorOf({ seq: next }),
    more: next < feed.length
  }
}

function seenOf({ versions, inline }: Held, item: ScriptedItem): SeenItem {
  const { id, place, version } = item
  return { id, place, ...(versions && { version: `v${version}` }), ...(inline && { content: contentOf(item) }) }
}

type At = { seq: number; after?: string | undefined }

function cursorOf(at: At): string {
  return JSON.stringify(at)
}

function placeIn(cursor: string): At {
  return JSON.parse(cursor) as At
}

function contentOf({ id, text, version }: ScriptedItem): ItemContent {
  return { id, version: `v${version}`, title: `about ${id}`, url: `https://files.example/${id}`, parts: [{ text }] }
}

/** Builds a failure with a message for its kind. */
export function failure(kind: FailureKind, retryAfterMs?: number): ProviderFailure {
  const details = retryAfterMs === undefined ? {} : { retryAfterMs: toMillis(retryAfterMs) }
  return new ProviderFailure(kind, `it was ${kind.replace('_', ' ')}`, details)
}
