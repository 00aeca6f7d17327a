// The servers that the browser's specs talk to: the whole app, each on a copy of one demo city of fewer days than the real one's year.
import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { finishDemo, makeDemo, openOperators } from '../../demo/first-run.ts'
import { signIns } from '../../demo/sign-ins.ts'
import { openApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { buildWeb } from '../../scripts/setup/build-web.js'
import { systemScope } from '../../server/identity/scope.ts'
import { openSecretBox } from '../../server/stores/secret-box.ts'
import { ports, sessionFile } from './servers.ts'

/** Enough for every filter and for a period of months, made in a fraction of a year's time. */
const days = 40

const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-browser-'))
const servers: ChildProcess[] = []

const stop = async (): Promise<void> => {
  await Promise.all(servers.map((server) => (server.kill('SIGTERM'), ended(server))))
  fs.rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

// Vite builds the web app in a process of its own while the city is made.
const built = buildWeb()
const original = path.join(folder, 'city')
// Made by the stories: migrated stores, which take ten times as long to create as to copy.
const template = process.env['TEST_TEMPLATE']
if (template && fs.existsSync(path.join(template, 'state')))
  fs.cpSync(template, original, { recursive: true })
const config = readConfig({ DATA_DIR: original, PRIVATE_ADDRESSES: 'on', NODE_ENV: 'development' })
const operators = await openOperators(console.error)
const app = await openApp(config, original, (line, details) => console.error(line, details), {
  ownOrigins: operators.origins,
})
const box = openSecretBox(config)
await makeDemo(app, { box, operators, printLine: console.log, at: new Date(), days })
await finishDemo(app, { box, printLine: console.log })
app.jobs.start(['derive-sums'])
await app.derivation.idle(['report_days', 'route_volumes', 'curb_hours', 'curb_occupancy'])
// The demo's own operators stand still: the specs bring what they look at, and need the machine for the browser.
await app.state.as(systemScope).updateTable('feed').set({ enabled: false }).execute()
await operators.close()
for (const { role, email, password } of signIns) {
  const cookies = await signIn(email, password)
  fs.mkdirSync(path.dirname(sessionFile(role)), { recursive: true })
  fs.writeFileSync(sessionFile(role), JSON.stringify({ cookies, origins: [] }))
}
await app.close()
await built

const ready = ports.map((port) => {
  const dataDir = path.join(folder, String(port))
  fs.cpSync(original, dataDir, { recursive: true })
  // The OpenID provider of the single sign-on spec listens on this machine; the specs sign in as if from many addresses.
  const env = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    UV_THREADPOOL_SIZE: '16',
    PORT: String(port),
    DATA_DIR: dataDir,
    PRIVATE_ADDRESSES: 'on',
    TRUSTED_PROXIES: 'loopback',
    NODE_ENV: 'development',
  }
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('serve-city.ts', import.meta.url))],
    { env, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  servers.push(server)
  server.stdout?.pipe(process.stdout)
  return new Promise<void>((resolve) => server.stdout?.once('data', () => resolve()))
})
await Promise.all(ready)
console.log('All cities are there.')

/** The cookies of a session, for Playwright. The copies of the city share its sessions. */
async function signIn(email: string, password: string): Promise<object[]> {
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    headers: { host: '127.0.0.1', origin: 'http://127.0.0.1' },
    payload: { email, password },
  })
  if (response.statusCode !== 200) throw new Error(`${email} cannot sign in: ${response.body}`)
  return [response.headers['set-cookie']].flat().map((line) => {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line ?? '') ?? []
    return {
      name,
      value,
      domain: '127.0.0.1',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Lax',
    }
  })
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) =>
    server.exitCode === null && server.signalCode === null ? server.once('exit', () => resolve()) : resolve(),
  )
}
