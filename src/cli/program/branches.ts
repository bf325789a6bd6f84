import { type AnyCommand, type CommandGroup, type Entry, LIVE_VALUES } from '../command/command.ts'
import { HELP_TOPICS } from '../command/help-topics.ts'

/** A first word of a command line. Its command is loaded only if the word is given. */
export type Branch = { name: string; summary: string; load(): Promise<Entry> }

/** All first words, in the order of the help. */
export const BRANCHES: readonly Branch[] = [
  {
    name: 'quickstart',
    summary: 'Try memctl: connect sandbox accounts, sync, export, and search offline',
    load: async () => (await import('../commands/quickstart/quickstart-command.ts')).quickstartCommand
  },
  {
    name: 'search',
    summary: 'Search memories with a question or keywords',
    load: async () => toShortForm((await import('../commands/device/search-command.ts')).searchCommand)
  },
  {
    name: 'store',
    summary: 'Store one or more memories',
    load: async () => toShortForm((await import('../commands/device/store-command.ts')).storeCommand)
  },
  group({
    name: 'device',
    summary: 'Store and search memories in a local snapshot file',
    entries: async () => (await import('../commands/device-commands.ts')).DEVICE_COMMANDS
  }),
  {
    name: 'ingest',
    summary: 'Store notes, chat exports, mail and documents as memories',
    load: async () => (await import('../commands/device/ingest-command.ts')).shortIngestCommand
  },
  {
    name: 'mcp',
    summary: 'Run a memory server for assistants: Claude, Cursor, VS Code, Codex, Gemini',
    load: async () => (await import('../commands/mcp/mcp-command.ts')).mcpCommand
  },
  {
    name: 'connect',
    summary: 'Link a drive, chat, mailbox or notes workspace to a collection',
    load: async () => (await import('../commands/connect/connect-command.ts')).connectCommand
  },
  {
    name: 'providers',
    summary: 'List the providers that the server offers',
    load: async () => (await import('../commands/providers-command.ts')).providersCommand
  },
  group({
    name: 'connections',
    summary: 'Manage the accounts that are linked to collections',
    entries: async () => (await import('../commands/connections-commands.ts')).CONNECTIONS_COMMANDS
  }),
  group({
    name: 'collections',
    summary: 'Manage the collections of a server',
    entries: async () => (await import('../commands/collections-commands.ts')).COLLECTIONS_COMMANDS
  }),
  group({
    name: 'memories',
    summary: "Add and search memories in a server's collections",
    entries: async () => (await import('../commands/memories-commands.ts')).MEMORIES_COMMANDS
  }),
  group({
    name: 'server',
    summary: 'Run and manage a server on this machine',
    entries: async () => (await import('../commands/server-commands.ts')).SERVER_COMMANDS,
    about: async () => (await import('../commands/help/server-text.ts')).SERVER_TEXT
  }),
  group({
    name: 'keys',
    summary: 'Manage the API keys of a server',
    entries: async () => (await import('../commands/keys-commands.ts')).KEYS_COMMANDS
  }),
  group({
    name: 'auth',
    summary: 'Manage your own API key for each server',
    entries: async () => (await import('../commands/auth-commands.ts')).AUTH_COMMANDS
  }),
  {
    name: 'api',
    summary: 'Send a request to any path of the server',
    load: async () => (await import('../commands/api-command.ts')).apiCommand
  },
  group({
    name: 'config',
    summary: 'View and change settings',
    entries: async () => (await import('../commands/config-commands.ts')).CONFIG_COMMANDS
  }),
  {
    name: 'doctor',
    summary: 'Check your setup and suggest fixes',
    load: async () => (await import('../commands/doctor/doctor-command.ts')).doctorCommand
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    load: async () =>
      (await import('../commands/completion/completion-command.ts')).makeCompletionCommand(loadCatalogue)
  },
  {
    name: 'help',
    summary: `Show help on a command, or on ${HELP_TOPICS.join(', ')}`,
    load: async () => (await import('../commands/help/help-command.ts')).makeHelpCommand(loadCatalogue)
  },
  {
    name: 'version',
    summary: 'Print the version of memctl',
    load: async () => (await import('../commands/version-command.ts')).versionCommand
  }
]

/** The command of completion scripts, which help and suggestions do not list. */
export const LIVE_VALUES_BRANCH: Branch = {
  name: LIVE_VALUES,
  summary: '',
  load: async () => (await import('../commands/completion/live-values-command.ts')).liveValuesCommand
}

/** Returns the short form of a device command: the same command, with examples that use the short form. */
function toShortForm(command: AnyCommand): AnyCommand {
  const [long, short] = [`memctl device ${command.name} `, `memctl ${command.name} `]
  return { ...command, examples: command.examples.map((example) => example.replaceAll(long, short)) }
}

/** Returns a group whose commands are loaded together with it. */
function group({ entries, ...rest }: Omit<CommandGroup, 'entries'> & { entries(): Promise<readonly Entry[]> }): Branch {
  return { name: rest.name, summary: rest.summary, load: async () => ({ ...rest, entries: await entries() }) }
}

/** Loads every command, for help, completion and suggestions. */
export async function loadCatalogue(): Promise<readonly Entry[]> {
  return await Promise.all(BRANCHES.map((branch) => branch.load()))
}
