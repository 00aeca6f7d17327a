// Creates the demo city of the specs in a folder, with fewer days than the real demo, and signs in its users.
import fs from 'node:fs'
import path from 'node:path'
import { addRoutesAndCurbHistory, makeDemo, openOperators } from '../../demo/first-run.ts'
import { signIns } from '../../demo/sign-ins.ts'
import { openApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { systemScope } from '../../server/identity/scope.ts'
import { openSecretBox } from '../../server/stores/secret-box.ts'
import { sessionFile } from './servers.js'

/** Enough days for every filter and for a past month, because only past months have public routes. */
const days = 40

const folder = process.argv[2] ?? ''
// Migrated stores, which take ten times as long to create as to copy (template.ts).
const template = process.env['TEST_TEMPLATE']
if (template && fs.existsSync(path.join(template, 'template-complete')))
  fs.cpSync(template, folder, { recursive: true })
const config = readConfig({ DATA_DIR: folder, PRIVATE_ADDRESSES: 'on', NODE_ENV: 'development' })
const operators = await openOperators(console.error)
const app = await openApp(config, folder, (line, details) => console.error(line, details), {
  ownOrigins: operators.origins,
})
const secretBox = openSecretBox(config)
await makeDemo(app, { secretBox, operators, printLine: console.log, at: new Date(), days })
await addRoutesAndCurbHistory(app, { secretBox, printLine: console.log })
app.jobs.start(['derive-sums'])
await app.derivation.idle(['report_days', 'route_volumes', 'curb_hours', 'curb_occupancy'])
// The operators of the demo are stopped: specs send their own data, and the browser needs the machine.
await app.state.as(systemScope).updateTable('feed').set({ enabled: false }).execute()
await operators.close()
for (const { role, email, password } of signIns) {
  const cookies = await signIn(email, password)
  fs.mkdirSync(path.dirname(sessionFile(role)), { recursive: true })
  fs.writeFileSync(sessionFile(role), JSON.stringify({ cookies, origins: [] }))
}
await app.close()
process.exit(0)

/** Signs a user in and returns the cookies of the session, for Playwright. Copies of the city share its sessions. */
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
