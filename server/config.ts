import fs from 'node:fs'
import { isIP } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

/** The version in package.json. */
export const appVersion = '0.1.0'

/** The settings of the environment, read once at start. */
export interface Config {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | null
  clickhouseUrl: string | null
  clickhouseCluster: { name: string; isSharded: boolean } | null
  /** Where files that all servers share are stored: `file:///…` or `s3://…`. */
  blobUrl: string
  demo: boolean
  /** Public origin of the server without a trailing slash, for links in mail and redirects of sign-ins. */
  publicUrl: string
  /** 64 hexadecimal digits; if null, a key is created and stored in the data directory. */
  secretKey: string | null
  smtpUrl: string | null
  mailFrom: string
  smsUrl: string | null
  /** Whether feeds, webhooks and sign-in providers may be reached at private addresses. */
  privateAddresses: boolean
  /** Addresses and networks of proxies; only their X-Forwarded headers are trusted. */
  trustedProxies: string[]
  /** Path of a file of vector tiles that are drawn below all maps. */
  basemapPmtiles: string | null
  /** MapLibre style drawn below all maps, `{scheme}` for light or dark; null with `basemapPmtiles`. */
  basemapStyleUrl: string | null
  /** A separate port for `/metrics`; null: it is served on the server's port and requires `metricsToken`. */
  metricsPort: number | null
  /** Bearer token for `/metrics` and for the details of `/readyz`. */
  metricsToken: string | null
  /** Base URL of an OTLP/HTTP collector that receives traces; null for no traces. */
  otlpUrl: string | null
  /** Seconds for which a stopping server still serves calls while `/readyz` fails. */
  drainSeconds: number
  /** Whether all requests are logged, not only those that failed on the server. */
  logRequests: boolean
  backups: BackupConfig
  /** Whether a backup is made before migrations change data. */
  backupBeforeUpgrade: boolean
  /** The longest validity of an API key, in days. */
  apiKeyMaxDays: number
  /** Whether the pages under /dev are served. */
  development: boolean
}

/** Settings of backups. */
export interface BackupConfig {
  /** SQL of the target of a ClickHouse server's backups, with `{name}`; null for no backups of facts. */
  factsTarget: string | null
  /** URL of the blob store to which finished backups are copied; null for no copies. */
  copyUrl: string | null
  directory: string
  /** The machine's local hour at which the daily backup is due; null for no backups. */
  hour: number | null
  /** Minutes between incremental backups; null for none. */
  incrementMinutes: number | null
  /** Passphrase that encrypts backups; null for unencrypted backups. */
  passphrase: string | null
}

/** Descriptions of all settings by name. docs/settings.md repeats them. */
export const settings = {
  PORT: 'port to listen on, 1 to 65535 (4870)',
  HOST: 'address to listen on (127.0.0.1)',
  DATA_DIR: 'folder of the embedded stores and received files (./data)',
  DATABASE_URL: 'postgres://… : keep state in a PostgreSQL server instead',
  CLICKHOUSE_URL: 'http://… : keep facts in a ClickHouse server instead',
  CLICKHOUSE_CLUSTER:
    'name of the cluster of CLICKHOUSE_URL: tables are replicated; NAME:sharded also spreads regions over its shards (none)',
  BLOB_URL:
    'file:///folder or s3://key:secret@host/bucket : where uploads, raw input, exports and logos are (DATA_DIR)',
  DEMO: 'off: do not make the demo city on first run',
  PUBLIC_URL: 'https://… : where browsers reach the server (http://HOST:PORT)',
  SECRET_KEY:
    '64 hexadecimal digits that secrets at rest are encrypted with (made once, kept in DATA_DIR/secret.key)',
  SMTP_URL: 'smtps://user:password@host : sends mail; without it mail is written to the log',
  MAIL_FROM: 'the sender of mail (Publicway <publicway@localhost>)',
  SMS_URL:
    'https://account:token@host/path?from=+1… : a Twilio-compatible service for text messages; without it they are written to the log',
  TRUSTED_PROXIES:
    'loopback, 10.0.0.0/8, … : proxies in front of the server with a trusted X-Forwarded-For header (none)',
  BASEMAP_PMTILES:
    '/path/city.pmtiles : vector tiles that are drawn under all maps (the regions’ own layers)',
  BASEMAP_STYLE_URL:
    'https://… : a MapLibre style that is drawn below all maps; {scheme} is replaced by light or dark',
  METRICS_PORT: 'port of /metrics alone, on HOST (none: on PORT, with METRICS_TOKEN)',
  METRICS_TOKEN: 'bearer token of /metrics and of the details of /readyz, at least 16 characters (none)',
  OTLP_URL: 'http://127.0.0.1:4318 : an OTLP/HTTP collector that receives traces (none)',
  DRAIN_SECONDS: 'seconds between the signal to stop and the end of service, 0 to 300 (0)',
  LOG_REQUESTS: 'on: logs every request by route, not only those that failed (off)',
  BACKUP_DIR: 'folder of backups (DATA_DIR/backups)',
  BACKUP_HOUR: 'hour of the day at which a backup is made, 0 to 23, or off (off)',
  BACKUP_INCREMENT_MINUTES:
    'minutes, 5 to 1440, after which what is new since the last full backup is backed up, or off (off)',
  BACKUP_BEFORE_UPGRADE: 'off: no backup before a new version changes the data (on)',
  BACKUP_COPY_URL: 'file:///folder or s3://key:secret@host/bucket : where finished backups are copied (none)',
  CLICKHOUSE_BACKUP_TO:
    "File('/path/{name}.tar.gz') or S3('https://host/bucket/{name}', 'key', 'secret') : where the ClickHouse server writes backups (none)",
  BACKUP_PASSPHRASE: 'encrypts backups, at least 16 characters (none)',
  API_KEY_MAX_DAYS: 'days that an API key may be valid at most, 1 to 3650 (730)',
  PRIVATE_ADDRESSES: 'on: feeds, webhooks and sign-in providers may be reached at private addresses (off)',
} as const

/** Settings that contain secrets. Instead of each, `NAME_FILE` may name a file with its value. */
export const secretSettings = [
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'BLOB_URL',
  'SECRET_KEY',
  'SMTP_URL',
  'SMS_URL',
  'METRICS_TOKEN',
  'BACKUP_PASSPHRASE',
  'BACKUP_COPY_URL',
  'CLICKHOUSE_BACKUP_TO',
] as const

const fileSettings: readonly string[] = secretSettings.map((name) => `${name}_FILE`)

/** Settings are unknown or invalid. The message has one line per problem. */
export class SettingError extends Error {
  override name = 'SettingError'
}

type Environment = Record<string, string | undefined>

/** Settings of commands that call a server. They may be in the same environment. */
const commandSettings = ['PUBLICWAY_EMAIL', 'PUBLICWAY_PASSWORD', 'PUBLICWAY_TOKEN']
const namePrefixes = /^(PUBLICWAY|DATABASE|CLICKHOUSE|BLOB|DEMO|DATA|SMTP|SMS|BASEMAP|METRICS|BACKUP)(_|$)/

/**
 * Returns whether a name looks like a misspelled setting. Short settings resemble variables of other
 * programs, so for them only a doubled letter counts (PORTT).
 */
const isMisspelled = (name: string, known: string): boolean =>
  known.length > 5 ? differsByOne(name, known) : name !== known && name.replace(/(.)\1/, '$1') === known

/** Finds variables that look like settings: they have the prefix of one, or differ from one by a letter. */
export function findUnknownSettings(environment: Environment): string[] {
  const knownNames = [...Object.keys(settings), ...fileSettings, ...commandSettings]
  return Object.keys(environment).filter(
    (name) =>
      environment[name] !== undefined &&
      !knownNames.includes(name) &&
      (namePrefixes.test(name) ||
        knownNames.includes(name.replace(/_FILE$/, '')) ||
        knownNames.some((setting) => isMisspelled(name, setting))),
  )
}

/** Returns whether one letter was changed, added or removed. */
function differsByOne(left: string, right: string): boolean {
  if (Math.abs(left.length - right.length) > 1) return false
  let start = 0
  while (start < left.length && left[start] === right[start]) start++
  const leftEnd = left.slice(start)
  const rightEnd = right.slice(start)
  return (
    leftEnd.slice(1) === rightEnd || leftEnd === rightEnd.slice(1) || leftEnd.slice(1) === rightEnd.slice(1)
  )
}

/** Reads a URL; null if it is not set. `form`: what follows the protocol, for the message of an error. */
function readUrl(
  name: string,
  text: string | undefined,
  protocols: string[],
  form = 'user:password@host:port/name',
): string | null {
  if (!text) return null
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new SettingError(`${name} must look like ${protocols[0]}//${form}`)
  return text
}

/** Reads the settings, with those that `NAME_FILE` names read from their files. */
function readSecretFiles(environment: Environment, attempt: Attempt): Environment {
  const values = { ...environment }
  for (const name of secretSettings)
    attempt(() => {
      const file = environment[`${name}_FILE`]
      if (!file) return
      if (environment[name]) throw new SettingError(`${name} and ${name}_FILE are both set: one is read.`)
      try {
        values[name] = fs.readFileSync(file, 'utf8').trim()
      } catch (error) {
        throw new SettingError(
          `${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}.`,
        )
      }
      if (!values[name]) throw new SettingError(`${name}_FILE names an empty file.`)
    }, undefined)
  return values
}

/** Reads a setting. If it is invalid, records the problem, as all are reported at once, and falls back. */
type Attempt = <Result>(read: () => Result, fallback: Result) => Result

/** Reads and validates the settings. @throws SettingError with all problems, which name their settings. */
export function readConfig(variables: Environment): Config {
  const problems: string[] = []
  const attempt: Attempt = (read, fallback) => {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof SettingError)) throw error
      problems.push(error.message)
      return fallback
    }
  }
  const unknownNames = findUnknownSettings(variables)
  if (unknownNames.length)
    problems.push(`Unknown setting ${unknownNames.join(', ')}. Known: ${Object.keys(settings).join(', ')}.`)
  const environment = readSecretFiles(variables, attempt)
  const port = attempt(() => readInteger('PORT', environment['PORT'], 1, 65535), null) ?? 4870
  const host = environment['HOST'] || '127.0.0.1'
  if (!/^[A-Za-z0-9.:_-]+$/.test(host))
    problems.push(`HOST must be a host name or an address, not '${host}'.`)
  const secretKey = environment['SECRET_KEY'] || null
  if (secretKey && !/^[0-9a-f]{64}$/i.test(secretKey))
    problems.push('SECRET_KEY must be 64 hexadecimal digits.')
  const readUrlSetting = (
    name: (typeof secretSettings)[number] | 'PUBLIC_URL' | 'OTLP_URL',
    protocols: string[],
    form?: string,
  ) => attempt(() => readUrl(name, environment[name], protocols, form), null)
  const publicUrl = readUrlSetting('PUBLIC_URL', ['https:', 'http:'], 'host')
  if (publicUrl && (new URL(publicUrl).pathname !== '/' || new URL(publicUrl).search))
    problems.push('PUBLIC_URL must have no path.')
  const isOn = (name: keyof typeof settings, defaultValue: boolean): boolean =>
    attempt(() => readSwitch(name, environment[name], defaultValue), defaultValue)
  const dataDir = path.resolve(environment['DATA_DIR'] || './data')
  const config: Config = {
    port,
    host,
    dataDir,
    databaseUrl: readUrlSetting('DATABASE_URL', ['postgres:', 'postgresql:']),
    clickhouseUrl: readUrlSetting('CLICKHOUSE_URL', ['http:', 'https:']),
    clickhouseCluster: attempt(() => readCluster(environment['CLICKHOUSE_CLUSTER']), null),
    blobUrl:
      attempt(() => readBlobUrl('BLOB_URL', environment['BLOB_URL']), null) ?? pathToFileURL(dataDir).href,
    demo: isOn('DEMO', true),
    publicUrl: publicUrl ? new URL(publicUrl).origin : formatLocalUrl(host, port),
    secretKey,
    smtpUrl: readUrlSetting('SMTP_URL', ['smtps:', 'smtp:'], 'user:password@host:port'),
    mailFrom: environment['MAIL_FROM'] || 'Publicway <publicway@localhost>',
    smsUrl: readUrlSetting('SMS_URL', ['https:', 'http:'], 'account:token@host/path?from=+15550100'),
    privateAddresses: isOn('PRIVATE_ADDRESSES', false),
    trustedProxies: attempt(() => readProxies(environment['TRUSTED_PROXIES']), []),
    ...attempt(() => readBasemap(environment), { basemapPmtiles: null, basemapStyleUrl: null }),
    metricsPort: attempt(() => readInteger('METRICS_PORT', environment['METRICS_PORT'], 1, 65535), null),
    metricsToken: attempt(() => readLongSecret('METRICS_TOKEN', environment['METRICS_TOKEN']), null),
    otlpUrl: readUrlSetting('OTLP_URL', ['http:', 'https:'], 'host:4318'),
    drainSeconds:
      attempt(() => readInteger('DRAIN_SECONDS', environment['DRAIN_SECONDS'], 0, 300), null) ?? 0,
    logRequests: isOn('LOG_REQUESTS', false),
    backups: attempt(() => readBackups(environment, dataDir), noBackups),
    backupBeforeUpgrade: isOn('BACKUP_BEFORE_UPGRADE', true),
    apiKeyMaxDays:
      attempt(() => readInteger('API_KEY_MAX_DAYS', environment['API_KEY_MAX_DAYS'], 1, 3650), null) ?? 730,
    development: environment['NODE_ENV'] === 'development',
  }
  if (problems.length) throw new SettingError(problems.join('\n'))
  return config
}

function formatLocalUrl(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function readInteger(name: string, text: string | undefined, min: number, max: number): number | null {
  if (!text) return null
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new SettingError(`${name} must be a whole number from ${min} to ${max}, not '${text}'.`)
  return value
}

function readFactsTarget(text: string | undefined): string | null {
  if (text && (!/^(File|Disk|S3|AzureBlobStorage)\(.+\)$/.test(text) || !text.includes('{name}')))
    throw new SettingError(
      "CLICKHOUSE_BACKUP_TO must be a target of BACKUP with {name}, such as File('/backups/{name}.tar.gz').",
    )
  return text || null
}

function readCluster(text: string | undefined): Config['clickhouseCluster'] {
  if (!text) return null
  const [, name = '', sharded] = /^(\w+)(:sharded)?$/.exec(text) ?? []
  if (!name) throw new SettingError('CLICKHOUSE_CLUSTER must be a name, or a name and :sharded.')
  return { name, isSharded: sharded !== undefined }
}

/** Checks only the form: the options of an S3 URL are checked when the store is opened. */
function readBlobUrl(name: string, text: string | undefined): string | null {
  const url = text && URL.canParse(text) ? new URL(text) : null
  const isBucket = url?.protocol === 's3:' && url.username && url.password && url.pathname.length > 1
  const isFolder = url?.protocol === 'file:' && url.host === ''
  if (text && !isBucket && !isFolder)
    throw new SettingError(`${name} must look like file:///folder or s3://key:secret@host:port/bucket`)
  return text || null
}

function readLongSecret(name: string, text: string | undefined): string | null {
  if (text && text.length < minSecretLength)
    throw new SettingError(`${name} must have at least ${minSecretLength} characters.`)
  return text || null
}

const minSecretLength = 16

const noBackups: BackupConfig = {
  directory: '',
  hour: null,
  incrementMinutes: null,
  passphrase: null,
  factsTarget: null,
  copyUrl: null,
}

const readBackups = (environment: Environment, dataDir: string): BackupConfig => ({
  directory: environment['BACKUP_DIR']
    ? path.resolve(environment['BACKUP_DIR'])
    : path.join(dataDir, 'backups'),
  hour:
    environment['BACKUP_HOUR'] === 'off'
      ? null
      : readInteger('BACKUP_HOUR', environment['BACKUP_HOUR'], 0, 23),
  incrementMinutes:
    environment['BACKUP_INCREMENT_MINUTES'] === 'off'
      ? null
      : readInteger('BACKUP_INCREMENT_MINUTES', environment['BACKUP_INCREMENT_MINUTES'], 5, 1440),
  passphrase: readLongSecret('BACKUP_PASSPHRASE', environment['BACKUP_PASSPHRASE']),
  factsTarget: readFactsTarget(environment['CLICKHOUSE_BACKUP_TO']),
  copyUrl: readBlobUrl('BACKUP_COPY_URL', environment['BACKUP_COPY_URL']),
})

function readBasemap({
  BASEMAP_PMTILES: file,
  BASEMAP_STYLE_URL: url,
}: Environment): Pick<Config, 'basemapPmtiles' | 'basemapStyleUrl'> {
  if (file && url)
    throw new SettingError('BASEMAP_PMTILES and BASEMAP_STYLE_URL are both set: one basemap is drawn.')
  if (url && /[\s;,'"]/.test(url))
    throw new SettingError(
      'BASEMAP_STYLE_URL must be an address without spaces, quotes, commas and semicolons.',
    )
  const styleUrl = readUrl('BASEMAP_STYLE_URL', url, ['https:', 'http:'], 'host/style.json')
  const { username, password, host } = styleUrl ? new URL(styleUrl) : { username: '', password: '', host: '' }
  // The URL is sent to every browser.
  if (username || password || !/^[a-z0-9.:[\]-]*$/i.test(host))
    throw new SettingError('BASEMAP_STYLE_URL must name a plain host, without user and password.')
  return { basemapPmtiles: file ? path.resolve(file) : null, basemapStyleUrl: styleUrl }
}

function readProxies(text: string | undefined): string[] {
  const proxies = (text ?? '').split(/[\s,]+/).filter(Boolean)
  for (const range of proxies) {
    const [address = '', bits, furtherText] = range.split('/')
    const maxBits = isIP(address) === 4 ? 32 : 128
    const isNetwork =
      isIP(address) &&
      furtherText === undefined &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
    if (range !== 'loopback' && !isNetwork)
      throw new SettingError(
        `TRUSTED_PROXIES must contain addresses or networks like 10.0.0.0/8, or loopback, not '${range}'.`,
      )
  }
  return proxies
}

function readSwitch(name: string, text: string | undefined, defaultValue: boolean): boolean {
  if (!['', 'on', 'off', undefined].includes(text))
    throw new SettingError(`${name} is on or off, not '${text}'.`)
  return text ? text === 'on' : defaultValue
}

/** Returns the settings of this process. No other code reads the environment. */
export const readProcessConfig = (): Config => readConfig(process.env)

/** Returns the settings that are set without secrets: of secret URLs, only protocol, host and path remain. */
export function redactSettings(environment: Environment): Record<string, string> {
  const shownSettings: Record<string, string> = {}
  const secrets: readonly string[] = secretSettings
  for (const name of [...Object.keys(settings), ...fileSettings]) {
    const value = environment[name]
    if (!value) continue
    if (!secrets.includes(name)) shownSettings[name] = value
    else if (!URL.canParse(value)) shownSettings[name] = '…'
    else {
      const { protocol, host, pathname } = new URL(value)
      shownSettings[name] = `${protocol}//${host}${pathname === '/' ? '' : pathname}`
    }
  }
  return shownSettings
}
