import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fetch } from '../../../../src/ports.ts'
import { type Follower, follow, type MailKit, mailKit, wantedIds } from './mail-kit.ts'

const RUNS = process.env.SLOW ? 400 : 10

/** Events while a mailbox is followed. `which` selects a message. */
const event = fc.record({
  name: fc.constantFrom(
    'receive',
    'receive',
    'trash',
    'untrash',
    'spam',
    'unspam',
    'delete',
    'label',
    'expire_history'
  ),
  which: fc.nat(200),
  /** The page before which the event happens. */
  page: fc.nat(12)
})

const fault = fc.record({
  kind: fc.constantFrom(
    'rate_limited',
    'server_error',
    'cut_body',
    'html',
    'wrong_shape',
    'repeat_cursor',
    'overloaded'
  ),
  after: fc.nat(8),
  operation: fc.constantFrom('gmail.users.messages.list', 'gmail.users.history.list', 'gmail.users.getProfile')
})

const lag = fc.record({
  kind: fc.constant('lag'),
  after: fc.nat(8),
  value: fc.integer({ min: 1, max: 5 }),
  operation: fc.constant('gmail.users.history.list')
})

test('knows exactly the mailbox after any events, page borders and faults', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 25 }),
      fc.array(fc.oneof(fault, lag), { maxLength: 4 }),
      fc.integer({ min: 1, max: 30 }),
      async (events, faults, size) => {
        const kit = await mailKit({ around: withPagesOf(size) })
        for (const one of faults) await kit.order(one)
        const follower: Follower = { known: new Set(), cursor: undefined }
        const open = [...events]
        let pages = 0
        const each = async () => {
          pages += 1
          for (let at = open.findIndex(({ page }) => page < pages); at !== -1; ) {
            const [now] = open.splice(at, 1)
            if (now !== undefined) await happen(kit, now)
            at = open.findIndex(({ page }) => page < pages)
          }
        }
        const patience = faults.length + events.length + 5
        await follow(kit.call, follower, { patience, each })
        for (const left of open) await happen(kit, left)
        await kit.control('DELETE', '/faults')
        await follow(kit.call, follower, { patience })
        expect([...follower.known].sort()).toEqual(wantedIds(kit.content))
      }
    ),
    { numRuns: RUNS }
  )
})

async function happen(kit: MailKit, { name, which }: { name: string; which: number }): Promise<void> {
  const ids = [...kit.content.messages.keys()]
  const id = ids[which % ids.length]
  if (name === 'receive')
    await kit.change('receive', { count: 1 + (which % 3), labels: which % 7 ? ['INBOX'] : ['SPAM'] })
  else if (name === 'expire_history') await kit.change('expire_history', {})
  else if (name === 'label') await kit.change('label', { id, add: ['STARRED'], remove: ['INBOX'] })
  else await kit.change(name, { id })
}

function withPagesOf(size: number): (fetch: Fetch) => Fetch {
  return (fetch) => (request) => {
    const url = new URL(request.url)
    if (url.searchParams.has('maxResults')) url.searchParams.set('maxResults', String(size))
    return fetch(new Request(url, request))
  }
}
