import type { Entry } from '../command.ts'
import { authStatus } from '../commands/auth/auth-status.ts'
import { login } from '../commands/auth/login.ts'
import { logout } from '../commands/auth/logout.ts'

/** What stands below `memctl auth`. */
export const AUTH_COMMANDS: readonly Entry[] = [login, authStatus, logout]
