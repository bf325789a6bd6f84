import { isKey } from '../http/make-key.ts'
import { PROVIDER_SETTINGS, type ProviderSettingName, parseProviderList } from './provider-settings.ts'
import type { SettingDefinition } from './setting-definition.ts'
import * as values from './setting-definition.ts'

/** Every setting of the server. Flag > variable > config file > default. */
export const SERVER_SETTINGS = {
  host: defineSetting({
    key: 'host',
    variable: 'MEMCTL_SERVER_HOST',
    flag: '--host',
    about: 'the address that the server listens on; 127.0.0.1 is this machine alone, 0.0.0.0 all its networks',
    otherwise: '127.0.0.1',
    parse: values.parseText
  }),
  port: defineSetting({
    key: 'port',
    variable: 'MEMCTL_SERVER_PORT',
    flag: '--port',
    about: 'its port; 0 takes a free one and says which',
    otherwise: '8787',
    parse: values.parsePort
  }),
  publicUrl: defineSetting({
    key: 'public_url',
    variable: 'MEMCTL_PUBLIC_URL',
    flag: undefined,
    about: 'how the server is called from outside, as in links; without it, from host and port',
    otherwise: undefined,
    parse: values.parsePublicUrl
  }),
  adminKey: defineSetting({
    key: 'admin_key',
    variable: 'MEMCTL_ADMIN_KEY',
    flag: undefined,
    about:
      'the first admin key, for CI and containers: mk_ and 32 random bytes in base64url; made at the first start without it',
    otherwise: undefined,
    mask: () => '[secret]',
    parse: parseAdminKey
  }),
  dataDir: defineSetting({
    key: 'data_dir',
    variable: 'MEMCTL_DATA_DIR',
    flag: '--data-dir',
    about: "the folder of the server's files, one server at a time; without it, the user's data folder",
    otherwise: undefined,
    parse: values.parsePath
  }),
  databaseUrl: defineSetting({
    key: 'database_url',
    variable: 'MEMCTL_DATABASE_URL',
    flag: '--database-url',
    about: 'postgres://…: keeps everything there instead of in a file, so that several servers can share it',
    otherwise: undefined,
    mask: values.maskPassword,
    parse: values.parseDatabaseUrl
  }),
  databaseConnections: defineSetting({
    key: 'database_connections',
    variable: 'MEMCTL_DATABASE_CONNECTIONS',
    flag: undefined,
    about: 'connections to PostgreSQL that one server opens at most',
    otherwise: '10',
    parse: values.createCountParser({ least: 1, most: 1000 })
  }),
  providers: defineSetting({
    key: 'providers',
    variable: 'MEMCTL_PROVIDERS',
    flag: undefined,
    about:
      'what can be connected: a list like cloud_drive,notes, or sandbox for stand-ins of all; without it, those that have a client, or else the sandbox',
    otherwise: undefined,
    parse: parseProviderList
  }),
  ...PROVIDER_SETTINGS,
  folderIdPattern: defineSetting({
    key: 'cloud_drive.folder_id_pattern',
    variable: 'MEMCTL_CLOUD_DRIVE_FOLDER_ID_PATTERN',
    flag: undefined,
    about:
      'folder ids that may be selected: interface (letters and digits), drive (also - and _); without it, drive where the real service is used',
    otherwise: undefined,
    parse: values.createWordParser('interface', 'drive')
  }),
  stateTtlMs: defineSetting({
    key: 'state_ttl',
    variable: 'MEMCTL_STATE_TTL',
    flag: undefined,
    about: 'how long a person may take to consent',
    otherwise: '10m',
    // The address of a consent is valid for this long.
    parse: values.createDurationParser({ least: '1s', most: '24h' })
  }),
  tokenMarginMs: defineSetting({
    key: 'token_margin',
    variable: 'MEMCTL_TOKEN_MARGIN',
    flag: undefined,
    about: 'how long before its end an access token is renewed',
    otherwise: '5m',
    parse: values.parseDurationMs
  }),
  connectConfirm: defineSetting({
    key: 'connect_confirm',
    variable: 'MEMCTL_CONNECT_CONFIRM',
    flag: undefined,
    about:
      'whether who consents is asked for which collection that is: always, never, or auto: unless only this machine reaches the server, by host and public_url',
    otherwise: 'auto',
    parse: values.createWordParser('auto', 'always', 'never')
  }),
  secretKeyFile: defineSetting({
    key: 'secret_key_file',
    variable: 'MEMCTL_SECRET_KEY_FILE',
    flag: undefined,
    about: 'the file with the keys that stored credentials are sealed with; without it, server.key in the data folder',
    otherwise: undefined,
    parse: values.parsePath
  }),
  syncIntervalMs: defineSetting({
    key: 'sync_interval',
    variable: 'MEMCTL_SYNC_INTERVAL',
    flag: undefined,
    about: 'how often an active connection syncs by itself',
    otherwise: '4h',
    parse: values.createDurationParser({ least: '1s', most: '24d' })
  }),
  syncLeaseMs: defineSetting({
    key: 'sync_lease',
    variable: 'MEMCTL_SYNC_LEASE',
    flag: undefined,
    about: 'after how long another server takes over what a server was syncing that went away',
    otherwise: '60s',
    parse: values.createDurationParser({ least: '1s', most: '1h' })
  }),
  syncWorkers: defineSetting({
    key: 'sync_workers',
    variable: 'MEMCTL_SYNC_WORKERS',
    flag: undefined,
    about: 'connections that one server syncs at a time',
    otherwise: '4',
    parse: values.createCountParser({ least: 1, most: 64 })
  }),
  retryBackoffMs: defineSetting({
    key: 'retry_backoff',
    variable: 'MEMCTL_RETRY_BACKOFF',
    flag: undefined,
    about: 'waits before the three retries of an item that failed',
    otherwise: '30s,2m,8m',
    parse: parseBackoff
  }),
  cooldownMs: defineSetting({
    key: 'cooldown',
    variable: 'MEMCTL_COOLDOWN',
    flag: undefined,
    about: 'how long an item is left alone whose retries failed too; doubled each time it fails again, to 24h at most',
    otherwise: '1h',
    parse: values.createDurationParser({ least: '1s', most: '24h' })
  }),
  ephemeralTtlMs: defineSetting({
    key: 'ephemeral_ttl',
    variable: 'MEMCTL_EPHEMERAL_TTL',
    flag: undefined,
    about: 'how long a collection lives that an import made',
    otherwise: '1h',
    parse: values.parseDurationMs
  }),
  bodyBytesMax: defineSetting({
    key: 'body_limit',
    variable: 'MEMCTL_BODY_LIMIT',
    flag: undefined,
    about: 'the largest body of one request',
    otherwise: '64MiB',
    parse: parseBodyLimit
  }),
  keyRequestsPerMinute: defineSetting({
    key: 'rate_limit',
    variable: 'MEMCTL_RATE_LIMIT',
    flag: undefined,
    about: 'requests of one key, like 600/min or 10/s, or off',
    otherwise: '600/min',
    parse: values.parseRate
  }),
  indexBytesMax: defineSetting({
    key: 'index_memory',
    variable: 'MEMCTL_INDEX_MEMORY',
    flag: undefined,
    about: 'memory for the indexes of collections that are searched; those used last are kept',
    otherwise: '1GiB',
    parse: values.parseSize
  }),
  drainMs: defineSetting({
    key: 'drain_timeout',
    variable: 'MEMCTL_DRAIN_TIMEOUT',
    flag: undefined,
    about: 'how long requests in flight may take to end when the server is told to stop',
    otherwise: '30s',
    parse: values.parseDurationMs
  }),
  logLevel: defineSetting({
    key: 'log_level',
    variable: 'MEMCTL_LOG_LEVEL',
    flag: '--log-level',
    about: 'what is logged: error, info (each request and what changed), debug, or silent',
    otherwise: 'info',
    parse: values.createWordParser('error', 'info', 'debug', 'silent')
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

function defineSetting<Value>(it: SettingDefinition<Value>): SettingDefinition<Value> {
  return it
}

function parseAdminKey(value: string): string {
  values.refuseIf(!isKey(value), 'is no key: mk_ and 43 letters of base64url')
  return value
}

/** The retries of each failed item, which no setting changes. */
const RETRIES = 3
const parseWait = values.createDurationParser({ least: '1s', most: '24h' })

function parseBackoff(value: string): readonly number[] {
  const waits = value.split(',').map((wait) => parseWait(wait.trim()))
  values.refuseIf(waits.length !== RETRIES, `has not ${RETRIES} durations, like 30s,2m,8m`)
  return waits
}

const BODY_BYTES_MAX = 1024 * 1024 * 1024

/** A body is held in memory as a whole. */
function parseBodyLimit(value: string): number {
  const bytes = values.parseSize(value)
  values.refuseIf(bytes < 1024 || bytes > BODY_BYTES_MAX, 'is not between 1KiB and 1GiB')
  return bytes
}
