/**
 * Values that say by themselves which attribute is meant when something simply `is` so: `the ticket is closed` is a
 * status. In small letters. Colours and moods are no states here: a red car can be fast too.
 */
export const STATE_WORDS: ReadonlyMap<string, string> = new Map([
  ...states([
    ...['closed', 'pending', 'blocked', 'unblocked', 'in progress', 'on hold', 'cancelled', 'canceled', 'offline'],
    ...['resolved', 'unresolved', 'merged', 'approved', 'rejected', 'paused', 'deprecated', 'released', 'archived'],
    ...['enabled', 'disabled', 'overdue', 'postponed', 'shipped', 'delivered', 'in review', 'under review']
  ]),
  ...['single', 'married', 'divorced', 'widowed', 'engaged'].map((word) => [word, 'marital_status'] as const)
])

/** States of things; people are `ready` for lunch and `open` to ideas. */
export const THING_STATES: ReadonlyMap<string, string> = new Map(
  states([
    ...[
      'open',
      'done',
      'finished',
      'complete',
      'completed',
      'active',
      'inactive',
      'ready',
      'live',
      'online',
      'up',
      'down'
    ],
    ...['broken', 'fixed', 'running', 'stopped', 'failed', 'failing', 'passing', 'available', 'unavailable', 'delayed']
  ])
)

function states(words: readonly string[]): (readonly [string, string])[] {
  return words.map((word) => [word, 'status'])
}
