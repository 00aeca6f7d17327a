import type { LayerSpecification, SourceSpecification } from 'maplibre-gl'
import type { BasemapLayer } from './basemap-layer.ts'
import type { BasemapPalette } from './basemap-palette.ts'
import { byZoom } from './by-zoom.ts'
import { face } from './fonts.ts'
import { streetLabels, streetLayers } from './street-layers.ts'

export interface BasemapStyle {
  sources: Record<string, SourceSpecification>
  ground: LayerSpecification[]
  streets: LayerSpecification[]
  labels: LayerSpecification[]
}

/** Tiles beyond this zoom are the same shapes drawn larger. */
export const deepestTile = 15

const shapesOf = (source: string) => ({ source, 'source-layer': 'shapes' }) as const

/** The ground of a region from its own layers; a plain quiet one where it has none. */
export function basemapStyle(layers: readonly BasemapLayer[], colors: BasemapPalette): BasemapStyle {
  const of = (role: BasemapLayer['role']) => layers.map((layer, at) => ({ ...layer, id: `basemap:${role}:${at}` })).filter((layer) => layer.role === role)
  const parks = of('park')
  const streets = of('street')
  return {
    sources: Object.fromEntries(layers.map(({ role, tiles }, at) => [`basemap:${role}:${at}`, { type: 'vector', tiles: [tiles], maxzoom: deepestTile }])),
    ground: [
      { id: 'ground', type: 'background', paint: { 'background-color': of('water').length > 0 || of('land').length > 0 ? colors.ground : colors.land } },
      ...of('land').map(({ id }): LayerSpecification => ({ id, type: 'fill', ...shapesOf(id), paint: { 'fill-color': colors.land } })),
      ...parks.flatMap(({ id }) => area(id, colors.park, colors.parkLine)),
      ...of('water').flatMap(({ id }) => water(id, colors)),
    ],
    streets: streets.flatMap(({ id }) => streetLayers(id, colors)),
    labels: [...parks.map(({ id }) => parkLabel(id, colors)), ...streets.flatMap(({ id }) => streetLabels(id, colors, face.regular))],
  }
}

const area = (id: string, fill: string, line: string): LayerSpecification[] => [
  { id, type: 'fill', ...shapesOf(id), filter: ['==', ['geometry-type'], 'Polygon'], paint: { 'fill-color': fill } },
  { id: `${id}:line`, type: 'line', ...shapesOf(id), minzoom: 12, filter: ['==', ['geometry-type'], 'Polygon'], paint: { 'line-color': line, 'line-width': 0.8 } },
]

/** Rivers may come as areas or as lines. */
const water = (id: string, colors: BasemapPalette): LayerSpecification[] => [
  ...area(id, colors.water, colors.waterLine),
  {
    id: `${id}:stream`, type: 'line', ...shapesOf(id), filter: ['==', ['geometry-type'], 'LineString'], layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': colors.water, 'line-width': byZoom([10, 0.8], [14, 3], [18, 16]) },
  },
]

/** A park that several tiles cut is named in each of them: wide padding leaves one name in sight. */
const parkLabel = (id: string, colors: BasemapPalette): LayerSpecification => ({
  id: `${id}:name`, type: 'symbol', ...shapesOf(id), minzoom: 13, filter: ['has', 'name'],
  layout: { 'text-field': ['get', 'name'], 'text-font': face.italic, 'text-size': byZoom([13, 10.5], [17, 13]), 'text-max-width': 7, 'text-padding': 40 },
  paint: { 'text-color': colors.parkText, 'text-halo-color': colors.textHalo, 'text-halo-width': 1.2 },
})
