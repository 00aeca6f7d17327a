import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createDataDir } from '../new-data-dir.ts'
import { publicway } from '../publicway.ts'
import { freePort, type ServerProcess, startServer, untilServing } from '../server-process.ts'

const dataDir = createDataDir()
const settings = { DATA_DIR: dataDir, DEMO: 'off' }
const scratch = fs.mkdtempSync(path.join(tmpdir(), 'publicway-cli-'))
let server: ServerProcess | null = null
afterAll(async () => {
  await server?.kill('SIGKILL')
  for (const folder of [dataDir, scratch]) fs.rmSync(folder, { recursive: true, force: true })
})

interface Finding {
  check: string
  result: string
  detail: string
}

test('the command line explains itself, and rejects unknown commands', async () => {
  const overview = await publicway(['--help'], settings)
  expect(overview.code).toBe(0)
  for (const name of ['doctor', 'backup', 'restore', 'verify', 'migrate', 'evaluate', 'charge'])
    expect(overview.out).toMatch(new RegExp(`^ {2}${name} `, 'm'))
  const help = await publicway(['restore', '--help'], settings)
  expect([help.code, help.out]).toEqual([0, expect.stringContaining('--replace')])
  expect((await publicway(['fly'], settings)).code).toBe(2)
  expect((await publicway(['backup', '--fast'], settings)).code).toBe(2)
  expect(await publicway(['admin', 'create', '--json'], settings)).toMatchObject({
    code: 2,
    out: expect.stringContaining('--email is missing'),
  })
})

test('commands of earlier scripts run through it', async () => {
  const file = path.join(scratch, 'case.json')
  fs.writeFileSync(file, '{}')
  const result = await publicway(['charge', file], settings)
  expect([result.code, result.json()]).toEqual([0, { id: 'case', error: expect.any(String) }])
})

test('all invalid settings are listed at once, and secrets are not shown', async () => {
  const secret = path.join(scratch, 'secret')
  fs.writeFileSync(secret, 'not hexadecimal')
  const { code, out } = await publicway(['config', 'check', '--json'], {
    ...settings,
    PORT: 'abc',
    DEMO: 'maybe',
    DATABASE_URI: 'x',
    SMTP_URL: 'smtps://someone:hunter2@mail.example:465',
    SECRET_KEY_FILE: secret,
    BACKUP_PASSPHRASE_FILE: path.join(scratch, 'missing'),
    METRICS_TOKEN: 'short',
  })
  expect(code).toBe(3)
  const { faults: problems, settings: shown } = JSON.parse(out) as {
    faults: string[]
    settings: Record<string, string>
  }
  expect(problems.map((problem) => problem.split(' ').slice(0, 3).join(' '))).toEqual([
    'Unknown setting DATABASE_URI.',
    'BACKUP_PASSPHRASE_FILE cannot be',
    'PORT must be',
    'SECRET_KEY must be',
    'DEMO is on',
    'METRICS_TOKEN must have',
  ])
  expect(shown['SMTP_URL']).toBe('smtps://mail.example:465')
  expect(out).not.toContain('hunter2')
})

test('an administrator is created by a link that works once, without a server and with one', async () => {
  const create = (email: string) => publicway(['admin', 'create', '--email', email, '--json'], settings)
  const first = (await create('first@city.example')).json<{ link: string; organization: string }>()
  expect(first.organization).toBe('My city')
  const port = String(await freePort())
  const { url, printed } = (server = await untilServing(
    startServer({ ...settings, PORT: port, DRAIN_SECONDS: '3' }),
  ))
  // An administrator exists, so the start prints no password.
  expect(printed()).not.toContain('First administrator')
  const second = (await create('second@city.example')).json<{ link: string; is_existing: boolean }>()
  expect(second.is_existing).toBe(false)
  const post = (target: string, body: object) =>
    fetch(url + target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: url },
      body: JSON.stringify(body),
    })
  for (const [link, email] of [
    [first.link, 'first@city.example'],
    [second.link, 'second@city.example'],
  ] as const) {
    const token = new URL(link).searchParams.get('token')
    const password = `the password of ${email}`
    expect((await post('/api/auth/reset-password', { token, newPassword: password })).status).toBe(200)
    const signIn = await post('/api/auth/sign-in/email', { email, password })
    const status = await fetch(`${url}/v2/health/server`, {
      headers: { authorization: `Bearer ${signIn.headers.get('set-auth-token')}` },
    })
    expect(await status.json()).toMatchObject({
      status: 'ready',
      stores: [{ store: 'state' }, { store: 'facts' }],
    })
    expect((await post('/api/auth/reset-password', { token, newPassword: 'used once more' })).status).toBe(
      400,
    )
  }
  const doctor = await publicway(['doctor', '--json'], { ...settings, PORT: port })
  const { findings } = doctor.json<{ findings: Finding[] }>()
  expect(findings.filter(({ result }) => result === 'failed')).toEqual([])
  expect(findings.map(({ check }) => check)).toEqual([
    'node',
    'clock',
    'time zones',
    'settings',
    'data directory',
    'secret key',
    'files',
    'disk: data',
    'disk: backups',
    'mail',
    'server',
    'store: state',
    'store: facts',
    'feeds',
    'backups',
  ])
}, 240_000)

test('a server that drains after a stop signal is not ready but still responds', async () => {
  if (!server) throw new Error('No server was started')
  const { url } = server
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  const ended = server.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  expect((await fetch(`${url}/v2/health`)).status).toBe(200)
  expect(await ended).toBe(0)
  await expect(fetch(`${url}/livez`)).rejects.toThrow('fetch failed')
  expect(fs.existsSync(path.join(dataDir, 'control.json'))).toBe(false)
})
