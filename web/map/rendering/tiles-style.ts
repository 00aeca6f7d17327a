import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { TilesBasemap } from '../map-scene.ts'
import {
  buildingLayers,
  landLayers,
  parkLabels,
  parkLayers,
  waterLabels,
  waterLayers,
} from './area-layers.ts'
import type { BasemapPalette } from './basemap-palette.ts'
import type { BasemapStyle } from './basemap-style.ts'
import { type LayerSource, byZoom, hasGeometryType, sourceReference } from './style-expressions.ts'
import { placeLabels } from './place-labels.ts'
import { railLayers, streetClasses, streetLabels, streetLayers } from './street-layers.ts'
import { streetClassOfLayer, type TileLayerRole, tileLayerRole, commonTileLayers } from './tile-layer-role.ts'
import { isGreen, tileName, tilePlaceClass, tileStreetClass } from './tile-attributes.ts'

const source = 'basemap'

interface TileLayer extends LayerSource {
  role: TileLayerRole
}

/** Builds the basemap from external tiles in our own colors, guessing roles by layer names and attributes. */
export function buildTilesStyle(
  { tiles, layers, attribution, minZoom, maxZoom, bounds }: TilesBasemap,
  colors: BasemapPalette,
): BasemapStyle {
  const tileLayers = (layers.length ? layers : commonTileLayers).map((name): TileLayer => ({
    id: `basemap:${name}`,
    source,
    sourceLayer: name,
    name: tileName,
    role: tileLayerRole(name),
  }))
  const layersWithRole = (role: TileLayerRole) => tileLayers.filter((layer) => layer.role === role)
  const streets = layersWithRole('street').sort((a, b) => streetRank(a) - streetRank(b))
  return {
    sources: {
      [source]: {
        type: 'vector',
        tiles: [tiles],
        minzoom: minZoom,
        maxzoom: maxZoom,
        bounds,
        ...(attribution ? { attribution } : {}),
      },
    },
    base: [
      {
        id: 'ground',
        type: 'background',
        paint: { 'background-color': layersWithRole('land').length > 0 ? colors.background : colors.land },
      },
      ...layersWithRole('land').flatMap((layer) => landLayers(layer, colors)),
      ...layersWithRole('green').flatMap((layer) =>
        parkLayers(layer, colors, isGreenLayer(layer.sourceLayer) ? true : isGreen),
      ),
      ...layersWithRole('water').flatMap((layer) => waterLayers(layer, colors)),
      ...layersWithRole('building').flatMap((layer) => buildingLayers(layer, colors)),
      ...layersWithRole('other').map((layer) => unknownLayerLines(layer, colors)),
    ],
    streets: [
      ...streets.flatMap((layer) => streetLayers(layer, colors, tileStreetClass(layer.sourceLayer))),
      ...streets.flatMap((layer) => railLayers({ ...layer, id: `${layer.id}:rail` }, colors, isRail(layer))),
      ...layersWithRole('rail').flatMap((layer) =>
        railLayers(layer, colors, ['!=', tileStreetClass(layer.sourceLayer), 'none']),
      ),
    ],
    labels: [
      ...layersWithRole('green')
        .flatMap((layer) => parkLabels(layer, colors))
        .map((label) => limitToGreenAreas(label)),
      ...layersWithRole('water').flatMap((layer) => waterLabels(layer, colors)),
      ...streets.flatMap((layer) => streetLabels(layer, colors, tileStreetClass(layer.sourceLayer))),
      ...layersWithRole('place').flatMap((layer) => placeLabels(layer, colors, tilePlaceClass)),
    ],
  }
}

const streetRank = ({ sourceLayer }: TileLayer): number =>
  streetClasses.indexOf(streetClassOfLayer(sourceLayer))

const isRail = ({ sourceLayer }: TileLayer): ExpressionSpecification => [
  '==',
  tileStreetClass(sourceLayer),
  'rail',
]

const isGreenLayer = (layer: string): boolean => /park|green|forest|wood|garden/i.test(layer)

/** Limits labels to green areas; hospitals and schools are in the same layer as parks. */
const limitToGreenAreas = (label: LayerSpecification): LayerSpecification =>
  label.type !== 'symbol' || isGreenLayer(label['source-layer'] ?? '')
    ? label
    : ({ ...label, filter: ['all', label.filter ?? true, isGreen] } as LayerSpecification)

/** Draws thin lines and borders of layers with an unknown role. */
const unknownLayerLines = (layer: TileLayer, colors: BasemapPalette): LayerSpecification => ({
  id: layer.id,
  type: 'line',
  ...sourceReference(layer),
  filter: ['any', hasGeometryType('LineString'), hasGeometryType('Polygon')],
  paint: { 'line-color': colors.casing, 'line-width': byZoom([10, 0.5], [16, 1.2]) },
})
