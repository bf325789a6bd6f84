import { CLOUD_DRIVE_FACTS } from '../../../server/providers/cloud-drive/facts.ts'
import type { ItemContent, Page, PageFrom, Provider, SeenItem, SyncCall } from '../../../server/providers/provider.ts'
import { type FailureKind, ProviderFailure } from '../../../server/providers/provider-failure.ts'

export type ScriptedItem = { id: string; text: string; version: number; place: string }

/** A provider that holds what a test puts into it, tells of it in small pages, and fails where it is told to. */
export type ScriptedSource = {
  provider: Provider
  items: Map<string, ScriptedItem>
  /** What was called, as in `changes`, `list`, `read a`. */
  calls: string[]
  put(id: string, text: string, place?: string): void
  remove(id: string): void
  /** Takes an item away without a word in the feed. */
  vanish(id: string): void
  /** The next call of that name fails; `read a` is that of one item. */
  fail(call: string, ...failures: ProviderFailure[]): void
  /** Something to be done, or waited for, when that is called next. */
  when(call: string, act: (signal: AbortSignal) => Promise<unknown> | unknown): void
  /** Changes what a page says on its way. */
  bend(change: (page: Page) => Page): void
}

export type ScriptedOptions = {
  pageSize?: number
  listsAll?: boolean
  asksUnlisted?: boolean
  versions?: boolean
  inline?: boolean
}

/** Nothing is in it yet. The folder `A` and others are its places. */
export function scriptedSource({
  pageSize = 3,
  listsAll = true,
  asksUnlisted = false,
  versions = true,
  inline = false
}: ScriptedOptions = {}): ScriptedSource {
  const items = new Map<string, ScriptedItem>()
  const feed: string[] = []
  const calls: string[] = []
  const failures = new Map<string, ProviderFailure[]>()
  const acts = new Map<string, (signal: AbortSignal) => unknown>()
  let bent = (page: Page) => page
  let versionsGiven = 0

  const provider: Provider = {
    facts: { ...CLOUD_DRIVE_FACTS, listsAll, ...(asksUnlisted && { asksUnlisted }) },
    identify: async () => ({ id: 'ada', name: 'Ada' }),
    changes: async (call, from) => {
      await enter('changes', call)
      const at = from.cursor === undefined ? undefined : placeIn(from.cursor)
      return bent(
        at === undefined || 'after' in at ? listed(from, at?.seq ?? feed.length, at?.after) : news(from, at.seq)
      )
    },
    list: async (call, from) => {
      await enter('list', call)
      const at = from.cursor === undefined ? undefined : placeIn(from.cursor)
      const page = listed(from, 0, at?.after)
      return bent({ ...page, more: page.more && page.cursor !== cursorOf({ seq: 0 }) })
    },
    read: async (call, id) => {
      calls.push('read')
      await enter(`read ${id}`, call)
      const item = items.get(id)
      if (item === undefined) throw new ProviderFailure('item_gone', 'the file is no more')
      return contentOf(item)
    }
  }

  return {
    provider,
    items,
    calls,
    put(id, text, place = 'A') {
      versionsGiven += 1
      items.set(id, { id, text, version: versionsGiven, place })
      feed.push(id)
    },
    remove(id) {
      items.delete(id)
      feed.push(id)
    },
    vanish: (id) => void items.delete(id),
    fail: (call, ...more) => void failures.set(call, [...(failures.get(call) ?? []), ...more]),
    when: (call, act) => void acts.set(call, act),
    bend: (change) => {
      bent = change
    }
  }

  async function enter(name: string, { signal }: SyncCall): Promise<void> {
    calls.push(name)
    const act = acts.get(name)
    acts.delete(name)
    await act?.(signal)
    const failure = failures.get(name)?.shift()
    if (failure !== undefined) throw failure
  }

  function listed({ selection }: PageFrom, seq: number, after = ''): Page {
    const left = [...items.values()]
      .filter(({ id, place }) => id > after && selection.includes(place))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    const page = left.slice(0, pageSize)
    const last = page.at(-1)
    const isOver = left.length <= pageSize || last === undefined
    return {
      seen: page.map(seenOf),
      gone: [],
      cursor: cursorOf(isOver ? { seq } : { seq, after: last.id }),
      more: !isOver
    }
  }

  function news({ selection }: PageFrom, seq: number): Page {
    const told = feed.slice(seq, seq + pageSize)
    const next = seq + told.length
    const here = told.filter((id) => selection.includes(items.get(id)?.place ?? ''))
    return {
      seen: here.flatMap((id) => items.get(id) ?? []).map(seenOf),
      gone: told.filter((id) => !here.includes(id)),
      cursor: cursorOf({ seq: next }),
      more: next < feed.length
    }
  }

  function seenOf(item: ScriptedItem): SeenItem {
    const { id, place, version } = item
    return { id, place, ...(versions && { version: `v${version}` }), ...(inline && { content: contentOf(item) }) }
  }
}

type At = { seq: number; after?: string }

function cursorOf(at: At): string {
  return JSON.stringify(at)
}

function placeIn(cursor: string): At {
  return JSON.parse(cursor) as At
}

function contentOf({ id, text, version }: ScriptedItem): ItemContent {
  return { id, version: `v${version}`, title: `about ${id}`, url: `https://files.example/${id}`, parts: [{ text }] }
}

/** A failure with a message of its own. */
export function failure(kind: FailureKind, retryAfterMs?: number): ProviderFailure {
  return new ProviderFailure(kind, `it was ${kind.replace('_', ' ')}`, { retryAfterMs })
}
