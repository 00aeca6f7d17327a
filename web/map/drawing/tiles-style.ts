import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl'
import type { TilesBasemap } from '../scene-basemap.ts'
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
import { byZoom } from './by-zoom.ts'
import { type LayerSource, hasGeometryType, sourceReference } from './layer-source.ts'
import { placeLabels } from './place-labels.ts'
import { railLayers, streetClasses, streetLabels, streetLayers } from './street-layers.ts'
import { streetClassOfLayer, type TileLayerRole, tileLayerRole, commonTileLayers } from './tile-layer-role.ts'
import { isGreen, tileName, tilePlaceClass, tileStreetClass } from './tile-attributes.ts'

const source = 'basemap'

interface TileLayer extends LayerSource {
  role: TileLayerRole
}

/** The ground from somebody else's tiles, in our own colours: by the names of their layers and the words in them. */
export function buildTilesStyle(
  { tiles, layers, attribution, minZoom, maxZoom, bounds }: TilesBasemap,
  colors: BasemapPalette,
): BasemapStyle {
  const drawn = (layers.length ? layers : commonTileLayers).map((name): TileLayer => ({
    id: `basemap:${name}`,
    source,
    sourceLayer: name,
    name: tileName,
    role: tileLayerRole(name),
  }))
  const of = (role: TileLayerRole) => drawn.filter((layer) => layer.role === role)
  const streets = of('street').sort((a, b) => streetRank(a) - streetRank(b))
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
        paint: { 'background-color': of('land').length > 0 ? colors.background : colors.land },
      },
      ...of('land').flatMap((each) => landLayers(each, colors)),
      ...of('green').flatMap((each) =>
        parkLayers(each, colors, isGreenLayer(each.sourceLayer) ? true : isGreen),
      ),
      ...of('water').flatMap((each) => waterLayers(each, colors)),
      ...of('building').flatMap((each) => buildingLayers(each, colors)),
      ...of('other').map((each) => otherLines(each, colors)),
    ],
    streets: [
      ...streets.flatMap((each) => streetLayers(each, colors, tileStreetClass(each.sourceLayer))),
      ...streets.flatMap((each) => railLayers({ ...each, id: `${each.id}:rail` }, colors, isRail(each))),
      ...of('rail').flatMap((each) =>
        railLayers(each, colors, ['!=', tileStreetClass(each.sourceLayer), 'none']),
      ),
    ],
    labels: [
      ...of('green')
        .flatMap((each) => parkLabels(each, colors))
        .map((label) => greenOnly(label)),
      ...of('water').flatMap((each) => waterLabels(each, colors)),
      ...streets.flatMap((each) => streetLabels(each, colors, tileStreetClass(each.sourceLayer))),
      ...of('place').flatMap((each) => placeLabels(each, colors, tilePlaceClass)),
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

/** Hospitals and schools lie in the same layer as parks. */
const greenOnly = (label: LayerSpecification): LayerSpecification =>
  label.type !== 'symbol' || isGreenLayer(label['source-layer'] ?? '')
    ? label
    : ({ ...label, filter: ['all', label.filter ?? true, isGreen] } as LayerSpecification)

/** Of what nobody knows, the lines and borders, thin. */
const otherLines = (of: TileLayer, colors: BasemapPalette): LayerSpecification => ({
  id: of.id,
  type: 'line',
  ...sourceReference(of),
  filter: ['any', hasGeometryType('LineString'), hasGeometryType('Polygon')],
  paint: { 'line-color': colors.casing, 'line-width': byZoom([10, 0.5], [16, 1.2]) },
})
