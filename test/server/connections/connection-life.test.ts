import { expect, test } from 'vitest'
import { type LifeEvent, lifeStep } from '../../../server/connections/require-connection.ts'
import { ConnectionStatus } from '../../../src/contract/connection.ts'

const EVENTS = {
  'consented, nothing to select': { type: 'consented', facts: {}, config: {} },
  'consented, to be selected': { type: 'consented', facts: { selection: 'folder_ids' }, config: {} },
  'consented, selected before': {
    type: 'consented',
    facts: { selection: 'folder_ids' },
    config: { folder_ids: ['a'] }
  },
  'config updated': { type: 'config_updated' },
  'sync asked': { type: 'sync_asked' },
  'item retried': { type: 'item_retried' },
  paused: { type: 'paused' },
  resumed: { type: 'resumed' },
  browsed: { type: 'browsed' },
  disconnected: { type: 'disconnected' }
} as const satisfies Record<string, LifeEvent>

type EventName = keyof typeof EVENTS

/** The result of each event: the status afterwards and the effects, or the code of the refusal. */
const TABLE: Readonly<Record<ConnectionStatus | 'none', Readonly<Record<EventName, string>>>> = {
  none: {
    'consented, nothing to select': 'active: sync',
    'consented, to be selected': 'pending',
    'consented, selected before': 'active: sync',
    'config updated': '! not_found',
    'sync asked': '! not_found',
    'item retried': '! not_found',
    paused: '! not_found',
    resumed: '! not_found',
    browsed: '! not_found',
    disconnected: '! not_found'
  },
  pending: {
    'consented, nothing to select': 'pending',
    'consented, to be selected': 'pending',
    'consented, selected before': 'pending',
    'config updated': 'active: restart, sync',
    'sync asked': '! usage',
    'item retried': 'pending',
    paused: 'pending',
    resumed: 'pending',
    browsed: 'pending',
    disconnected: 'revoked: revoke'
  },
  active: {
    'consented, nothing to select': 'active',
    'consented, to be selected': 'active',
    'consented, selected before': 'active',
    'config updated': 'active: restart, sync',
    'sync asked': 'active: sync',
    'item retried': 'active: sync',
    paused: 'active',
    resumed: 'active: sync',
    browsed: 'active',
    disconnected: 'revoked: revoke'
  },
  revoked: {
    'consented, nothing to select': 'revoked',
    'consented, to be selected': 'revoked',
    'consented, selected before': 'revoked',
    'config updated': '! conflict',
    'sync asked': '! usage',
    'item retried': '! conflict',
    paused: '! conflict',
    resumed: '! conflict',
    browsed: '! conflict',
    disconnected: 'revoked'
  }
}

function told(status: ConnectionStatus | undefined, event: LifeEvent): string {
  const step = lifeStep(status, event)
  if ('refusal' in step) return `! ${step.refusal}`
  return step.effects.length === 0 ? step.status : `${step.status}: ${step.effects.join(', ')}`
}

const PAIRS = [undefined, ...ConnectionStatus.options].flatMap((status) =>
  (Object.keys(EVENTS) as EventName[]).map((name) => ({ status, name }))
)

test.each(PAIRS)('a connection that is $status: $name', ({ status, name }) => {
  expect(told(status, EVENTS[name])).toBe(TABLE[status ?? 'none'][name])
})

test('never revives a revoked connection, and never makes an active one pending', () => {
  for (const event of Object.values(EVENTS)) {
    expect(told('revoked', event)).toMatch(/^(revoked$|!)/)
    expect(told('active', event)).not.toMatch(/^pending/)
  }
})
