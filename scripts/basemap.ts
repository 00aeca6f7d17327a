import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import type { Layer } from '../contract/geography.ts'
import type { Box } from '../contract/place.ts'
import { makeBasemapFile } from '../server/basemap/osm/make-basemap-file.ts'
import { OsmFileError } from '../server/basemap/osm/osm-file-error.ts'
import type { OnStep } from '../server/basemap/osm/read-city.ts'
import { openCommandClient } from './import/api-client.ts'

const usage = `Draws a region's streets, rail, water, parks and place names under its maps, from an OpenStreetMap extract. Sends it to a running server:
  npm run basemap -- --region ID [--box west,south,east,north] CITY.osm.pbf
The region's earlier basemap is replaced; its other layers do not change.
--box: the part of the file to draw (the surroundings of the region's own layers; the whole file if there are none)
Options: --url http://127.0.0.1:4870  --email E --password P (or PUBLICWAY_EMAIL and PUBLICWAY_PASSWORD; otherwise the demo administrator)`

/** Width of the strip around the region's layers that is drawn too: about five kilometers. */
const marginDegrees = 0.05

const stepNames: Record<Parameters<OnStep>[0], string> = {
  areas: 'Reading areas',
  box: 'Finding objects in the box',
  ways: 'Reading ways',
  nodes: 'Reading places',
}

function readBox(text: string | undefined): Box | null {
  if (text === undefined) return null
  const [west = NaN, south = NaN, east = NaN, north = NaN, ...more] = text
    .split(',')
    .map((field) => (field.trim() ? Number(field) : NaN))
  if (
    more.length ||
    !(west >= -180 && west < east && east <= 180 && south >= -90 && south < north && north <= 90)
  )
    throw new OsmFileError(`--box must be west,south,east,north in degrees, not '${text}'.`)
  return [west, south, east, north]
}

/** Computes the box around a region's layers; null without any. An earlier basemap does not count. */
function computeBox(layers: readonly Layer[]): Box | null {
  const boxes = layers.flatMap(({ level, bbox }) => (bbox && !level?.startsWith('basemap:') ? [bbox] : []))
  if (!boxes.length) return null
  return [
    Math.max(-180, Math.min(...boxes.map(([west]) => west)) - marginDegrees),
    Math.max(-90, Math.min(...boxes.map(([, south]) => south)) - marginDegrees),
    Math.min(180, Math.max(...boxes.map(([, , east]) => east)) + marginDegrees),
    Math.min(90, Math.max(...boxes.map(([, , , north]) => north)) + marginDegrees),
  ]
}

/** Returns a function that prints progress: updated in place in a terminal, else when a step is done. */
function createStepPrinter(): OnStep {
  let last = ''
  return (step, share) => {
    const percent = `${stepNames[step]} ${Math.floor(share * 100)} %`
    if (percent === last || (!process.stdout.isTTY && share < 1)) return
    last = percent
    process.stdout.write(process.stdout.isTTY ? `\r${percent}${share === 1 ? '\n' : ''}` : `${percent}\n`)
  }
}

async function main(): Promise<number> {
  const stringOption = { type: 'string' as const }
  // A longitude west of Greenwich begins with a dash, so `--box -122` must be passed on as `--box=-122`.
  const args = process.argv.slice(2)
  const boxIndex = args.indexOf('--box')
  if (boxIndex >= 0 && args[boxIndex + 1]) args.splice(boxIndex, 2, `--box=${args[boxIndex + 1]}`)
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      region: stringOption,
      box: stringOption,
      url: stringOption,
      email: stringOption,
      password: stringOption,
      help: { type: 'boolean' },
    },
  })
  const [file, ...more] = positionals
  if (values.help || !values.region || !file || more.length) {
    console.error(usage)
    return 2
  }
  const box = readBox(values.box)
  if (!fs.existsSync(file)) throw new OsmFileError(`There is no file ${file}.`)
  const api = await openCommandClient(values)
  const address = `/v2/regions/${encodeURIComponent(values.region)}`
  const region = (await api.json('GET', address)) as { text: string; lat: number; lon: number }
  const { items } = (await api.json('GET', `${address}/layers`)) as { items: Layer[] }
  const folder = fs.mkdtempSync(path.join(tmpdir(), 'publicway-basemap-'))
  try {
    const basemapFile = path.join(folder, 'basemap.jsonl')
    const { missingNodes, openAreas, coastlines } = await makeBasemapFile(
      file,
      basemapFile,
      { box: box ?? computeBox(items), region, source: path.basename(file) },
      createStepPrinter(),
    )
    console.log(`Sending ${(fs.statSync(basemapFile).size / 1e6).toFixed(1)} MB …`)
    const { layers, attribution } = (await api.sendFile(`${address}/basemap`, basemapFile)) as unknown as {
      layers: { layer_name: string; shape_count: number }[]
      attribution: string
    }
    for (const { layer_name: name, shape_count: count } of layers)
      console.log(`  ${name}: ${count.toLocaleString('en-US')} shapes`)
    if (openAreas)
      console.log(
        `  Incomplete: ${openAreas} areas with a border that is not closed in the file, mostly at its edge.`,
      )
    if (missingNodes)
      console.log(
        `  Left out: ${missingNodes.toLocaleString('en-US')} points of lines and borders that are not in the file.`,
      )
    if (coastlines)
      console.log(
        `  Not drawn: the sea. The file has ${coastlines} ways of its coast, which are not closed areas; lakes and rivers are drawn.`,
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
