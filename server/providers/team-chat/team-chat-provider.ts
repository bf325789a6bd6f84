import type { Provider } from '../port/provider.ts'
import { changes, list } from './changes.ts'
import { channels, findPlaceName } from './channels.ts'
import { FACTS } from './facts.ts'
import { lookUp, read } from './read.ts'

import { identify } from './requests.ts'

/** Channels of Slack, read with its Web API. An item is a message. */
export const teamChatProvider: Provider = {
  facts: FACTS,
  identify,
  changes,
  list,
  read,
  lookUp,
  channels,
  findPlaceName
}
