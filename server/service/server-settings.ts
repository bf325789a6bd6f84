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
    about: 'address to listen on; 127.0.0.1 allows only this machine, 0.0.0.0 allows all networks',
    otherwise: '127.0.0.1',
    parse: values.parseText
  }),
  port: defineSetting({
    key: 'port',
    variable: 'MEMCTL_SERVER_PORT',
    flag: '--port',
    about: 'port to listen on; 0 selects a free port',
    otherwise: '8787',
    parse: values.parsePort
  }),
  publicUrl: defineSetting({
    key: 'public_url',
    variable: 'MEMCTL_PUBLIC_URL',
    flag: undefined,
    about: 'public address of the server, used in callbacks and links; default: from host and port',
    otherwise: undefined,
    parse: values.parsePublicUrl
  }),
  adminKey: defineSetting({
    key: 'admin_key',
    variable: 'MEMCTL_ADMIN_KEY',
    flag: undefined,
    about:
      'first admin key, for CI and containers: mk_ and 32 random bytes in base64url; generated at the first start if unset',
    otherwise: undefined,
    mask: () => '[secret]',
    parse: parseAdminKey
  }),
  dataDir: defineSetting({
    key: 'data_dir',
    variable: 'MEMCTL_DATA_DIR',
    flag: '--data-dir',
    about: "folder for the server's files, used by one server at a time; default: the user's data folder",
    otherwise: undefined,
    parse: values.parsePath
  }),
  databaseUrl: defineSetting({
    key: 'database_url',
    variable: 'MEMCTL_DATABASE_URL',
    flag: '--database-url',
    about: 'PostgreSQL database, as postgres://…, instead of a file in the data folder; several servers can share it',
    otherwise: undefined,
    mask: values.maskPassword,
    parse: values.parseDatabaseUrl
  }),
  databaseConnections: defineSetting({
    key: 'database_connections',
    variable: 'MEMCTL_DATABASE_CONNECTIONS',
    flag: undefined,
    about: 'maximum number of connections from one server to PostgreSQL',
    otherwise: '10',
    parse: values.createCountParser({ least: 1, most: 1000 })
  }),
  providers: defineSetting({
    key: 'providers',
    variable: 'MEMCTL_PROVIDERS',
    flag: undefined,
    about:
      'enabled providers: a list such as cloud_drive,notes, of the sandbox if none of them has a client; or sandbox for all of the sandbox; default: the providers with a client, otherwise sandbox',
    otherwise: undefined,
    parse: parseProviderList
  }),
  ...PROVIDER_SETTINGS,
  folderIdPattern: defineSetting({
    key: 'cloud_drive.folder_id_pattern',
    variable: 'MEMCTL_CLOUD_DRIVE_FOLDER_ID_PATTERN',
    flag: undefined,
    about:
      'allowed characters of folder ids: interface (letters and digits) or drive (also - and _); default: drive for the real service',
    otherwise: undefined,
    parse: values.createWordParser('interface', 'drive')
  }),
  stateTtlMs: defineSetting({
    key: 'state_ttl',
    variable: 'MEMCTL_STATE_TTL',
    flag: undefined,
    about: 'time in which a user must consent',
    otherwise: '10m',
    // The address of a consent is valid for this long.
    parse: values.createDurationParser({ least: '1s', most: '24h' })
  }),
  tokenMarginMs: defineSetting({
    key: 'token_margin',
    variable: 'MEMCTL_TOKEN_MARGIN',
    flag: undefined,
    about: 'how long before its expiry an access token is refreshed',
    otherwise: '5m',
    parse: values.parseDurationMs
  }),
  connectConfirm: defineSetting({
    key: 'connect_confirm',
    variable: 'MEMCTL_CONNECT_CONFIRM',
    flag: undefined,
    about:
      'whether users must confirm a new connection: always, never, or auto (unless host and public_url show that only this machine reaches the server)',
    otherwise: 'auto',
    parse: values.createWordParser('auto', 'always', 'never')
  }),
  secretKeyFile: defineSetting({
    key: 'secret_key_file',
    variable: 'MEMCTL_SECRET_KEY_FILE',
    flag: undefined,
    about: 'file with the keys that encrypt stored credentials; default: server.key in the data folder',
    otherwise: undefined,
    parse: values.parsePath
  }),
  syncIntervalMs: defineSetting({
    key: 'sync_interval',
    variable: 'MEMCTL_SYNC_INTERVAL',
    flag: undefined,
    about: 'time between two automatic syncs of an active connection',
    otherwise: '4h',
    parse: values.createDurationParser({ least: '1s', most: '24d' })
  }),
  syncLeaseMs: defineSetting({
    key: 'sync_lease',
    variable: 'MEMCTL_SYNC_LEASE',
    flag: undefined,
    about: 'time after which another server takes over the syncs of a lost server',
    otherwise: '60s',
    parse: values.createDurationParser({ least: '1s', most: '1h' })
  }),
  syncWorkers: defineSetting({
    key: 'sync_workers',
    variable: 'MEMCTL_SYNC_WORKERS',
    flag: undefined,
    about: 'maximum number of connections that one server syncs at the same time',
    otherwise: '4',
    parse: values.createCountParser({ least: 1, most: 64 })
  }),
  retryBackoffMs: defineSetting({
    key: 'retry_backoff',
    variable: 'MEMCTL_RETRY_BACKOFF',
    flag: undefined,
    about: 'waits before the three retries of a failed item',
    otherwise: '30s,2m,8m',
    parse: parseBackoff
  }),
  cooldownMs: defineSetting({
    key: 'cooldown',
    variable: 'MEMCTL_COOLDOWN',
    flag: undefined,
    about: 'cooldown of an item whose retries failed; doubles with each further failure, up to 24h',
    otherwise: '1h',
    parse: values.createDurationParser({ least: '1s', most: '24h' })
  }),
  attachmentBytesMax: defineSetting({
    key: 'sync_attachments',
    variable: 'MEMCTL_SYNC_ATTACHMENTS',
    flag: undefined,
    about: 'largest attachment of a mail that is read, or off',
    otherwise: '25MiB',
    parse: values.parseSizeOrOff
  }),
  comments: defineSetting({
    key: 'sync_comments',
    variable: 'MEMCTL_SYNC_COMMENTS',
    flag: undefined,
    about: 'whether comments on documents and pages are read: on, off, or all, with those on blocks of Notion pages',
    otherwise: 'on',
    parse: values.createWordParser('on', 'off', 'all')
  }),
  ephemeralTtlMs: defineSetting({
    key: 'ephemeral_ttl',
    variable: 'MEMCTL_EPHEMERAL_TTL',
    flag: undefined,
    about: 'lifetime of a collection created by an import',
    otherwise: '1h',
    parse: values.parseDurationMs
  }),
  bodyBytesMax: defineSetting({
    key: 'body_limit',
    variable: 'MEMCTL_BODY_LIMIT',
    flag: undefined,
    about: 'maximum size of a request body',
    otherwise: '64MiB',
    parse: parseBodyLimit
  }),
  keyRequestsPerMinute: defineSetting({
    key: 'rate_limit',
    variable: 'MEMCTL_RATE_LIMIT',
    flag: undefined,
    about: 'request limit of one key, such as 600/min or 10/s, or off',
    otherwise: '600/min',
    parse: values.parseRate
  }),
  indexBytesMax: defineSetting({
    key: 'index_memory',
    variable: 'MEMCTL_INDEX_MEMORY',
    flag: undefined,
    about: 'memory for the indexes of searched collections; the most recently used ones are kept',
    otherwise: '1GiB',
    parse: values.parseSize
  }),
  drainMs: defineSetting({
    key: 'drain_timeout',
    variable: 'MEMCTL_DRAIN_TIMEOUT',
    flag: undefined,
    about: 'time that requests in flight have to finish when the server stops',
    otherwise: '30s',
    parse: values.parseDurationMs
  }),
  logLevel: defineSetting({
    key: 'log_level',
    variable: 'MEMCTL_LOG_LEVEL',
    flag: '--log-level',
    about: 'log level: error, info (requests and changes), debug, or silent',
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
  values.refuseIf(!isKey(value), 'expected mk_ and 43 base64url characters')
  return value
}

/** The retries of each failed item, which no setting changes. */
const RETRIES = 3
const parseWait = values.createDurationParser({ least: '1s', most: '24h' })

function parseBackoff(value: string): readonly number[] {
  const waits = value.split(',').map((wait) => parseWait(wait.trim()))
  values.refuseIf(waits.length !== RETRIES, `expected ${RETRIES} durations, such as 30s,2m,8m`)
  return waits
}

const BODY_BYTES_MAX = 1024 * 1024 * 1024

/** A body is held in memory as a whole. */
function parseBodyLimit(value: string): number {
  const bytes = values.parseSize(value)
  values.refuseIf(bytes < 1024 || bytes > BODY_BYTES_MAX, 'expected a size from 1KiB to 1GiB')
  return bytes
}
