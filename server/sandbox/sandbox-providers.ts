import { cloudDriveSandbox } from './cloud-drive/cloud-drive-sandbox.ts'
import type { SandboxProvider } from './core/sandbox-provider.ts'
import { mailboxSandbox } from './mailbox/mailbox-sandbox.ts'
import { notesSandbox } from './notes/notes-sandbox.ts'
import { teamChatSandbox } from './team-chat/team-chat-sandbox.ts'

/** All sandbox providers, in interface order. */
export const SANDBOX_PROVIDERS: readonly SandboxProvider[] = [
  cloudDriveSandbox,
  teamChatSandbox,
  mailboxSandbox,
  notesSandbox
]
