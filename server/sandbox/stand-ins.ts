import { cloudDriveStandIn } from './cloud-drive/stand-in.ts'
import { mailboxStandIn } from './mailbox/stand-in.ts'
import { notesStandIn } from './notes/stand-in.ts'
import type { StandIn } from './stand-in.ts'
import { teamChatStandIn } from './team-chat/stand-in.ts'

/** The stand-ins there are, in the order of the interface. */
export const STAND_INS: readonly StandIn[] = [cloudDriveStandIn, teamChatStandIn, mailboxStandIn, notesStandIn]
