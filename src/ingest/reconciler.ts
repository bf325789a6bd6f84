import type { MemoryRecord } from '../contract/snapshot.ts'
import type { Device } from '../device/device.ts'
import { findSource } from '../memory/fields.ts'
import { digestTexts, type KnownFile, type KnownFiles } from './known-files.ts'
import { readText } from './lines/read-json.ts'
import type { OpenInput, TakenItem } from './open-input.ts'
import type { IngestLine } from './port/format.ts'
import type { LossReason } from './port/losses.ts'

/** A line that may replace earlier memories. */
export type ReconciledLine = IngestLine & { supersedes?: string[] }

/** What an import changes in the memories of the same source that the snapshot already has. */
export type Reconciler = {
  /** Returns the lines of an item that must be stored; none if all of them are. And their conversation, if they can change. */
  resolve(item: TakenItem): { fresh: readonly ReconciledLine[]; conversation?: string }
  /** Counts the lines of a file as unchanged, if the snapshot still has exactly its texts. Returns whether it has. */
  keep(file: KnownFile): boolean
  counts: { unchanged: number; superseded: number; renamed: number }
  /** Complete after the last item: memories whose text the source no longer has. */
  listGone(): GoneMemories
}

/**
 * `ids`: the memories. `gone` of `known` are the files that no longer exist, of those that were known under this root, and
 * the native ids that no longer occur, of those of this format.
 */
export type GoneMemories = { ids: string[]; gone: number; known: number }

/** A memory of the snapshot. `isReplaced`: another memory supersedes it. */
type Stored = { id: string; text: string; at: string; isReplaced: boolean }

/** Namespaces of sources whose native ids are the paths of files. */
const FILE_NAMESPACES = ['markdown', 'documents']

/** Connectors whose documents are recognised by their content, so that they are not stored a second time. */
const CONNECTOR_NAMESPACES = ['cloud_drive']

/** The share of equal words from which a file at a new path counts as a file that was moved. */
const MOVED_SHARE = 0.6

/**
 * Creates a reconciler for an import into a snapshot. `now` is the time of lines that replace others, unless the source
 * gives a later time than that of their predecessors: until then, these hold. A line that returns to an earlier text gets it
 * too, because otherwise it would be the memory that was replaced. The memories of a renamed file keep the conversation of
 * its first path, so only `known` tells whether an earlier import has counted it as renamed.
 */
export function createReconciler(
  device: Pick<Device, 'list'>,
  input: OpenInput,
  { now, known }: { now: string; known?: Pick<KnownFiles, 'findConversation'> | undefined }
): Reconciler {
  const isOfMessages = input.format.edits === 'messages'
  const stored = isOfMessages ? readMessages(device, input.format.id) : readConversations(device, input.format.id)
  const lost = listMissing(stored, input)
  const findMoved = createMovedFinder(stored, lost)
  const counts = { unchanged: 0, superseded: 0, renamed: 0 }
  const gone: string[] = []
  const seen = new Set<string>()

  const resolve: Reconciler['resolve'] = ({ path, lines, replaces, edited }) => {
    for (const { conversation } of lines) seen.add(conversation)
    if (replaces === undefined) return { fresh: lines }
    const moved = isOfMessages || stored.has(replaces) ? undefined : findMoved(lines)
    if (moved !== undefined && lost.delete(moved) && known?.findConversation(path) !== moved) counts.renamed += 1
    const earlier = stored.get(moved ?? replaces) ?? []
    const { added, old } = compareTexts(lines, earlier)
    gone.push(...old.map(({ id }) => id))
    counts.unchanged += lines.length - added.length
    const replaced = old.filter(({ isReplaced }) => !isReplaced)
    const heirs = chooseHeirs(added, replaced)
    if (added.length > 0) counts.superseded += replaced.length
    const fresh = added.map((line): ReconciledLine => {
      const conversation = isOfMessages ? line.conversation : (moved ?? replaces)
      const supersedes = heirs.get(line)?.map(({ id }) => id)
      const returns = earlier.filter(({ text }) => text === line.raw_text)
      if (supersedes === undefined && returns.length === 0) return { ...line, conversation }
      const own = edited ?? line.at
      const isLater = own !== undefined && [...returns, ...(heirs.get(line) ?? [])].every(({ at }) => at < own)
      return { ...line, conversation, at: isLater ? own : now, ...(supersedes && { supersedes }) }
    })
    return isOfMessages ? { fresh } : { fresh, conversation: moved ?? replaces }
  }

  const keep: Reconciler['keep'] = ({ conversation, lines, texts }) => {
    const earlier = stored.get(conversation) ?? []
    const current = earlier.filter(({ isReplaced }) => !isReplaced).map(({ text }) => text)
    if (current.length !== lines || digestTexts(current) !== texts) return false
    seen.add(conversation)
    lost.delete(conversation)
    gone.push(...earlier.filter(({ isReplaced }) => isReplaced).map(({ id }) => id))
    counts.unchanged += lines
    return true
  }

  return {
    resolve,
    keep,
    counts,
    listGone: () => {
      const native = [...stored.keys()].filter((name) => isNative(name, input))
      const missing = [...lost, ...(isComplete(input) ? native.filter((name) => !seen.has(name)) : [])]
      return {
        ids: [...gone, ...missing.flatMap((name) => (stored.get(name) ?? []).map(({ id }) => id))],
        gone: missing.length,
        known: [...stored.keys()].filter((name) => isBelow(name, input.name)).length + native.length
      }
    }
  }
}

/**
 * Reports whether a conversation has a native id, which stays the same in every export, instead of a path. That of a
 * message that an export lacks tells nothing, because an export may be of some days only.
 */
function isNative(conversation: string, { format: { id, edits } }: OpenInput): boolean {
  return edits === 'items' && !FILE_NAMESPACES.includes(id) && isNamespace(conversation, [id])
}

/** Reports whether everything in the input was converted, so that a native id that did not occur is gone. */
function isComplete(input: OpenInput): boolean {
  return input.unread.length === 0 && input.account().losses.every(({ reason }) => !INCOMPLETE.has(reason))
}

/** The reasons of losses that may have native ids inside. */
const INCOMPLETE: ReadonlySet<string> = new Set<LossReason>([
  'unreadable',
  'damaged',
  'malformed',
  'encrypted',
  'too_large',
  'archive',
  'excluded',
  'before_since'
])

/** Lists the memories of sources whose texts can change, by their conversation. */
function readConversations(device: Pick<Device, 'list'>, format: string): Map<string, Stored[]> {
  const namespaces = [...FILE_NAMESPACES, ...CONNECTOR_NAMESPACES, format]
  return readStored(device, ({ conversation = '' }) =>
    isNamespace(conversation, namespaces) ? conversation : undefined
  )
}

/** Lists the memories of messages of a format, by the native id of their message. */
function readMessages(device: Pick<Device, 'list'>, format: string): Map<string, Stored[]> {
  return readStored(device, ({ metadata }) => {
    const source = findSource(metadata)
    return source?.format === format ? readText(source.id) : undefined
  })
}

function readStored(
  device: Pick<Device, 'list'>,
  findKey: (memory: MemoryRecord) => string | undefined
): Map<string, Stored[]> {
  const stored = new Map<string, Stored[]>()
  const replaced = new Set<unknown>()
  for (const memory of device.list().records) {
    const { id, text, at, supersedes = [] } = memory
    for (const target of supersedes) replaced.add(target)
    const key = findKey(memory)
    if (key === undefined) continue
    const all = stored.get(key) ?? []
    stored.set(key, all)
    all.push({ id, text, at, isReplaced: false })
  }
  for (const memories of stored.values()) for (const one of memories) one.isReplaced = replaced.has(one.id)
  return stored
}

function isNamespace(conversation: string, namespaces: readonly string[]): boolean {
  return namespaces.some((namespace) => conversation.startsWith(`${namespace}:`))
}

/** Lists the conversations of files that are no longer in the input. What cannot be read now is not missing. */
function listMissing(stored: ReadonlyMap<string, unknown>, { name, files, unread }: OpenInput): Set<string> {
  const present = new Set(files.map(({ path }) => path))
  const missing = [...stored.keys()].filter((conversation) => {
    if (!isBelow(conversation, name)) return false
    const path = conversation.slice(conversation.indexOf(':') + name.length + 2)
    return !present.has(path) && !unread.some((one) => path === one || path.startsWith(`${one}/`))
  })
  return new Set(missing)
}

function isBelow(conversation: string, name: string): boolean {
  return FILE_NAMESPACES.some((namespace) => conversation.startsWith(`${namespace}:${name}/`))
}

/**
 * Creates a function that finds where the text of a new file already is: at a path that is missing now, with nearly the
 * same words, or in a document of a connector, with exactly the same text.
 */
function createMovedFinder(stored: ReadonlyMap<string, readonly Stored[]>, missing: ReadonlySet<string>) {
  const listCurrent = (name: string): string[] =>
    (stored.get(name) ?? []).filter(({ isReplaced }) => !isReplaced).map(({ text }) => text)
  const words = new Map([...missing].map((name) => [name, toWords(listCurrent(name))]))
  const connected = new Map<string, string>()
  for (const name of stored.keys())
    if (isNamespace(name, CONNECTOR_NAMESPACES)) for (const text of listCurrent(name)) connected.set(text, name)

  return (lines: readonly IngestLine[]): string | undefined => {
    const texts = lines.map(({ raw_text }) => raw_text)
    const [document, ...others] = new Set(texts.map((text) => connected.get(text)))
    if (document !== undefined && others.length === 0 && listCurrent(document).length === texts.length) return document
    const own = missing.size === 0 ? new Set<string>() : toWords(texts)
    let best: { name: string; share: number } | undefined
    for (const name of missing) {
      const share = measureShare(own, words.get(name) ?? new Set())
      if (share >= MOVED_SHARE && share > (best?.share ?? 0)) best = { name, share }
    }
    return best?.name
  }
}

function toWords(texts: readonly string[]): Set<string> {
  return new Set(texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []))
}

/** Returns the words that two sets share, as a share of all their words. */
function measureShare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0
  for (const word of one) if (other.has(word)) common += 1
  const all = one.size + other.size - common
  return all === 0 ? 0 : common / all
}

/** Returns the lines whose text is new, and the earlier memories that are not among the lines. */
function compareTexts(
  lines: readonly IngestLine[],
  earlier: readonly Stored[]
): { added: IngestLine[]; old: Stored[] } {
  const current = new Map<string, Stored[]>()
  for (const one of earlier) if (!one.isReplaced) current.set(one.text, [...(current.get(one.text) ?? []), one])
  const kept = new Set<Stored>()
  const added = lines.filter(({ raw_text }) => {
    const found = current.get(raw_text)?.shift()
    if (found !== undefined) kept.add(found)
    return found === undefined
  })
  return { added, old: earlier.filter((one) => !kept.has(one)) }
}

/** Chooses for each replaced memory the new line that has most of its words. */
function chooseHeirs(fresh: readonly IngestLine[], replaced: readonly Stored[]): Map<IngestLine, Stored[]> {
  const heirs = new Map<IngestLine, Stored[]>()
  const words = fresh.map(({ raw_text }) => toWords([raw_text]))
  for (const one of replaced) {
    const own = toWords([one.text])
    const shares = words.map((one) => measureShare(own, one))
    const heir = fresh[shares.indexOf(Math.max(...shares))]
    if (heir !== undefined) heirs.set(heir, [...(heirs.get(heir) ?? []), one])
  }
  return heirs
}
