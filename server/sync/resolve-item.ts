import { createHash } from 'node:crypto'
import { draftMemories, type MemoryDraft } from '../../src/documents/chunking/draft-memories.ts'
import type { ItemContent, SeenItem } from '../providers/port/provider.ts'
import { ProviderFailure } from '../providers/port/provider-failure.ts'
import type { KnownItem } from '../storage/port/sync-storage.ts'
import { chooseReaction } from './choose-reaction.ts'
import { callProvider, type Run } from './run.ts'

/**
 * The time limit for reading an item, in milliseconds. It allows for a large file on a slow line and its conversion to
 * text.
 */
const READ_MS_MAX = 10 * 60_000
/** The longest title and URL, in characters. A longer title is shortened, and a longer URL is left out. */
const TITLE_MAX = 500
const URL_MAX = 2000
/** The number of characters that are chunked before other tasks get their turn. */
const CHUNKED_AT_ONCE = 64 * 1024

/** The error of an item that is not read any more. */
const SET_ASIDE_ERROR = 'reading it stopped the server twice, so it is skipped until it changes or is retried'

/** An item of a page, with the action that it needs. */
export type ResolvedItem = {
  item: { id: string; place: string | undefined; version: string | undefined }
  known: KnownItem | undefined
  title?: string | undefined
  url?: string | undefined
  /** Its attached items, if it was read and its provider attaches items. */
  attached?: readonly SeenItem[]
  /** The number of characters of its drafts, which are in memory. */
  weight: number
  state:
    | { kind: 'unchanged' }
    | { kind: 'skipped'; reason: string }
    | { kind: 'gone' }
    /** A listing lacked the item. With `isConfirmed`, it is gone; otherwise it is kept until that is certain. */
    | { kind: 'absent'; isConfirmed: boolean }
    | { kind: 'failed'; failure: ProviderFailure }
    | { kind: 'content'; contentHash: Uint8Array; drafts: readonly MemoryDraft[]; cut: string | undefined }
}

/**
 * Decides what to do with an item. Reads and chunks it unless its version is the known one.
 *
 * @throws ProviderFailure if the error does not concern this item only; the reason of the lease's signal.
 */
export async function resolveItem(run: Run, seen: SeenItem, known: KnownItem | undefined): Promise<ResolvedItem> {
  const { id, place, version, title, skipped } = seen
  const about = { item: { id, place, version }, known, weight: 0 }
  const named = { ...about, title: limitTitle(title) }
  if (skipped !== undefined) return { ...named, state: { kind: 'skipped', reason: skipped } }
  if (isKnown(seen, known, run.parts.world.clock.now())) return { ...about, state: { kind: 'unchanged' } }
  try {
    if (seen.content === undefined && run.setAside.has(id)) throw new ProviderFailure('item_permanent', SET_ASIDE_ERROR)
    const content = seen.content ?? (await callProvider(run, READ_MS_MAX, (call) => run.source.provider.read(call, id)))
    return {
      ...about,
      ...(await resolveContent(run, content, known)),
      ...(run.source.provider.facts.attaches && { attached: content.attached ?? [] }),
      item: { ...about.item, version: version ?? content.version }
    }
  } catch (error) {
    const failure = toItemFailure(error)
    return { ...named, state: failure.kind === 'item_gone' ? { kind: 'gone' } : { kind: 'failed', failure } }
  }
}

/** Returns whether `resolveItem` would read an item of a page. */
export function isToRead({ parts }: Run, seen: SeenItem, known: KnownItem | undefined): boolean {
  if (seen.content !== undefined || seen.skipped !== undefined) return false
  return !isKnown(seen, known, parts.world.clock.now())
}

/** Returns whether an item needs no reading. A failed item that has not changed waits until its retry is due. */
function isKnown({ version }: SeenItem, known: KnownItem | undefined, now: number): boolean {
  if (known === undefined || known.version !== version) return false
  if (known.status === 'failed') return known.nextTryAt !== undefined && known.nextTryAt > now
  return known.status === 'synced' && version !== undefined
}

async function resolveContent({ source, parts }: Run, content: ItemContent, known: KnownItem | undefined) {
  const drafts: MemoryDraft[] = []
  const hash = createHash('sha256')
  let weight = 0
  let yieldedAt = 0
  for (const draft of draftMemories(content, { source: source.provider.facts.id })) {
    drafts.push(draft)
    hash.update(serializeDraft(draft))
    weight += draft.text.length
    if (weight - yieldedAt < CHUNKED_AT_ONCE) continue
    yieldedAt = weight
    await parts.world.clock.wait(0)
  }
  const { title, url, cut } = content
  // The content also counts as changed if it is now cut.
  if (cut !== undefined) hash.update(cut)
  const contentHash = new Uint8Array(hash.digest())
  const isKept = url !== undefined && url.length <= URL_MAX && url.isWellFormed()
  const names = { title: limitTitle(title), url: isKept ? url : undefined }
  if (known?.status === 'synced' && isEqual(known.contentHash, contentHash))
    return { ...names, weight: 0, state: { kind: 'unchanged' } as const }
  return { ...names, weight, state: { kind: 'content', contentHash, drafts, cut } as const }
}

function limitTitle(title: string | undefined): string | undefined {
  return title?.slice(0, TITLE_MAX).toWellFormed()
}

/** Serializes a draft for the hash, without the time shown in its line, which may be the time of the sync. */
function serializeDraft({ text, metadata }: MemoryDraft): string {
  const names = Object.keys(metadata).sort()
  return `${JSON.stringify([text, names.map((name) => [name, metadata[name]])])}\n`
}

function isEqual(one: Uint8Array | undefined, other: Uint8Array): boolean {
  return one !== undefined && one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** Returns the failure of an item. Rethrows an error that does not concern this item only. */
function toItemFailure(error: unknown): ProviderFailure {
  if (!(error instanceof ProviderFailure) || error.ofAccount) throw error
  const reaction = chooseReaction(error.kind, 'reading')
  if (reaction !== 'fail_item' && reaction !== 'drop_item') throw error
  return error
}
