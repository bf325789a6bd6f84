import { Fault } from '../contract/faults.ts'
import { openSource, type Source } from '../snapshot/file/source.ts'
import { readSnapshot } from '../snapshot/read-snapshot.ts'
import { hasMember, MEMBERS, readMemberText } from '../snapshot/record/record-view.ts'
import { surveySnapshot } from '../snapshot/survey.ts'
import type { CorrectOptions, Stored } from './device.ts'
import { type Opened, withSystemFaultsSync } from './device-world.ts'
import { showMemory } from './list-memories.ts'
import { previewRecord, storeOne } from './store-one.ts'

/**
 * Stores a text that supersedes a memory, given by its id or a prefix. It keeps the memory's speaker and conversation
 * unless the options have others. It also supersedes earlier corrections of the memory, so that the newest one holds.
 * @throws Fault `not_found` for an unknown or forgotten memory, `usage` for an invalid prefix, `invalid_input` for an
 * empty text and for a correction that is equal to the memory.
 */
export async function correctMemory(
  opened: Opened,
  idOrPrefix: string,
  { text, dryRun, signal, ...details }: CorrectOptions & { text: string }
): Promise<Stored> {
  if (text === '') {
    throw new Fault('invalid_input', 'the text of the correction is empty: expected what holds instead', {
      hint: 'to remove a memory without a replacement: memctl device forget ID'
    })
  }
  const { record: old, forgotten } = showMemory(opened, idOrPrefix)
  if (forgotten) {
    throw new Fault('not_found', `${old.id} was forgotten, so it cannot be corrected`, {
      hint: 'store the text as a new memory: memctl device store "a text"'
    })
  }
  const { speaker = old.speaker, conversation = old.conversation } = details
  const supersedes = [old.id, ...listCorrections(opened, old.id)]
  const input = { ...details, text, speaker, conversation, supersedes }
  const record = await previewRecord(opened, input)
  const { id, at } = record
  if (supersedes.includes(id)) {
    throw new Fault('invalid_input', `the correction is equal to ${id}: expected another text, speaker or time`)
  }
  return dryRun ? { id, at, record, notes: [] } : await storeOne(opened, { ...input, at }, signal)
}

/** Returns the ids of the live memories that supersede this one, directly or through others. */
function listCorrections({ world, path }: Opened, id: string): string[] {
  return withSystemFaultsSync(`read ${path}`, () => {
    const source = openSource(world.files, path)
    try {
      const found = new Set([id])
      const links = listLiveLinks(source)
      for (const target of found) for (const { by, targets } of links) if (targets.has(target)) found.add(by)
      return [...found].slice(1)
    } finally {
      source.close()
    }
  })
}

/** A memory that supersedes others. */
type Link = { by: string; targets: ReadonlySet<unknown> }

function listLiveLinks(source: Source): Link[] {
  const links: Link[] = []
  readSnapshot(source, ({ kind, view, id }) => {
    if (kind !== 'memory' || !hasMember(view, MEMBERS.supersedes)) return
    const targets = new Set<unknown>(JSON.parse(readMemberText(view, MEMBERS.supersedes) ?? '[]'))
    links.push({ by: id, targets })
  })
  if (links.length === 0) return []
  const { table } = surveySnapshot(source)
  return links.filter(({ by }) => {
    const known = table.ids.find(Buffer.from(by.slice(4), 'hex'), 0)
    return known >= 0 && table.forget(known) < 0
  })
}
