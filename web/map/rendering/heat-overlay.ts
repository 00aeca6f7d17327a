import { HeatmapLayer, type HeatmapLayerProps } from '@deck.gl/aggregation-layers'
import type { Map as MapLibreMap } from 'maplibre-gl'
import { parseHexColor } from '../layers/colors.ts'
import type { HeatPoint, HeatPoints } from '../layers/heat-points.ts'
import { DeckOverlay } from './deck-overlay.ts'

/** Density of points from sparse to dense; deck.gl scales it to the densest visible place. */
function heatLayer({ points, colors }: HeatPoints, beforeId: string | undefined) {
  return {
    id: 'heat',
    data: [...points],
    getPosition: ({ lon, lat }: HeatPoint): [number, number] => [lon, lat],
    colorRange: colors.map(parseHexColor),
    radiusPixels: 28,
    intensity: 1,
    threshold: 0.04,
    opacity: 0.85,
    debounceTimeout: 200,
    // The basemap is opaque and writes depth: without this, its fills would punch holes into the heat map.
    parameters: { depthCompare: 'always' as const, depthWriteEnabled: false },
    ...(beforeId === undefined ? {} : { beforeId }),
  } satisfies HeatmapLayerProps<HeatPoint> & { beforeId?: string }
}

export const createHeatOverlay = (map: MapLibreMap): DeckOverlay<HeatPoints> =>
  new DeckOverlay<HeatPoints>(map, (heat, before) => [
    new HeatmapLayer<HeatPoint, { beforeId?: string }>(heatLayer(heat, before)),
  ])
