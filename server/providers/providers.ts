import { cloudDrive } from './cloud-drive/cloud-drive-provider.ts'
import { mailbox } from './mailbox/mailbox-provider.ts'
import { notes } from './notes/notes-provider.ts'
import type { Provider } from './port/provider.ts'
import { teamChat } from './team-chat/team-chat-provider.ts'

/** Every provider there is, in the order in which they are listed. */
export const PROVIDERS: readonly Provider[] = [cloudDrive, teamChat, mailbox, notes]
