// npm start: installs, builds and runs the server on a machine with only Node and git.
import './setup/node-version.js'
import { isatty } from 'node:tty'
import { buildServer, SERVER } from './setup/build-server.js'
import { buildWeb } from './setup/build-web.js'
import { endAll, waitForExit, onTermination, start } from './setup/children.js'
import { install } from './setup/install.js'
import { PROCESS_SETTINGS } from './setup/process-settings.js'
import { printProgress } from './setup/print-progress.js'

if (process.argv.length > 2) {
  console.error(
    `npm start takes no arguments (got: ${process.argv.slice(2).join(' ')}). Settings come from the environment: ` +
      'PORT, HOST, DATA_DIR, DATABASE_URL, CLICKHOUSE_URL, DEMO (see server/config.ts). Example: PORT=8080 npm start',
  )
  process.exit(2)
}

let forwardSignal = endAll
onTermination((signal) => forwardSignal(signal))

try {
  await install()
  await buildWeb()
  await buildServer()
} catch (error) {
  console.error(`publicway: ${error.message}`)
  process.exit(1)
}

printProgress('starting the server')
const server = start(process.execPath, [SERVER], {
  stdio: 'inherit',
  env: { ...PROCESS_SETTINGS, ...process.env },
})
// On a terminal, Ctrl-C reaches the server directly. Forwarded too, it would count as a second Ctrl-C.
forwardSignal = (signal) =>
  signal === 'SIGINT' && isatty(0) ? undefined : server.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
process.exitCode = await waitForExit(server)
