import { createHash } from 'node:crypto'
import type { ItemContent, SeenItem } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem } from '../storage/port/item-storage.ts'
import { afterFailure } from './choose-reaction.ts'
import { draftMemories, type MemoryDraft } from './chunking/draft-memories.ts'
import { asked, type Run } from './run.ts'

/** Long enough for a large file on a slow line and for turning it into text, in milliseconds. */
const READ_MS_MAX = 10 * 60_000
/** How long things may be called at most, in characters: the rest is cut. An address that is cut leads nowhere. */
const TITLE_MAX = 500
const URL_MAX = 2000
/** Characters that are cut before others have their turn. */
const CUT_AT_ONCE = 64 * 1024

/** What an item fails with that is not read any more. */
const SET_ASIDE = 'the server ended twice while reading it: it is set aside until it changes or is retried'

/** An item that a page tells of, and what is to become of it. */
export type Found = {
  item: { id: string; place: string | undefined; version: string | undefined }
  known: KnownItem | undefined
  title?: string | undefined
  url?: string | undefined
  /** Characters that it keeps in memory. */
  weight: number
  state:
    | { kind: 'unchanged' }
    | { kind: 'skipped'; reason: string }
    | { kind: 'gone' }
    /** A listing lacked it. `isConfirmed`: it is gone; else it is kept until that is certain. */
    | { kind: 'absent'; isConfirmed: boolean }
    | { kind: 'failed'; failure: ProviderFailure }
    | { kind: 'content'; contentHash: Uint8Array; drafts: readonly MemoryDraft[]; cut: string | undefined }
}

/**
 * What is to become of an item: it is read where its version is not the known one, and cut.
 *
 * @throws ProviderFailure where it is not about the item alone; the reason of the run's signal.
 */
export async function findItem(run: Run, seen: SeenItem, known: KnownItem | undefined): Promise<Found> {
  const { id, place, version, title, skipped } = seen
  const about = { item: { id, place, version }, known, weight: 0 }
  const named = { ...about, title: titleOf(title) }
  if (skipped !== undefined) return { ...named, state: { kind: 'skipped', reason: skipped } }
  if (isKnown(seen, known, run.parts.world.clock.now())) return { ...about, state: { kind: 'unchanged' } }
  try {
    if (seen.content === undefined && run.setAside.has(id)) throw new ProviderFailure('item_permanent', SET_ASIDE)
    const content = seen.content ?? (await asked(run, READ_MS_MAX, (call) => run.source.provider.read(call, id)))
    return {
      ...about,
      ...(await contentFound(run, content, known)),
      item: { ...about.item, version: version ?? content.version }
    }
  } catch (error) {
    const failure = failureOfItem(error)
    return { ...named, state: failure.kind === 'item_gone' ? { kind: 'gone' } : { kind: 'failed', failure } }
  }
}

/** Whether `findItem` would read an item that a page tells of. */
export function isToRead({ parts }: Run, seen: SeenItem, known: KnownItem | undefined): boolean {
  if (seen.content !== undefined || seen.skipped !== undefined) return false
  return !isKnown(seen, known, parts.world.clock.now())
}

/** An item that failed is left alone until its time has come, unless it changed. */
function isKnown({ version }: SeenItem, known: KnownItem | undefined, now: number): boolean {
  if (known === undefined || known.version !== version) return false
  if (known.status === 'failed') return known.nextTryAt !== undefined && known.nextTryAt > now
  return known.status === 'synced' && version !== undefined
}

async function contentFound({ source, parts }: Run, content: ItemContent, known: KnownItem | undefined) {
  const drafts: MemoryDraft[] = []
  const hash = createHash('sha256')
  let weight = 0
  let cutAt = 0
  for (const draft of draftMemories(content, { provider: source.provider.facts.id })) {
    drafts.push(draft)
    hash.update(canonicalDraft(draft))
    weight += draft.text.length
    if (weight - cutAt < CUT_AT_ONCE) continue
    cutAt = weight
    await parts.world.clock.wait(0)
  }
  const { title, url, cut } = content
  // What grows beyond what is taken is news, too.
  if (cut !== undefined) hash.update(cut)
  const contentHash = new Uint8Array(hash.digest())
  const isKept = url !== undefined && url.length <= URL_MAX && url.isWellFormed()
  const said = { title: titleOf(title), url: isKept ? url : undefined }
  if (known?.status === 'synced' && isEqual(known.contentHash, contentHash))
    return { ...said, weight: 0, state: { kind: 'unchanged' } as const }
  return { ...said, weight, state: { kind: 'content', contentHash, drafts, cut } as const }
}

function titleOf(title: string | undefined): string | undefined {
  return title?.slice(0, TITLE_MAX).toWellFormed()
}

/** Without the time that its line shows, which may be that of the sync. */
function canonicalDraft({ text, metadata }: MemoryDraft): string {
  const names = Object.keys(metadata).sort()
  return `${JSON.stringify([text, names.map((name) => [name, metadata[name]])])}\n`
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** What an item fails with; what is not about it alone is thrown on. */
function failureOfItem(error: unknown): ProviderFailure {
  if (!(error instanceof ProviderFailure) || error.ofAccount) throw error
  const consequence = afterFailure(error.kind, 'reading')
  if (consequence !== 'fail_item' && consequence !== 'drop_item') throw error
  return error
}
