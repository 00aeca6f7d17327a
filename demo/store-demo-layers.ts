import type { Geometry } from '#contract/place.ts'
import type { App } from '#server/app.ts'
import { changeLayer } from '#server/geography/layers/change-layer.ts'
import { createLayer } from '#server/geography/layers/save-layer.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { City } from './city.ts'

/** Layers with at most this many shapes count trips that pass through. */
const maxIntersectedShapes = 500

/** Stores the city's layers and prepares the membership of the primary one. Returns the number of layers. */
export async function storeDemoLayers(
  { state, membership }: Pick<App, 'state' | 'membership'>,
  scope: Scope,
  { regionId, city, at }: { regionId: string; city: City; at: Date },
): Promise<number> {
  for (const { name, level, features } of city.layers) {
    const reading = {
      fileName: `${name}.geojson`,
      format: 'demo',
      features: features.map(({ geometry, properties }, index) => ({
        geometry: geometry as Geometry,
        properties: { ...properties },
        position: index + 1,
      })),
      properties: [],
      suggestedName: 'name',
      notes: [],
      bbox: [0, 0, 0, 0] as [number, number, number, number],
    }
    const created = await createLayer(state, scope, {
      regionId,
      reading,
      newLayer: {
        layer_name: name,
        name_property: 'name',
        level: level || null,
        editable: !level.startsWith('basemap:'),
      },
      at,
    })
    const layer =
      level.startsWith('basemap:') || features.length > maxIntersectedShapes
        ? created
        : await changeLayer(
            state,
            {
              viewer: { scope },
              params: { region_id: regionId, shape_layer_uuid: created.shape_layer_uuid },
              body: { intersect_route: true },
              at,
            },
            null,
          )
    if (level === 'l1') await membership.forLayer(scope, layer, 0)
  }
  return city.layers.length
}
