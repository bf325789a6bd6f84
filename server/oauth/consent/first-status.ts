import type { ConnectionConfig } from '../../../src/contract/connection.ts'
import type { ProviderFacts } from '../../providers/port/provider.ts'

/** How a new connection stands: one of a provider with a selection waits for it, unless it was made beforehand. */
export function firstStatus(
  { selection }: Pick<ProviderFacts, 'selection'>,
  config: ConnectionConfig
): 'pending' | 'active' {
  return selection !== undefined && config[selection] === undefined ? 'pending' : 'active'
}
