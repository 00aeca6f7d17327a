// Runs a server of the specs: the whole app on a data directory with a city.
import { fileURLToPath } from 'node:url'
import { signIns } from '../../demo/sign-ins.ts'
import { openApp } from '../../server/app.ts'
import { readProcessConfig } from '../../server/config.ts'

const config = readProcessConfig()
const webRoot = fileURLToPath(new URL('../../dist/web', import.meta.url))
const app = await openApp(config, webRoot, (line, details) => console.error(line, details), {
  signIns: signIns.map(({ email, password, role }) => ({ email, password, role })),
})
await app.http.listen({ port: config.port, host: config.host })
app.jobs.start(['pull-feeds'])
console.log(`A demo city is at http://${config.host}:${config.port}`)
