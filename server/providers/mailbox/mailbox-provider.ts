import type { Provider } from '../provider.ts'
import { changes } from './changes.ts'
import { MAILBOX_FACTS } from './facts.ts'
import { identify } from './identify.ts'
import { list } from './list.ts'
import { lookUp } from './look-up.ts'
import { read } from './read.ts'

/** An item is one message. Drafts, chats, and what lies in trash or spam are not taken in. */
export const mailbox: Provider = { facts: MAILBOX_FACTS, identify, changes, list, read, lookUp }
