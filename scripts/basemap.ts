import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Layer } from '../contract/geography.ts'
import type { Box } from '../contract/place.ts'
import { signIns } from '../demo/sign-ins.ts'
import { makeBasemapFile } from '../server/basemap/osm/make-basemap-file.ts'
import { OsmFileError } from '../server/basemap/osm/osm-file-error.ts'
import type { OnStep } from '../server/basemap/osm/read-city.ts'
import { apiClient } from './import/api-client.ts'

const usage = `Draws a region's streets, rail, water, parks and place names under its maps, from an OpenStreetMap extract. Against a running server:
  npm run basemap -- --region ID [--box west,south,east,north] CITY.osm.pbf
What is there of an earlier basemap is replaced, all in one go; the region's other layers stay as they are.
--box: what to take of the file. Left out: what lies around the region's own layers; all of it where there are none.
Options: --url http://127.0.0.1:4870  --email E --password P (or PUBLICWAY_EMAIL, PUBLICWAY_PASSWORD; the demo administrator else)`

/** Degrees around the region's layers that are drawn too: some five kilometers. */
const margin = 0.05

const stepNames: Record<Parameters<OnStep>[0], string> = {
  areas: 'Reading areas',
  box: 'Finding what lies in the box',
  ways: 'Reading ways',
  nodes: 'Reading places',
}

function readBox(text: string | undefined): Box | null {
  if (text === undefined) return null
  const [west = NaN, south = NaN, east = NaN, north = NaN, ...more] = text
    .split(',')
    .map((each) => (each.trim() ? Number(each) : NaN))
  if (
    more.length ||
    !(west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90)
  )
    throw new OsmFileError(`--box must be west,south,east,north in degrees, not '${text}'.`)
  return [west, south, east, north]
}

/** Around the region's own layers; those that are drawn under maps say only what was drawn before. */
function boxAround(layers: readonly Layer[]): Box | null {
  const boxes = layers.flatMap(({ level, bbox }) => (bbox && !level?.startsWith('basemap:') ? [bbox] : []))
  if (!boxes.length) return null
  const edge = (at: 0 | 1 | 2 | 3, of: (...values: number[]) => number): number =>
    of(...boxes.map((box) => box[at]))
  return [
    Math.max(-180, edge(0, Math.min) - margin),
    Math.max(-90, edge(1, Math.min) - margin),
    Math.min(180, edge(2, Math.max) + margin),
    Math.min(90, edge(3, Math.max) + margin),
  ]
}

/** Progress of each step: updated in place in a terminal, otherwise printed once. */
function progress(): OnStep {
  let last = ''
  return (step, share) => {
    const percent = `${stepNames[step]} ${Math.floor(share * 100)} %`
    if (percent === last || (!process.stdout.isTTY && share < 1)) return
    last = percent
    process.stdout.write(process.stdout.isTTY ? `\r${percent}${share === 1 ? '\n' : ''}` : `${percent}\n`)
  }
}

async function main(): Promise<number> {
  const text = { type: 'string' as const }
  // A longitude west of Greenwich begins with a dash, which would read as an option.
  const args = process.argv
    .slice(2)
    .flatMap((each, at, all) =>
      each === '--box' && all[at + 1] ? [`--box=${all[at + 1]}`] : all[at - 1] === '--box' ? [] : [each],
    )
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { region: text, box: text, url: text, email: text, password: text, help: { type: 'boolean' } },
  })
  const [file, ...more] = positionals
  if (values.help || !values.region || !file || more.length) {
    console.error(usage)
    return 2
  }
  const box = readBox(values.box)
  if (!fs.existsSync(file)) throw new OsmFileError(`There is no file ${file}.`)
  const admin = signIns[0]
  const api = await apiClient({
    url: values.url ?? `http://127.0.0.1:${process.env['PORT'] ?? 4870}`,
    token: process.env['PUBLICWAY_TOKEN'],
    email: values.email ?? process.env['PUBLICWAY_EMAIL'] ?? admin?.email ?? '',
    password: values.password ?? process.env['PUBLICWAY_PASSWORD'] ?? admin?.password ?? '',
  })
  const address = `/v2/regions/${encodeURIComponent(values.region)}`
  const region = (await api.json('GET', address)) as { text: string; lat: number; lon: number }
  const { items } = (await api.json('GET', `${address}/layers`)) as { items: Layer[] }
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-basemap-'))
  try {
    const made = path.join(folder, 'basemap.jsonl')
    const { missingNodes, openAreas, coastlines } = await makeBasemapFile(
      file,
      made,
      { box: box ?? boxAround(items), region, source: path.basename(file) },
      progress(),
    )
    console.log(`Sending ${(fs.statSync(made).size / 1e6).toFixed(1)} MB …`)
    const { layers, attribution } = (await api.sendFile(`${address}/basemap`, made)) as unknown as {
      layers: { layer_name: string; shape_count: number }[]
      attribution: string
    }
    for (const { layer_name: name, shape_count: count } of layers)
      console.log(`  ${name}: ${count.toLocaleString('en-US')} shapes`)
    if (openAreas)
      console.log(
        `  Left out in part: ${openAreas} areas with a border that the file does not close, mostly at its edge.`,
      )
    if (missingNodes)
      console.log(
        `  Left out: ${missingNodes.toLocaleString('en-US')} points of lines and borders that the file does not hold.`,
      )
    if (coastlines)
      console.log(
        `  Not drawn: the sea. The file has ${coastlines} ways of its coast, which bound no area; lakes and rivers are drawn.`,
      )
    console.log(`The basemap of ${region.text} is replaced. Maps name its source: ${attribution}.`)
    return 0
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exit(error instanceof OsmFileError ? 2 : 1)
  },
)
