import { isKey } from '../http/make-key.ts'
import { PROVIDER_SETTINGS, type ProviderSettingName, providerList } from './provider-settings.ts'
import * as values from './setting-values.ts'

/** One setting of the server: its names everywhere, what holds where nobody says anything, and how a value is read. */
export type ServerSettingRow<Value> = {
  /** In the config file. */
  key: string
  variable: string
  /** Of `memctl server start`, where one is useful. */
  flag: string | undefined
  about: string
  /** As a person would write it; undefined where it follows from other things or there is none. */
  otherwise: string | undefined
  /** How a value that must not be shown is shown; absent where it may be. */
  mask?: (value: string) => string
  /** Throws a plain Error with half a sentence: what is wrong with the value. */
  parse(value: string, context: values.ValueContext): Value
}

/** Every setting of the server. Flag > variable > config file > default. */
export const SERVER_SETTINGS = {
  host: row({
    key: 'host',
    variable: 'MEMCTL_SERVER_HOST',
    flag: '--host',
    about: 'the address that the server listens on; 127.0.0.1 is this machine alone, 0.0.0.0 all its networks',
    otherwise: '127.0.0.1',
    parse: values.text
  }),
  port: row({
    key: 'port',
    variable: 'MEMCTL_SERVER_PORT',
    flag: '--port',
    about: 'its port; 0 takes a free one and says which',
    otherwise: '8787',
    parse: values.port
  }),
  publicUrl: row({
    key: 'public_url',
    variable: 'MEMCTL_PUBLIC_URL',
    flag: undefined,
    about: 'how the server is called from outside, as in links; without it, from host and port',
    otherwise: undefined,
    parse: values.publicUrl
  }),
  adminKey: row({
    key: 'admin_key',
    variable: 'MEMCTL_ADMIN_KEY',
    flag: undefined,
    about:
      'the first admin key, for CI and containers: mk_ and 32 random bytes in base64url; made at the first start without it',
    otherwise: undefined,
    mask: () => '[secret]',
    parse: adminKey
  }),
  dataDir: row({
    key: 'data_dir',
    variable: 'MEMCTL_DATA_DIR',
    flag: '--data-dir',
    about: "the folder of the server's files, one server at a time; without it, the user's data folder",
    otherwise: undefined,
    parse: values.path
  }),
  databaseUrl: row({
    key: 'database_url',
    variable: 'MEMCTL_DATABASE_URL',
    flag: '--database-url',
    about: 'postgres://…: keeps everything there instead of in a file, so that several servers can share it',
    otherwise: undefined,
    mask: values.withoutPassword,
    parse: values.databaseUrl
  }),
  databaseConnections: row({
    key: 'database_connections',
    variable: 'MEMCTL_DATABASE_CONNECTIONS',
    flag: undefined,
    about: 'connections to PostgreSQL that one server opens at most',
    otherwise: '10',
    parse: values.wholeNumber({ least: 1, most: 1000 })
  }),
  providers: row({
    key: 'providers',
    variable: 'MEMCTL_PROVIDERS',
    flag: undefined,
    about:
      'what can be connected: a list like cloud_drive,notes, or sandbox for stand-ins of all; without it, those that have a client, or else the sandbox',
    otherwise: undefined,
    parse: providerList
  }),
  ...PROVIDER_SETTINGS,
  folderIdPattern: row({
    key: 'cloud_drive.folder_id_pattern',
    variable: 'MEMCTL_CLOUD_DRIVE_FOLDER_ID_PATTERN',
    flag: undefined,
    about:
      'folder ids that may be selected: interface (letters and digits), drive (also - and _); without it, drive where the real service is used',
    otherwise: undefined,
    parse: values.acceptOneOf('interface', 'drive')
  }),
  stateTtlMs: row({
    key: 'state_ttl',
    variable: 'MEMCTL_STATE_TTL',
    flag: undefined,
    about: 'how long a person may take to consent',
    otherwise: '10m',
    // Whoever has the address of a consent may follow it until then.
    parse: values.durationWithin({ least: '1s', most: '24h' })
  }),
  tokenMarginMs: row({
    key: 'token_margin',
    variable: 'MEMCTL_TOKEN_MARGIN',
    flag: undefined,
    about: 'how long before its end an access token is renewed',
    otherwise: '5m',
    parse: values.duration
  }),
  connectConfirm: row({
    key: 'connect_confirm',
    variable: 'MEMCTL_CONNECT_CONFIRM',
    flag: undefined,
    about:
      'whether who consents is asked for which collection that is: always, never, or auto: unless only this machine reaches the server, by host and public_url',
    otherwise: 'auto',
    parse: values.acceptOneOf('auto', 'always', 'never')
  }),
  secretKeyFile: row({
    key: 'secret_key_file',
    variable: 'MEMCTL_SECRET_KEY_FILE',
    flag: undefined,
    about: 'the file with the keys that stored credentials are sealed with; without it, server.key in the data folder',
    otherwise: undefined,
    parse: values.path
  }),
  syncIntervalMs: row({
    key: 'sync_interval',
    variable: 'MEMCTL_SYNC_INTERVAL',
    flag: undefined,
    about: 'how often an active connection syncs by itself',
    otherwise: '4h',
    parse: values.durationWithin({ least: '1s', most: '24d' })
  }),
  syncLeaseMs: row({
    key: 'sync_lease',
    variable: 'MEMCTL_SYNC_LEASE',
    flag: undefined,
    about: 'after how long another server takes over what a server was syncing that went away',
    otherwise: '60s',
    parse: values.durationWithin({ least: '1s', most: '1h' })
  }),
  syncWorkers: row({
    key: 'sync_workers',
    variable: 'MEMCTL_SYNC_WORKERS',
    flag: undefined,
    about: 'connections that one server syncs at a time',
    otherwise: '4',
    parse: values.wholeNumber({ least: 1, most: 64 })
  }),
  retryBackoffMs: row({
    key: 'retry_backoff',
    variable: 'MEMCTL_RETRY_BACKOFF',
    flag: undefined,
    about: 'waits before the three retries of an item that failed',
    otherwise: '30s,2m,8m',
    parse: backoff
  }),
  cooldownMs: row({
    key: 'cooldown',
    variable: 'MEMCTL_COOLDOWN',
    flag: undefined,
    about: 'how long an item is left alone whose retries failed too; doubled each time it fails again, to 24h at most',
    otherwise: '1h',
    parse: values.durationWithin({ least: '1s', most: '24h' })
  }),
  ephemeralTtlMs: row({
    key: 'ephemeral_ttl',
    variable: 'MEMCTL_EPHEMERAL_TTL',
    flag: undefined,
    about: 'how long a collection lives that an import made',
    otherwise: '1h',
    parse: values.duration
  }),
  bodyBytesMax: row({
    key: 'body_limit',
    variable: 'MEMCTL_BODY_LIMIT',
    flag: undefined,
    about: 'the largest body of one request',
    otherwise: '64MiB',
    parse: bodyLimit
  }),
  keyRequestsPerMinute: row({
    key: 'rate_limit',
    variable: 'MEMCTL_RATE_LIMIT',
    flag: undefined,
    about: 'requests of one key, like 600/min or 10/s, or off',
    otherwise: '600/min',
    parse: values.rate
  }),
  indexBytesMax: row({
    key: 'index_memory',
    variable: 'MEMCTL_INDEX_MEMORY',
    flag: undefined,
    about: 'memory for the indexes of collections that are searched; those used last are kept',
    otherwise: '1GiB',
    parse: values.size
  }),
  drainMs: row({
    key: 'drain_timeout',
    variable: 'MEMCTL_DRAIN_TIMEOUT',
    flag: undefined,
    about: 'how long requests in flight may take to end when the server is told to stop',
    otherwise: '30s',
    parse: values.duration
  }),
  logLevel: row({
    key: 'log_level',
    variable: 'MEMCTL_LOG_LEVEL',
    flag: '--log-level',
    about: 'what is logged: error, info (each request and what changed), debug, or silent',
    otherwise: 'info',
    parse: values.acceptOneOf('error', 'info', 'debug', 'silent')
  })
} as const

export type ServerSettingName = keyof typeof SERVER_SETTINGS

type ValueOf<Name extends ServerSettingName> = ReturnType<(typeof SERVER_SETTINGS)[Name]['parse']>

type WithoutDefault =
  | 'publicUrl'
  | 'adminKey'
  | 'databaseUrl'
  | 'providers'
  | 'folderIdPattern'
  | 'secretKeyFile'
  | ProviderSettingName

/** The values of all settings. What has no default may be undefined; `dataDir` is an absolute path. */
export type ServerSettings = {
  [Name in ServerSettingName]: Name extends WithoutDefault ? ValueOf<Name> | undefined : ValueOf<Name>
}

function row<Value>(it: ServerSettingRow<Value>): ServerSettingRow<Value> {
  return it
}

function adminKey(value: string): string {
  values.refuseIf(!isKey(value), 'is no key: mk_ and 43 letters of base64url')
  return value
}

/** Of each failed item: its retries are three, whoever runs the server. */
const RETRIES = 3
const oneBackoff = values.durationWithin({ least: '1s', most: '24h' })

function backoff(value: string): readonly number[] {
  const waits = value.split(',').map((wait) => oneBackoff(wait.trim()))
  values.refuseIf(waits.length !== RETRIES, `has not ${RETRIES} durations, like 30s,2m,8m`)
  return waits
}

const BODY_BYTES_MAX = 1024 * 1024 * 1024

/** A body is held in memory as a whole. */
function bodyLimit(value: string): number {
  const bytes = values.size(value)
  values.refuseIf(bytes < 1024 || bytes > BODY_BYTES_MAX, 'is not between 1KiB and 1GiB')
  return bytes
}
