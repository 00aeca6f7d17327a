import type { GeoJSONStoreFeatures } from 'terra-draw'
import type { Geometry, Position } from '#contract/place.ts'
import type { DrawingPart } from './drawing-board.ts'

const modes = { outline: 'polygon', hole: 'polygon', line: 'linestring', point: 'point' } as const

/** A part as a feature of the engine, which knows neither holes nor geometries of several parts: each ring is a polygon of its own. */
export function toFeature(part: DrawingPart, positions: readonly Position[]): GeoJSONStoreFeatures {
  const geometry =
    part.kind === 'line'
      ? { type: 'LineString' as const, coordinates: [...positions] }
      : part.kind === 'point'
        ? { type: 'Point' as const, coordinates: positions[0]! }
        : { type: 'Polygon' as const, coordinates: [[...positions]] }
  return { type: 'Feature', geometry, properties: { mode: modes[part.kind], part: part.id } }
}

/** What the engine says of a feature: the part that it stands for, if any, and what it is. */
export function fromFeature(
  { geometry, properties }: GeoJSONStoreFeatures,
  exact: (positions: readonly Position[]) => Position[],
): { part: { id: string; positions: Position[] } | null; geometry: Geometry } {
  const raw = (
    geometry.type === 'Polygon'
      ? geometry.coordinates[0]!
      : geometry.type === 'Point'
        ? [geometry.coordinates]
        : geometry.coordinates
  ) as Position[]
  const positions = exact(raw)
  const whole: Geometry =
    geometry.type === 'Polygon'
      ? { type: 'Polygon', coordinates: [positions] }
      : geometry.type === 'Point'
        ? { type: 'Point', coordinates: positions[0]! }
        : { type: 'LineString', coordinates: positions }
  const id = properties['part']
  return { part: typeof id === 'string' ? { id, positions } : null, geometry: whole }
}
