import type { City } from './city.ts'
import { riverLine } from './plan/river-line.ts'
import { waterPlan } from './plan/water-plan.ts'
import { traceFaces } from './plane/trace-faces.ts'
import { findCells } from './shapes/find-cells.ts'
import { groupCells } from './shapes/group-cells.ts'
import { makeLayers } from './shapes/make-layers.ts'
import { nameGroups } from './shapes/name-groups.ts'
import { sortBlocks } from './shapes/sort-blocks.ts'
import { waterOfFaces } from './shapes/water-of-faces.ts'
import { drawSkeleton } from './streets/draw-skeleton.ts'
import { fillCells } from './streets/fill-cells.ts'
import { knotLines } from './streets/knot-lines.ts'
import { makeStreetGraph } from './streets/make-street-graph.ts'
import { streetFeatures } from './streets/street-features.ts'
import { tidyStreets } from './streets/tidy-streets.ts'

const origin = { lon: -75.2, lat: 37.05 }
/** Metres from the middle of the city to which one can ride. */
const rideReach = 11_000

/** The made-up city of Port Meridian. Its plan is drawn by hand; the seed bends and names its streets. */
export function makeCity(seed: number): City {
  const river = riverLine()
  const water = waterPlan()
  const skeleton = drawSkeleton(seed, water, river)
  const coarse = knotLines(skeleton)
  const coarseFaces = traceFaces(coarse)
  const cells = findCells(coarseFaces, water, river)
  const group = groupCells(coarse, coarseFaces, cells, skeleton)
  const neighbourhoods = nameGroups(cells, group)

  const lines = [...skeleton, ...fillCells(seed, cells, river)]
  const mesh = knotLines(lines)
  tidyStreets(seed, mesh, lines, water)
  const faces = traceFaces(mesh)
  const blocks = sortBlocks(seed, faces, cells, group, waterOfFaces(mesh, faces, lines, water))

  const streets = makeStreetGraph(
    mesh,
    lines,
    origin,
    (edge) => {
      const [left, right] = [blocks[faces.of[2 * edge]!], blocks[faces.of[2 * edge + 1]!]]
      const district =
        neighbourhoods[left?.neighbourhood ?? -1]?.district ??
        neighbourhoods[right?.neighbourhood ?? -1]?.district
      return { district, isPark: left?.kind === 'park' || right?.kind === 'park' }
    },
    rideReach,
  )
  const layers = makeLayers(mesh, faces, blocks, neighbourhoods, origin)
  layers.push({ name: 'Streets', level: 'basemap:street', features: streetFeatures(mesh, lines, origin) })
  return { name: 'Port Meridian', timezone: 'America/New_York', ...origin, mapZoom: 12, layers, streets }
}
