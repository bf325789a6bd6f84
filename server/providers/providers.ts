import { cloudDriveProvider } from './cloud-drive/cloud-drive-provider.ts'
import { mailboxProvider } from './mailbox/mailbox-provider.ts'
import { notesProvider } from './notes/notes-provider.ts'
import type { Provider } from './port/provider.ts'
import { teamChatProvider } from './team-chat/team-chat-provider.ts'

/** Every provider, in display order. */
export const PROVIDERS: readonly Provider[] = [cloudDriveProvider, teamChatProvider, mailboxProvider, notesProvider]
