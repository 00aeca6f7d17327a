import { parseArgs } from 'node:util'
import { demoSeed } from '../demo/demo-region.ts'
import { dockedPath } from '../demo/servers/serve-docked.ts'
import { openDemoOperators } from '../demo/servers/open-demo-operators.ts'

/** Each of three operators has a port: this one, the next and the one after it. */
const maxFirstPort = 65_535 - 2

const usage = `Usage: npm run demo-operators [-- --port 4890] [-- --agency http://127.0.0.1:4870/mds/agency --token TOKEN [--since 2026-01-31T12:00Z]]
Serves the demo's operators without the city, on three consecutive ports: Zephyr (MDS Provider 2.0), Tern Bikes (MDS Provider 1.2)
and Sandpiper with Port Cycle (GBFS 3.0). With --agency, Hopkite pushes its events from now on, or since --since, to an MDS Agency 2.0 API.`

async function main(): Promise<number> {
  const stringOption = { type: 'string' as const }
  const { values } = parseArgs({
    options: {
      port: stringOption,
      agency: stringOption,
      token: stringOption,
      since: stringOption,
      help: { type: 'boolean' },
    },
  })
  const firstPort = Number(values.port ?? 4890)
  const sinceMs = values.since === undefined ? Date.now() : Date.parse(values.since)
  const isPortValid = Number.isInteger(firstPort) && firstPort >= 1 && firstPort <= maxFirstPort
  const isAgencyValid =
    values.agency === undefined
      ? values.token === undefined
      : values.token !== undefined && URL.canParse(values.agency)
  if (values.help || !isPortValid || !isAgencyValid || Number.isNaN(sinceMs)) {
    console.error(usage)
    return values.help ? 0 : 2
  }
  const { urls, credentials, push, close } = await openDemoOperators({
    city: null,
    seed: demoSeed,
    now: Date.now,
    ports: { zephyr: firstPort, ternbikes: firstPort + 1, sandpiper: firstPort + 2 },
    printLine: console.error,
  })
  console.log(`Zephyr      MDS Provider 2.0  ${urls.zephyr}
            bearer token      ${credentials.zephyr}
Tern Bikes  MDS Provider 1.2  ${urls.ternbikes}
            token address     ${urls.ternbikes}/oauth/token
            client, secret    ${credentials.ternbikes.id}  ${credentials.ternbikes.secret}
Sandpiper   GBFS 3.0          ${urls.sandpiper}/gbfs.json
Port Cycle  GBFS 3.0          ${urls.sandpiper}${dockedPath}/gbfs.json`)
  if (values.agency && values.token) {
    push({ url: values.agency, token: values.token, fromMs: sinceMs })
    console.log(`Hopkite     pushes to         ${values.agency}`)
  }
  // The servers are on another thread: the timer keeps the process alive until a signal arrives.
  const keepAlive = setInterval(() => undefined, 60_000)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  clearInterval(keepAlive)
  await close()
  return 0
}

main().then(
  (code) => (process.exitCode = code),
  (error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  },
)
