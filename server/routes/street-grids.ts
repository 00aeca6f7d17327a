import { layerGeometries } from '#server/geography/shapes/find-shapes.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { buildStreetGrid, type StreetGrid } from './street-grid.ts'
import { streetSegments, type StreetLine } from './street-segments.ts'

/** The level of a region's layer of streets. */
export const streetLevel = 'basemap:street'
/** Regions of which the streets are cached. */
const maxRegions = 8

/** The street grids of regions; rebuilt when the layer has changed. */
export class StreetGrids {
  private readonly cache = new Map<string, { content: string; grid: Promise<StreetGrid> }>()
  private readonly state: Pick<State, 'as'>
  constructor(state: Pick<State, 'as'>) {
    this.state = state
  }

  /** Null where the region has no layer of streets. */
  async load(scope: Scope, regionId: string, lat: number): Promise<StreetGrid | null> {
    const layer = await this.state
      .as(scope)
      .selectFrom('layer')
      .select(['layer_id', 'content_hash'])
      .where('region_id', '=', regionId)
      .where('level', '=', streetLevel)
      .orderBy('created_time')
      .executeTakeFirst()
    if (!layer) return null
    const known = this.cache.get(regionId)
    if (known?.content === layer.content_hash) return known.grid
    const grid = this.read(scope, layer.layer_id, lat)
    this.cache.delete(regionId)
    this.cache.set(regionId, { content: layer.content_hash, grid })
    grid.catch(() => this.cache.delete(regionId))
    for (const oldest of [...this.cache.keys()].slice(0, -maxRegions)) this.cache.delete(oldest)
    return grid
  }

  private async read(scope: Scope, layerId: string, lat: number): Promise<StreetGrid> {
    const shapes = await layerGeometries(this.state as State, scope, layerId)
    const lines = shapes.flatMap(({ shapeId, geometry }): StreetLine[] => {
      if (geometry.type === 'LineString') return [{ shapeUuid: shapeId, coordinates: geometry.coordinates }]
      return geometry.type === 'MultiLineString'
        ? geometry.coordinates.map((coordinates) => ({ shapeUuid: shapeId, coordinates }))
        : []
    })
    return buildStreetGrid(streetSegments(lines), lat)
  }
}
