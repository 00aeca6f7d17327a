import { isIP } from 'node:net'
import path from 'node:path'

/** The settings of the environment, read once at start. */
export interface Config {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | null
  clickhouseUrl: string | null
  demo: boolean
  /**
   * Public origin of the server, without a trailing slash: for links in mail and redirects from sign-in
   * providers.
   */
  publicUrl: string
  /** 64 hexadecimal digits; null: a key is created and stored in the data directory. */
  secretKey: string | null
  smtpUrl: string | null
  mailFrom: string
  smsUrl: string | null
  /** Whether feeds, webhooks and sign-in providers may be reached at private addresses. */
  privateAddresses: boolean
  /** Addresses and networks of proxies; only their X-Forwarded headers are trusted. */
  trustedProxies: string[]
  /** A file of vector tiles that is drawn below all maps. */
  basemapPmtiles: string | null
  /**
   * URL of a MapLibre style that is drawn below all maps, with `{scheme}` for light or dark. At most one of
   * the two is set.
   */
  basemapStyleUrl: string | null
  /** Serves the pages under /dev. */
  development: boolean
}

/** Descriptions by name; the README lists the same. */
export const settings = {
  PORT: 'port to listen on, 1 to 65535 (4870)',
  HOST: 'address to listen on (127.0.0.1)',
  DATA_DIR: 'folder of the embedded stores and received files (./data)',
  DATABASE_URL: 'postgres://… : keep state in a PostgreSQL server instead',
  CLICKHOUSE_URL: 'http://… : keep facts in a ClickHouse server instead',
  DEMO: 'off: do not make the demo city on first run',
  PUBLIC_URL: 'https://… : where browsers reach the server (http://HOST:PORT)',
  SECRET_KEY:
    '64 hexadecimal digits that secrets at rest are encrypted with (made once, kept in DATA_DIR/secret.key)',
  SMTP_URL: 'smtps://user:password@host : sends mail; without it mail is written to the log',
  MAIL_FROM: 'the sender of mail (Publicway <publicway@localhost>)',
  SMS_URL:
    'https://account:token@host/path?from=+1… : a Twilio-compatible service for text messages; without it they are written to the log',
  TRUSTED_PROXIES:
    'loopback, 10.0.0.0/8, … : proxies before the server, whose X-Forwarded-For is believed (none)',
  BASEMAP_PMTILES:
    '/path/city.pmtiles : vector tiles that are drawn under all maps (the regions’ own layers)',
  BASEMAP_STYLE_URL:
    'https://… : a MapLibre style that is drawn under all maps; {scheme} in it stands for light or dark',
  PRIVATE_ADDRESSES: 'on: feeds, webhooks and sign-in providers may be reached at private addresses (off)',
} as const

/** An unknown or invalid setting. The message is one line, and the server does not start. */
export class SettingError extends Error {
  override name = 'SettingError'
}

type Environment = Record<string, string | undefined>

const namePrefixes = /^(PUBLICWAY|DATABASE|CLICKHOUSE|DEMO|DATA|SMTP|SMS|BASEMAP)(_|$)/

/**
 * Whether a name looks like a misspelled setting. Variables of other programs may resemble short names, of
 * which only a doubled letter counts (PORTT).
 */
const isMisspelled = (name: string, known: string): boolean =>
  known.length > 5 ? differsByOne(name, known) : name !== known && name.replace(/(.)\1/, '$1') === known

/**
 * Variables that are no settings but look like one: a prefix of the settings, or a name with one letter
 * changed.
 */
export function unknownSettings(environment: Environment): string[] {
  const known = Object.keys(settings)
  return Object.keys(environment).filter(
    (name) =>
      environment[name] !== undefined &&
      !known.includes(name) &&
      (namePrefixes.test(name) || known.some((each) => isMisspelled(name, each))),
  )
}

function differsByOne(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const [restA, restB] = [a.slice(start), b.slice(start)]
  return restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)
}

function urlOf(
  name: string,
  text: string | undefined,
  protocols: string[],
  form = 'user:password@host:port/name',
): string | null {
  if (!text) return null
  const shape = `${name} must look like ${protocols[0]}//${form}`
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) throw new SettingError(shape)
  return text
}

/** Reads and validates the settings. Throws SettingError with a message that names the setting. */
export function readConfig(environment: Environment): Config {
  const unknown = unknownSettings(environment)
  if (unknown.length)
    throw new SettingError(
      `Unknown setting ${unknown.join(', ')}. Known: ${Object.keys(settings).join(', ')}.`,
    )
  const port = environment['PORT'] ? Number(environment['PORT']) : 4870
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new SettingError(`PORT must be a whole number from 1 to 65535, not '${environment['PORT']}'.`)
  const host = environment['HOST'] || '127.0.0.1'
  if (!/^[A-Za-z0-9.:_-]+$/.test(host))
    throw new SettingError(`HOST must be a host name or an address, not '${host}'.`)
  const secretKey = environment['SECRET_KEY'] || null
  if (secretKey && !/^[0-9a-f]{64}$/i.test(secretKey))
    throw new SettingError('SECRET_KEY must be 64 hexadecimal digits.')
  const publicUrl = urlOf('PUBLIC_URL', environment['PUBLIC_URL'], ['https:', 'http:'], 'host')
  if (publicUrl && (new URL(publicUrl).pathname !== '/' || new URL(publicUrl).search))
    throw new SettingError('PUBLIC_URL must have no path.')
  return {
    port,
    host,
    dataDir: path.resolve(environment['DATA_DIR'] || './data'),
    databaseUrl: urlOf('DATABASE_URL', environment['DATABASE_URL'], ['postgres:', 'postgresql:']),
    clickhouseUrl: urlOf('CLICKHOUSE_URL', environment['CLICKHOUSE_URL'], ['http:', 'https:']),
    demo: switchOf('DEMO', environment['DEMO'], true),
    publicUrl: publicUrl
      ? new URL(publicUrl).origin
      : `http://${['0.0.0.0', '::'].includes(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`,
    secretKey,
    smtpUrl: urlOf('SMTP_URL', environment['SMTP_URL'], ['smtps:', 'smtp:'], 'user:password@host:port'),
    mailFrom: environment['MAIL_FROM'] || 'Publicway <publicway@localhost>',
    smsUrl: urlOf(
      'SMS_URL',
      environment['SMS_URL'],
      ['https:', 'http:'],
      'account:token@host/path?from=+15550100',
    ),
    privateAddresses: switchOf('PRIVATE_ADDRESSES', environment['PRIVATE_ADDRESSES'], false),
    trustedProxies: proxiesOf(environment['TRUSTED_PROXIES']),
    ...basemapOf(environment),
    development: environment['NODE_ENV'] === 'development',
  }
}

function basemapOf({
  BASEMAP_PMTILES: file,
  BASEMAP_STYLE_URL: url,
}: Environment): Pick<Config, 'basemapPmtiles' | 'basemapStyleUrl'> {
  if (file && url)
    throw new SettingError('BASEMAP_PMTILES and BASEMAP_STYLE_URL are both set: one basemap is drawn.')
  if (url && /[\s;,'"]/.test(url))
    throw new SettingError(
      'BASEMAP_STYLE_URL must be an address without spaces, quotes, commas and semicolons.',
    )
  const styleUrl = urlOf('BASEMAP_STYLE_URL', url, ['https:', 'http:'], 'host/style.json')
  const { username, password, host } = styleUrl ? new URL(styleUrl) : { username: '', password: '', host: '' }
  // The URL is sent to every browser.
  if (username || password || !/^[a-z0-9.:[\]-]*$/i.test(host))
    throw new SettingError('BASEMAP_STYLE_URL must name a plain host, without user and password.')
  return { basemapPmtiles: file ? path.resolve(file) : null, basemapStyleUrl: styleUrl }
}

function proxiesOf(text: string | undefined): string[] {
  const proxies = (text ?? '').split(/[\s,]+/).filter(Boolean)
  for (const each of proxies) {
    const [address = '', bits, more] = each.split('/')
    const maxBits = isIP(address) === 4 ? 32 : 128
    const isNetwork =
      isIP(address) &&
      more === undefined &&
      (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
    if (each !== 'loopback' && !isNetwork)
      throw new SettingError(
        `TRUSTED_PROXIES must hold addresses or networks like 10.0.0.0/8, or loopback, not '${each}'.`,
      )
  }
  return proxies
}

function switchOf(name: string, text: string | undefined, defaultValue: boolean): boolean {
  if (!['', 'on', 'off', undefined].includes(text))
    throw new SettingError(`${name} is on or off, not '${text}'.`)
  return text ? text === 'on' : defaultValue
}

/** The settings of this process. No other code reads the environment. */
export const configOfProcess = (): Config => readConfig(process.env)
