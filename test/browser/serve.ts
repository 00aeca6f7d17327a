// The server that the browser's specs talk to: the whole app on an empty data directory, with a demo city of fewer days than the real one's year.
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDemo, signIns } from '../../demo/first-run.ts'
import { openApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'

/** Enough for every filter and for a period of months, made in a fraction of a year's time. */
const days = 40

const dataDir = fs.mkdtempSync(path.join(tmpdir(), 'publicway-browser-'))
// The OpenID provider of the single sign-on spec listens on this machine; the specs sign in as if from many addresses.
const config = readConfig({ PORT: process.env['PORT'] ?? '4879', DATA_DIR: dataDir, PRIVATE_ADDRESSES: 'on', TRUSTED_PROXIES: 'loopback', NODE_ENV: 'development' })
const webRoot = fileURLToPath(new URL('../../dist/web', import.meta.url))
const app = await openApp(config, webRoot, (line, details) => console.error(line, details), signIns.map(({ email, password, role }) => ({ email, password, role })))

const stop = async (): Promise<void> => {
  await app.close()
  fs.rmSync(dataDir, { recursive: true, force: true })
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

await makeDemo(app, console.log, new Date(), days)
await app.http.listen({ port: config.port, host: config.host })
console.log(`The demo city is at http://${config.host}:${config.port}`)
