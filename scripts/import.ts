import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { signIns } from '../demo/sign-ins.ts'
import { apiClient } from './import/api-client.ts'
import { sendLayer } from './import/send-layer.ts'
import { sendFiles } from './import/send-files.ts'

const usage = `Usage, against a running server:
  npm run import -- region --region ID --name NAME --timezone ZONE --lat LAT --lon LON [--metric]
  npm run import -- layer --region ID [--name NAME] [--level l1] [--name-property P] FILE...
  npm run import -- files --region ID [--operator SLUG] [--vehicle-type TYPE] [--snapshot-time 2026-08-08T08:51Z] FILE...
      trips, 311 issues, daily weather or vehicles at one moment, recognised by their content (trips: the same)
Options for all: --url http://127.0.0.1:4870  --email E --password P (or PUBLICWAY_EMAIL, PUBLICWAY_PASSWORD; the demo administrator else)`

async function main(): Promise<number> {
  const text = { type: 'string' as const }
  // A longitude west of Greenwich begins with a dash, which would read as an option.
  const args: string[] = []
  for (const each of process.argv.slice(2)) {
    if (/^-\d/.test(each) && args.at(-1)?.startsWith('--')) args.push(`${args.pop()}=${each}`)
    else args.push(each)
  }
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      region: text, name: text, timezone: text, lat: text, lon: text, metric: { type: 'boolean' }, level: text, 'name-property': text, operator: text, 'vehicle-type': text, 'snapshot-time': text, url: text, email: text, password: text, help: { type: 'boolean' },
    },
  })
  const [verb, ...files] = positionals
  if (values.help || !verb || !values.region || !['region', 'layer', 'files', 'trips'].includes(verb) || (verb !== 'region' && !files.length)) {
    console.error(usage)
    return 2
  }
  const missing = files.filter((file) => !fs.existsSync(file))
  if (missing.length) {
    console.error(`There is no file ${missing.join(', ')}.`)
    return 2
  }
  const admin = signIns[0]
  const api = await apiClient(values.url ?? `http://127.0.0.1:${process.env['PORT'] ?? 4870}`, {
    email: values.email ?? process.env['PUBLICWAY_EMAIL'] ?? admin?.email ?? '',
    password: values.password ?? process.env['PUBLICWAY_PASSWORD'] ?? admin?.password ?? '',
  })
  if (verb === 'region') {
    await api.json('POST', '/v2/regions', { regionId: values.region, text: values.name ?? values.region, timezone: values.timezone, lat: Number(values.lat), lon: Number(values.lon), isMetric: values.metric ?? false })
    console.log(`Region ${values.region} is made.`)
    return 0
  }
  if (verb === 'layer') {
    for (const file of files) await sendLayer(api, values.region, file, { name: values.name ?? path.basename(file).replace(/\.[^.]+$/, ''), level: values.level, nameProperty: values['name-property'] })
    return 0
  }
  return sendFiles(api, values.region, files, { operator: values.operator, vehicleType: values['vehicle-type'], snapshotTime: values['snapshot-time'] })
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
