import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type ApiClient, openCommandClient } from './import/api-client.ts'
import { sendLayer, readOptionValue } from './import/send-layer.ts'
import { sendFiles } from './import/send-files.ts'

const usage = `Sends files to a running server. Usage:
  npm run import -- region --region ID --name NAME --timezone ZONE --lat LAT --lon LON [--metric]
  npm run import -- layer --region ID [--name NAME]... [--level l1]... [--name-property P]... [--accept-outside] FILE...
      --name, --level and --name-property: once for all files, or once per file in the order of the files ('' for the server's default)
      --accept-outside          store a layer although most of it is outside the region, or although it is far larger than a city
  npm run import -- files --region ID [--operator SLUG] [--vehicle-type TYPE] [--snapshot-time 2026-08-08T08:51Z] FILE...
      trips, 311 issues, daily weather or vehicles at one moment, recognized by their content; plain or compressed
      with gzip or zip (the command trips does the same)
      --date-order dmy|mdy|ymd  for dates that can be read in more than one order, such as 03/04/2026
      --accept-outside          import rows although most of them are outside the region
      --stations FILE           places of stations, for trips with stations but without coordinates: CSV with an id or
                                name, latitude and longitude; GBFS station information; or GeoJSON points. Not needed
                                if the zip of the trips contains a table of stations
Options of all commands: --url http://127.0.0.1:4870  --email E --password P (or PUBLICWAY_EMAIL and PUBLICWAY_PASSWORD; otherwise the demo administrator)
      The token of a sign-in is stored in ~/.config/publicway/tokens.json and reused. PUBLICWAY_TOKEN names another one.`

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2))
  if (!command) {
    console.error(usage)
    return 2
  }
  const { verb, region, files, values } = command
  const missing = [...files, ...(values.stations ? [values.stations] : [])].filter(
    (file) => !fs.existsSync(file),
  )
  if (missing.length) {
    console.error(`There is no file ${missing.join(', ')}.`)
    return 2
  }
  // Throws before anything is sent if an option is given a wrong number of times.
  if (verb === 'layer') readLayerOptions(command, 0)
  const api = await openCommandClient(values)
  if (verb === 'region') return createRegion(api, command)
  if (verb === 'layer') return sendLayers(api, command)
  return sendFiles(api, region, files, {
    operator: values.operator,
    vehicleType: values['vehicle-type'],
    snapshotTime: values['snapshot-time'],
    dateOrder: values['date-order'],
    acceptOutside: values['accept-outside'],
    stations: values.stations,
  })
}

const stringOption = { type: 'string' as const }
const repeatedOption = { type: 'string' as const, multiple: true as const }
const options = {
  region: stringOption,
  name: repeatedOption,
  timezone: stringOption,
  lat: stringOption,
  lon: stringOption,
  metric: { type: 'boolean' as const },
  level: repeatedOption,
  'name-property': repeatedOption,
  operator: stringOption,
  'vehicle-type': stringOption,
  'snapshot-time': stringOption,
  'date-order': stringOption,
  'accept-outside': { type: 'boolean' as const },
  stations: stringOption,
  url: stringOption,
  email: stringOption,
  password: stringOption,
  help: { type: 'boolean' as const },
}

type Command = NonNullable<ReturnType<typeof readCommand>>

/** Reads the arguments; null if they are incomplete, or help is requested. */
function readCommand(words: readonly string[]) {
  // A longitude west of Greenwich begins with a dash, so `--lon -122.4` must be passed on as `--lon=-122.4`.
  const args: string[] = []
  for (const word of words) {
    if (/^-\d/.test(word) && args.at(-1)?.startsWith('--')) args.push(`${args.pop()}=${word}`)
    else args.push(word)
  }
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [verb, ...files] = positionals
  const { help, region } = values
  if (help || !verb || !region || !['region', 'layer', 'files', 'trips'].includes(verb)) return null
  if (verb !== 'region' && !files.length) return null
  return { verb, region, files, values }
}

async function createRegion(api: ApiClient, { region, values }: Command): Promise<number> {
  await api.json('POST', '/v2/regions', {
    regionId: region,
    text: values.name?.[0] ?? region,
    timezone: values.timezone,
    lat: Number(values.lat),
    lon: Number(values.lon),
    isMetric: values.metric ?? false,
  })
  console.log(`Region ${region} was created.`)
  return 0
}

/** Reads the options of a layer, which are given once for all files or once per file. */
function readLayerOptions({ values, files }: Command, index: number) {
  const readOption = (option: 'name' | 'level' | 'name-property'): string | undefined =>
    readOptionValue(option, values[option], files.length, index)
  return {
    name: readOption('name'),
    level: readOption('level'),
    nameProperty: readOption('name-property'),
    acceptOutside: values['accept-outside'],
  }
}

/** Sends files as layers. Returns the exit code: 1 if one failed. */
async function sendLayers(api: ApiClient, command: Command): Promise<number> {
  let failed = 0
  for (const [index, file] of command.files.entries()) {
    const options = readLayerOptions(command, index)
    const layer = { ...options, name: options.name ?? path.basename(file).replace(/\.[^.]+$/, '') }
    await sendLayer(api, command.region, file, layer).catch((error: unknown) => {
      failed++
      const message = error instanceof Error ? error.message : String(error)
      const advice = message.includes('confirm to store') ? ' Add --accept-outside to store it.' : ''
      console.error(`${path.basename(file)}: ${message}${advice}`)
    })
  }
  return failed ? 1 : 0
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  },
)
