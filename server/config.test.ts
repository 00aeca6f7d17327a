import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfig, SettingError, settings, unknownSettings } from './config.ts'

describe('readConfig', () => {
  it('has a value for everything', () => {
    expect(readConfig({})).toMatchObject({ port: 4870, host: '127.0.0.1', dataDir: path.resolve('data'), databaseUrl: null, clickhouseUrl: null, demo: true })
  })

  it('reads each setting', () => {
    const given = { PORT: '80', HOST: '::', DATA_DIR: '/srv/x', DATABASE_URL: 'postgres://u:p@h:5432/n', CLICKHOUSE_URL: 'https://h:8443', DEMO: 'off', PATH: '/bin', EDITOR: 'vi' }
    expect(readConfig(given)).toMatchObject({ port: 80, host: '::', dataDir: '/srv/x', databaseUrl: given.DATABASE_URL, clickhouseUrl: given.CLICKHOUSE_URL, demo: false })
  })

  it('takes an empty one for absent', () => {
    expect(readConfig({ PORT: '', HOST: '', DATA_DIR: '', DATABASE_URL: '', CLICKHOUSE_URL: '', DEMO: '' })).toEqual(readConfig({}))
  })

  it.each([
    ['PORT', '0'], ['PORT', '65536'], ['PORT', '80.5'], ['PORT', 'http'], ['PORT', '-1'], ['HOST', 'a b'], ['HOST', 'http://x'], ['DATABASE_URL', 'mysql://h/n'], ['DATABASE_URL', 'h:5432'],
    ['CLICKHOUSE_URL', 'clickhouse://h'], ['CLICKHOUSE_URL', 'localhost'], ['DEMO', 'yes'], ['DEMO', 'OFF'],
  ])('refuses %s=%s in a line that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(SettingError)
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} [^\n]+$`))
  })
})

describe('unknownSettings', () => {
  it.each(['DATABASE_URI', 'DATABASEURL', 'DATABAS_URL', 'CLICKHOUSE_UR', 'DATA_DIRR', 'DAT_DIR', 'CLICKHOUSE_HOST', 'PUBLICWAY_PORT', 'DEMO_CITY', 'DATA'])('finds %s', (name) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([name])
    expect(() => readConfig({ [name]: 'x' })).toThrow(`Unknown setting ${name}.`)
  })

  it.each([...Object.keys(settings), 'PATH', 'HOME', 'PORTS', 'HOSTNAME', 'NODE_ENV', 'DEMON', 'DATADOG_KEY', 'POST'])('leaves %s alone', (name) => {
    expect(unknownSettings({ [name]: 'x' })).toEqual([])
  })

  it('knows that an unset variable is none', () => expect(unknownSettings({ DATABASE_URI: undefined })).toEqual([]))
})
