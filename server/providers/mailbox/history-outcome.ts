import type { SeenItem } from '../provider.ts'
import { isWanted, seenMessage } from './message-item.ts'
import type { HistoryRecord } from './wire.ts'

/**
 * What records of the history come to, in their order: for each message that they touch whether it is to be looked at or is gone;
 * the last word counts. Labels that neither take a message away nor bring it back say nothing, such as having read it.
 */
export function outcomeOf(records: readonly HistoryRecord[]): { seen: SeenItem[]; gone: string[] } {
  const wanted = new Map<string, boolean>()
  for (const record of records) for (const [id, stays] of wordsOf(record)) wanted.set(id, stays)
  const ids = [...wanted.keys()]
  return {
    seen: ids.filter((id) => wanted.get(id)).map(seenMessage),
    gone: ids.filter((id) => !wanted.get(id))
  }
}

/**
 * Within a record a deletion has the last word. Whether a message that came or lost a label is still kept away by another one
 * is known only where its labels are named; where they are not, reading it tells.
 */
function wordsOf(record: HistoryRecord): [id: string, stays: boolean][] {
  const { messagesAdded, labelsRemoved, labelsAdded, messagesDeleted } = record
  return [
    ...messagesAdded.map(({ message }): [string, boolean] => [message.id, isWanted(message.labelIds ?? [])]),
    ...labelsRemoved
      .filter(({ labelIds }) => !isWanted(labelIds))
      .map(({ message }): [string, boolean] => [message.id, isWanted(message.labelIds ?? [])]),
    ...labelsAdded
      .filter(({ labelIds }) => !isWanted(labelIds))
      .map(({ message }): [string, boolean] => [message.id, false]),
    ...messagesDeleted.map(({ message }): [string, boolean] => [message.id, false])
  ]
}
