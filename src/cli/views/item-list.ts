import type { SyncItem } from '../../contract/sync.ts'
import type { ListView } from '../output/answer.ts'
import { shortTime } from '../output/short-forms.ts'
import { untilWords } from '../output/time-words.ts'

/** Items as a list. `now` tells how far off the next tries are. */
export function itemList(now: number): ListView<SyncItem> {
  return {
    columns: [
      { name: 'id', value: ({ id }) => id, flexible: true, leaves: 3 },
      { name: 'status', value: ({ status }) => status },
      { name: 'title', value: ({ title }) => title, flexible: true },
      { name: 'memories', value: ({ memories }) => memories, leaves: 4 },
      {
        name: 'tries',
        value: ({ tries }) => tries,
        shown: ({ tries }) => (tries === 0 ? '' : String(tries)),
        leaves: 1
      },
      { name: 'next_try_at', value: (item) => item.next_try_at, shown: (item) => nextTryText(item, now), leaves: 2 },
      { name: 'error', value: ({ error }) => error, flexible: true },
      {
        name: 'changed_at',
        value: (item) => item.changed_at,
        shown: (item) => shortTime(item.changed_at),
        pipeOnly: true
      },
      { name: 'cooling_down', value: (item) => item.cooling_down, pipeOnly: true },
      { name: 'url', value: ({ url }) => url, pipeOnly: true }
    ],
    json: (item) => item
  }
}

/** `in 2 min`, `due now`; `cooling down, in 58 min` where all retries failed. */
function nextTryText({ next_try_at, cooling_down }: SyncItem, now: number): string {
  if (next_try_at === null) return ''
  const until = untilWords(next_try_at, now)
  return cooling_down && until !== 'due now' ? `cooling down, ${until}` : until
}
