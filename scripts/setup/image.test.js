import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { PROCESS_SETTINGS } from './process-settings.js'
import { readDockerfile } from './read-dockerfile.js'

const dockerfile = readFileSync('Dockerfile', 'utf8')
const compose = readFileSync('compose.yaml', 'utf8')
const stages = readDockerfile(dockerfile)
const image = stages.at(-1)

/** The lines of one service in the Compose file. */
function service(name) {
  const [, text] = new RegExp(`^  ${name}:\\n((?:    .*\\n|\\n)+)`, 'm').exec(compose) ?? []
  return text
}

it('reads stages, copies, environment and commands', () => {
  const [first, second] = readDockerfile(
    '# a\nFROM x:1 AS one\nRUN a \\\n  b\nFROM y\nENV A=1 \\\n    B=2\nCOPY --from=one /app/a /app/b ./\nHEALTHCHECK --interval=1s \\\n  CMD ["c"]\nCMD ["d"]\n',
  )
  expect(first).toMatchObject({ name: 'one', base: 'x:1', steps: [{ run: 'a b' }] })
  expect(second).toMatchObject({
    environment: { A: '1', B: '2' },
    steps: [{ copy: { from: 'one', sources: ['/app/a', '/app/b'], target: './' } }],
    healthcheck: ['c'],
    command: ['d'],
  })
})

it('runs as an unprivileged user with the settings of npm start, and its health check needs no packages', () => {
  expect(stages.map(({ name, base }) => [name, base])).toEqual([
    ['build', 'node:20-bookworm-slim'],
    ['packages', 'node:20-bookworm-slim'],
    ['stage-2', 'node:20-bookworm-slim'],
  ])
  expect(image.user).toBe('node')
  expect(image.environment).toMatchObject({ ...PROCESS_SETTINGS, DEMO: 'off', DATA_DIR: '/data' })
  expect(image.healthcheck.join(' ')).toContain('/livez')
  expect(image.command).toEqual(['node', 'dist/server/main.js'])
})

it('copies only files that exist', () => {
  const sources = stages
    .flatMap(({ steps }) => steps.flatMap(({ copy }) => copy?.sources ?? []))
    .map((source) => source.replace('/app/', ''))
    .filter((source) => !['node_modules', 'dist', '.'].includes(source))
  expect(sources.filter((source) => !existsSync(source))).toEqual([])
  for (const ignored of ['node_modules', 'data', '.git'])
    expect(readFileSync('.dockerignore', 'utf8').split('\n')).toContain(ignored)
})

it('starts without databases; in the profile with database servers, these publish no ports', () => {
  expect(service('app')).not.toContain('profiles:')
  for (const name of ['postgres', 'clickhouse', 'caddy']) expect(service(name)).toContain('profiles: [full]')
  for (const name of ['postgres', 'clickhouse']) {
    expect(service(name)).not.toContain('ports:')
    expect(service(name)).toContain('healthcheck:')
  }
  for (const name of ['app', 'postgres', 'clickhouse', 'caddy'])
    expect(service(name)).toMatch(/mem_limit: .*\n(.*\n)*? {4}logging: \*logging/)
  expect(service('app')).toContain('read_only: true')
  expect(service('app')).toMatch(/ports:\n {6}- '127\.0\.0\.1:4870:4870'/)
  const files = [...compose.matchAll(/- (\.\/\S+?):/g)].map(([, file]) => file)
  expect(files.length).toBeGreaterThan(2)
  expect(files.filter((file) => !existsSync(file))).toEqual([])
})

/** The allowed keys of the Compose Specification. Its schema is not part of the repository. */
const COMPOSE_KEYS = {
  file: ['name', 'services', 'volumes'],
  service: [
    'build',
    'cap_drop',
    'command',
    'depends_on',
    'environment',
    'healthcheck',
    'image',
    'init',
    'logging',
    'mem_limit',
    'ports',
    'profiles',
    'read_only',
    'restart',
    'security_opt',
    'stop_grace_period',
    'tmpfs',
    'ulimits',
    'volumes',
  ],
  healthcheck: ['test', 'interval', 'timeout', 'retries', 'start_period'],
}

it('is a valid Compose file: known keys, declared volumes, existing dependencies with a health check', () => {
  const file = createRequire(import.meta.url)('yaml').parse(compose, { merge: true })
  const unknown = (value, keys) =>
    Object.keys(value).filter((key) => !keys.includes(key) && !key.startsWith('x-'))
  expect(unknown(file, COMPOSE_KEYS.file)).toEqual([])
  const named = new Set()
  for (const [name, part] of Object.entries(file.services)) {
    expect([name, unknown(part, COMPOSE_KEYS.service)]).toEqual([name, []])
    expect([name, unknown(part.healthcheck ?? {}, COMPOSE_KEYS.healthcheck)]).toEqual([name, []])
    expect([name, typeof part.image]).toEqual([name, 'string'])
    for (const [other, { condition }] of Object.entries(part.depends_on ?? {})) {
      expect(Object.keys(file.services)).toContain(other)
      // The health check of the app is defined in its image.
      const isChecked = file.services[other].healthcheck !== undefined || other === 'app'
      expect([other, condition !== 'service_healthy' || isChecked]).toEqual([other, true])
    }
    for (const volume of part.volumes ?? []) {
      const [source] = volume.split(':')
      if (/^[a-z]/.test(source)) named.add(source)
    }
    for (const port of part.ports ?? []) expect(port).toMatch(/^(127\.0\.0\.1:)?\d+:\d+(\/udp)?$/)
  }
  expect([...named].toSorted()).toEqual(Object.keys(file.volumes).toSorted())
})

it('limits the logs of ClickHouse', () => {
  const server = readFileSync('ops/clickhouse/publicway.xml', 'utf8')
  for (const log of [
    'trace',
    'text',
    'metric',
    'asynchronous_metric',
    'processors_profile',
    'opentelemetry_span',
    'latency',
  ])
    expect(server).toContain(`<${log}_log remove="1"/>`)
  expect(server.match(/TTL event_date \+ INTERVAL 7 DAY DELETE/g)).toHaveLength(2)
})
