import type { Provider } from '../provider.ts'
import { changes } from './changes.ts'
import { channels } from './channels.ts'
import { TEAM_CHAT_FACTS } from './facts.ts'
import { hasPlace } from './has-place.ts'
import { identify } from './identify.ts'
import { list } from './list.ts'
import { lookUp } from './look-up.ts'
import { read } from './read.ts'

/** Channels of Slack, by its Web API. An item is a message. */
export const teamChat: Provider = { facts: TEAM_CHAT_FACTS, identify, changes, list, read, lookUp, channels, hasPlace }
