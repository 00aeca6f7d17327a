import { once } from 'node:events'
import fs from 'node:fs'
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
  /** The region of the basemap. A file that does not cover it is refused. */
  region: { text: string; lat: number; lon: number }
  /** The name of the file. */
  source: string
}

/** The numbers of shapes by role, and of omitted objects. */
export interface BasemapSummary extends OmittedCounts {
  counts: Map<BasemapRole, number>
}

/** How far the center of a region may be outside of a file, in degrees: files may be clipped tightly. */
const centerTolerance = 0.2

const formatBox = (box: Box): string => box.map((degrees) => degrees.toFixed(2)).join(', ')

/**
 * Converts the OpenStreetMap file `from` to a file of lines that `replaceBasemap` reads.
 * @throws OsmFileError if the file is invalid or does not cover the region
 */
export async function makeBasemapFile(
  from: string,
  to: string,
  { box, region, source }: ExtractOptions,
  onStep?: OnStep,
): Promise<BasemapSummary> {
  const osm = await OsmFile.open(from)
  const file = fs.createWriteStream(to)
  const closed = finished(file)
  // Errors are reported by the `await` below; until then the rejection must not count as unhandled.
  closed.catch(() => undefined)
  const writeLine = async (value: unknown): Promise<void> => {
    if (!file.write(`${JSON.stringify(value)}\n`)) await once(file, 'drain')
  }
  try {
    const city = await readCity(osm, box, onStep)
    if (!city.extent) throw new OsmFileError('There are no nodes in the file: nothing in it has a place.')
    const [west, south, east, north] = city.extent
    const coversRegion =
      region.lon > west - centerTolerance &&
      region.lon < east + centerTolerance &&
      region.lat > south - centerTolerance &&
      region.lat < north + centerTolerance
    if (!coversRegion)
      throw new OsmFileError(
        `The file is of another place: it covers ${formatBox(city.extent)} (west, south, east, north); ${region.text} lies at ${region.lon.toFixed(2)}, ${region.lat.toFixed(2)}.`,
      )
    const summary: BasemapSummary = { counts: new Map(), missingNodes: 0, openAreas: 0, coastlines: 0 }
    let shapeCount = 0
    await writeLine({ basemap: 1, attribution: osmAttribution, source })
    for (const shape of makeShapes(city, box, summary)) {
      await writeLine(shape)
      shapeCount++
      summary.counts.set(shape.role, (summary.counts.get(shape.role) ?? 0) + 1)
    }
    if (shapeCount === 0)
      throw new OsmFileError(
        `There is nothing to draw in the file${box ? ` within ${formatBox(box)}` : ''}: no street, water or park with positions.`,
      )
    await writeLine({ end: shapeCount })
    return summary
  } finally {
    file.end()
    await Promise.all([closed, osm.close()])
  }
}
