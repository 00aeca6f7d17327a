import { HeatmapLayer } from '@deck.gl/aggregation-layers'
import type { Map as MapLibreMap } from 'maplibre-gl'
import { heatLayer } from '../layers/heat-layer.ts'
import type { HeatPoint, HeatPoints } from '../layers/heat-points.ts'
import { DeckOverlay } from './deck-overlay.ts'

export const heatOverlay = (map: MapLibreMap): DeckOverlay<HeatPoints> =>
  new DeckOverlay<HeatPoints>(map, (heat, before) => [
    new HeatmapLayer<HeatPoint, { beforeId?: string }>(heatLayer(heat, before)),
  ])
