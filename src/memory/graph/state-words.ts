/**
 * Values that say by themselves which attribute is meant when something simply `is` so: `the ticket is open` is a
 * status. In the form of `entityKey`. Colours and moods are no states here: a red car can be fast too.
 */
export const STATE_WORDS: ReadonlyMap<string, string> = new Map([
  ...[
    ...[
      'open',
      'closed',
      'done',
      'finished',
      'complete',
      'completed',
      'pending',
      'blocked',
      'unblocked',
      'in progress'
    ],
    ...['on hold', 'active', 'inactive', 'cancelled', 'canceled', 'ready', 'live', 'online', 'offline', 'up', 'down'],
    ...['broken', 'fixed', 'resolved', 'unresolved', 'merged', 'approved', 'rejected', 'paused', 'running', 'stopped'],
    ...['failed', 'failing', 'passing', 'enabled', 'disabled', 'deprecated', 'released', 'archived', 'available'],
    ...['unavailable', 'overdue', 'delayed', 'postponed', 'shipped', 'delivered', 'in review', 'under review', 'draft']
  ].map((word) => [word, 'status'] as const),
  ...['single', 'married', 'divorced', 'widowed', 'engaged'].map((word) => [word, 'marital_status'] as const)
])
