// Starts the servers of the browser specs, each with a copy of one demo city. Stops at SIGTERM.
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atExit, waitForExit, start } from '../../scripts/setup/children.js'
import { programsFolder } from '../programs.js'
import { makeCity } from './make-city.js'
import { ports } from './servers.js'

// Their data is temporary, so the servers are killed instead of stopped, which is faster.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => process.exit(0))

const folder = mkdtempSync(join(tmpdir(), 'publicway-browser-'))
atExit(() => rmSync(folder, { recursive: true, force: true }))
const city = await makeCity(process.env.BROWSER_CITY ?? join(folder, 'city'))
await Promise.all(
  ports.map(async (port) => {
    const dataDir = join(folder, String(port))
    cpSync(city, dataDir, { recursive: true })
    // The OpenID provider of the single sign-on spec listens on this machine; the specs sign in as if from many addresses.
    const env = {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      UV_THREADPOOL_SIZE: '16',
      PORT: String(port),
      DATA_DIR: dataDir,
      PRIVATE_ADDRESSES: 'on',
      TRUSTED_PROXIES: 'loopback',
      NODE_ENV: 'development',
    }
    const server = start(process.execPath, [join(programsFolder, 'serve-city.js')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    server.stdout.pipe(process.stdout)
    const exit = waitForExit(server).then((code) => {
      throw new Error(`The server on port ${port} ended with code ${code}.`)
    })
    await Promise.race([once(server.stdout, 'data'), exit])
  }),
)
console.log('All cities are there.')
