import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it, test } from 'vitest'
import {
  appVersion,
  readConfig,
  redactSettings,
  SettingError,
  settings,
  findUnknownSettings,
} from './config.ts'

describe('readConfig', () => {
  it('has defaults', () => {
    expect(readConfig({})).toMatchObject({
      port: 4870,
      host: '127.0.0.1',
      dataDir: path.resolve('data'),
      databaseUrl: null,
      clickhouseUrl: null,
      demo: true,
    })
  })

  it('reads each setting', () => {
    const environment = {
      PORT: '80',
      HOST: '::',
      DATA_DIR: '/srv/x',
      DATABASE_URL: 'postgres://u:p@h:5432/n',
      CLICKHOUSE_URL: 'https://h:8443',
      DEMO: 'off',
      PATH: '/bin',
      EDITOR: 'vi',
    }
    expect(readConfig(environment)).toMatchObject({
      port: 80,
      host: '::',
      dataDir: '/srv/x',
      databaseUrl: environment.DATABASE_URL,
      clickhouseUrl: environment.CLICKHOUSE_URL,
      demo: false,
    })
  })

  it('treats empty settings as absent', () => {
    expect(
      readConfig({ PORT: '', HOST: '', DATA_DIR: '', DATABASE_URL: '', CLICKHOUSE_URL: '', DEMO: '' }),
    ).toEqual(readConfig({}))
  })

  it('determines the public URL', () => {
    const publicUrlOf = (environment: Record<string, string>): string => readConfig(environment).publicUrl
    expect([
      publicUrlOf({}),
      publicUrlOf({ HOST: '0.0.0.0', PORT: '80' }),
      publicUrlOf({ HOST: '::1' }),
      publicUrlOf({ PUBLIC_URL: 'https://streets.example/' }),
      publicUrlOf({ PUBLIC_URL: 'http://streets.example:8080' }),
    ]).toEqual([
      'http://127.0.0.1:4870',
      'http://localhost:80',
      'http://[::1]:4870',
      'https://streets.example',
      'http://streets.example:8080',
    ])
  })

  it('trusts only the proxies that are named', () => {
    expect(readConfig({}).trustedProxies).toEqual([])
    expect(readConfig({ TRUSTED_PROXIES: 'loopback, 10.0.0.0/8 2001:db8::/32,::1' }).trustedProxies).toEqual([
      'loopback',
      '10.0.0.0/8',
      '2001:db8::/32',
      '::1',
    ])
  })

  it('reads the settings of messages and secrets', () => {
    const key = 'aB'.repeat(32)
    expect(
      readConfig({
        SMTP_URL: 'smtps://u:p@mail.example',
        MAIL_FROM: 'City <c@x.example>',
        SMS_URL: 'https://a:t@sms.example/x?from=+15550100',
        SECRET_KEY: key,
        PRIVATE_ADDRESSES: 'on',
        NODE_ENV: 'development',
      }),
    ).toMatchObject({
      smtpUrl: 'smtps://u:p@mail.example',
      mailFrom: 'City <c@x.example>',
      smsUrl: 'https://a:t@sms.example/x?from=+15550100',
      secretKey: key,
      privateAddresses: true,
      development: true,
    })
    expect(readConfig({})).toMatchObject({
      smtpUrl: null,
      mailFrom: 'Publicway <publicway@localhost>',
      smsUrl: null,
      secretKey: null,
      privateAddresses: false,
      development: false,
    })
  })

  it('accepts one basemap: the regions’ own layers, a file or a style', () => {
    expect(readConfig({})).toMatchObject({ basemapPmtiles: null, basemapStyleUrl: null })
    expect(readConfig({ BASEMAP_PMTILES: 'maps/city.pmtiles' })).toMatchObject({
      basemapPmtiles: path.resolve('maps/city.pmtiles'),
      basemapStyleUrl: null,
    })
    expect(readConfig({ BASEMAP_STYLE_URL: 'https://maps.example/{scheme}/style.json?key=1' })).toMatchObject(
      { basemapPmtiles: null, basemapStyleUrl: 'https://maps.example/{scheme}/style.json?key=1' },
    )
    expect(() => readConfig({ BASEMAP_PMTILES: 'x', BASEMAP_STYLE_URL: 'https://maps.example' })).toThrow(
      'BASEMAP_PMTILES and BASEMAP_STYLE_URL are both set',
    )
  })

  it.each([
    ['BASEMAP_STYLE_URL', 'maps.example'],
    ['BASEMAP_STYLE_URL', 'file:///style.json'],
    ['BASEMAP_STYLE_URL', 'https://u:p@maps.example/s'],
    ['BASEMAP_STYLE_URL', "https://maps.example/x; script-src 'unsafe-inline'"],
    ['BASEMAP_STYLE_URL', 'https://{scheme}.maps.example/s'],
    ['SMTP_URL', 'mail.example'],
    ['SMTP_URL', 'https://mail.example'],
    ['SMS_URL', 'ftp://x'],
    ['PUBLIC_URL', 'streets.example'],
    ['PUBLIC_URL', 'https://streets.example/app'],
    ['SECRET_KEY', 'short'],
    ['SECRET_KEY', 'zz'.repeat(32)],
    ['PRIVATE_ADDRESSES', 'yes'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1/8/8'],
    ['TRUSTED_PROXIES', 'loopback on'],
    ['PORT', '0'],
    ['PORT', '65536'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['HOST', 'a b'],
    ['HOST', 'http://x'],
    ['DATABASE_URL', 'mysql://h/n'],
    ['DATABASE_URL', 'h:5432'],
    ['CLICKHOUSE_URL', 'clickhouse://h'],
    ['CLICKHOUSE_URL', 'localhost'],
    ['DEMO', 'yes'],
    ['DEMO', 'OFF'],
  ])('refuses %s=%s with one line that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(SettingError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`))
  })
})

describe('findUnknownSettings', () => {
  it.each([
    'DATABASE_URI',
    'DATABASEURL',
    'DATABAS_URL',
    'CLICKHOUSE_UR',
    'DATA_DIRR',
    'DAT_DIR',
    'CLICKHOUSE_HOST',
    'PUBLICWAY_PORT',
    'DEMO_CITY',
    'DATA',
    'SMTP_HOST',
    'SMS_TOKEN',
    'PUBLICURL',
    'SECRETKEY',
    'BASEMAP_PMTILE',
    'BASEMAP_URL',
  ])('finds %s', (name) => {
    expect(findUnknownSettings({ [name]: 'x' })).toEqual([name])
    expect(() => readConfig({ [name]: 'x' })).toThrow(`Unknown setting ${name}.`)
  })

  it.each([
    ...Object.keys(settings),
    'PUBLICWAY_TOKEN',
    'PATH',
    'HOME',
    'PORTS',
    'HOSTNAME',
    'NODE_ENV',
    'DEMON',
    'DATADOG_KEY',
    'POST',
  ])('ignores %s', (name) => {
    expect(findUnknownSettings({ [name]: 'x' })).toEqual([])
  })

  it('ignores unset variables', () => expect(findUnknownSettings({ DATABASE_URI: undefined })).toEqual([]))
})

describe('the documentation', () => {
  it('lists every setting', () => {
    const text = fs.readFileSync('docs/settings.md', 'utf8')
    expect(Object.keys(settings).filter((name) => !text.includes(`| \`${name}\` |`))).toEqual([])
  })

  it('has the version of the package', () => {
    const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string }
    expect(appVersion).toBe(version)
  })
})

describe('settings of secrets', () => {
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-secrets-'))
  const file = (name: string, text: string): string => {
    const full = path.join(folder, name)
    fs.writeFileSync(full, text)
    return full
  }

  it('are read from files, without the line break at the end', () => {
    const config = readConfig({
      SECRET_KEY_FILE: file('key', `${'ab'.repeat(32)}\n`),
      DATABASE_URL_FILE: file('url', 'postgres://u:p@h/n'),
      METRICS_TOKEN_FILE: file('token', 'a token of the metrics'),
    })
    expect(config).toMatchObject({
      secretKey: 'ab'.repeat(32),
      databaseUrl: 'postgres://u:p@h/n',
      metricsToken: 'a token of the metrics',
    })
  })

  it('are refused where they are given twice, empty or missing', () => {
    const text = file('key', 'ab'.repeat(32))
    expect(() => readConfig({ SECRET_KEY: 'ab'.repeat(32), SECRET_KEY_FILE: text })).toThrow('are both set')
    expect(() => readConfig({ SECRET_KEY_FILE: file('empty', '\n') })).toThrow('names an empty file')
    expect(() => readConfig({ SECRET_KEY_FILE: path.join(folder, 'none') })).toThrow('cannot be read: ENOENT')
    expect(() => readConfig({ PORT_FILE: text })).toThrow('Unknown setting PORT_FILE')
  })

  it('are hidden where settings are shown', () => {
    expect(
      redactSettings({
        PORT: '80',
        SECRET_KEY: 'ab'.repeat(32),
        DATABASE_URL: 'postgres://user:word@host:5432/name?password=word',
        PATH: '/bin',
      }),
    ).toEqual({ PORT: '80', SECRET_KEY: '…', DATABASE_URL: 'postgres://host:5432/name' })
  })
})

test('readConfig names all problems at once, one per line', () => {
  expect(() => readConfig({ PORT: 'x', DEMO: 'maybe', METRICS_TOKEN: 'short' })).toThrow(
    /^PORT must be .*\nDEMO is on or off.*\nMETRICS_TOKEN must have at least 16 characters\.$/,
  )
})
