import fs from 'node:fs'
import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { BasemapRole } from '#contract/basemap.ts'
import type { Box } from '#contract/place.ts'
import { type OmittedCounts, makeShapes } from './make-shapes.ts'
import { OsmFileError } from './osm-file-error.ts'
import { OsmFile } from './osm-file.ts'
import { type OnStep, readCity } from './read-city.ts'

/** The attribution that OpenStreetMap requires on every map. */
export const osmAttribution = '© OpenStreetMap contributors'

interface ExtractOptions {
  /** The box to extract; null for the whole file. */
  box: Box | null
  /** The region of the basemap: a file of another place is refused. */
  region: { text: string; lat: number; lon: number }
  /** The name of the file. */
  source: string
}

export interface MadeBasemap extends OmittedCounts {
  counts: Map<BasemapRole, number>
}

/** Degrees by which the center of a region may be outside of a file, which may be clipped tightly. */
const near = 0.2

const written = (box: Box): string => box.map((each) => each.toFixed(2)).join(', ')

/** Converts an OpenStreetMap file to the lines that `replaceBasemap` reads. Throws an OsmFileError. */
export async function makeBasemapFile(
  from: string,
  to: string,
  { box, region, source }: ExtractOptions,
  onStep?: OnStep,
): Promise<MadeBasemap> {
  const osm = await OsmFile.open(from)
  const file = fs.createWriteStream(to)
  const done = finished(file)
  done.catch(() => undefined)
  const writeLine = async (value: unknown): Promise<void> => {
    if (!file.write(`${JSON.stringify(value)}\n`)) await once(file, 'drain')
  }
  try {
    const city = await readCity(osm, box, onStep)
    if (!city.extent) throw new OsmFileError('There are no nodes in the file: nothing in it has a place.')
    const [west, south, east, north] = city.extent
    const isHere =
      region.lon > west - near &&
      region.lon < east + near &&
      region.lat > south - near &&
      region.lat < north + near
    if (!isHere)
      throw new OsmFileError(
        `The file is of another place: it covers ${written(city.extent)} (west, south, east, north); ${region.text} lies at ${region.lon.toFixed(2)}, ${region.lat.toFixed(2)}.`,
      )
    const made: MadeBasemap = { counts: new Map(), missingNodes: 0, openAreas: 0, coastlines: 0 }
    let shapes = 0
    await writeLine({ basemap: 1, attribution: osmAttribution, source })
    for (const shape of makeShapes(city, box, made)) {
      await writeLine(shape)
      shapes++
      made.counts.set(shape.role, (made.counts.get(shape.role) ?? 0) + 1)
    }
    if (shapes === 0)
      throw new OsmFileError(
        `There is nothing to draw in the file${box ? ` within ${written(box)}` : ''}: no street, water or park with positions.`,
      )
    await writeLine({ end: shapes })
    return made
  } finally {
    file.end()
    await Promise.all([done, osm.close()])
  }
}
