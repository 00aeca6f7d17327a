import { IconLayer, ScatterplotLayer, TextLayer } from '@deck.gl/layers'
import type { Map as MapLibreMap } from 'maplibre-gl'
import { tokens } from '#web/kit/theme.ts'
import {
  clusterTextLayer,
  clustersLayer,
  flatDepth,
  selectedLayer,
  stationsLayer,
  vehiclesLayer,
} from '../layers/fleet-layers.ts'
import type { FleetCluster, FleetPoints, UserLocation, StationMark } from '../layers/fleet-points.ts'
import { clusterRingsLayer, userLocationLayer } from './canvas-icons.ts'
import { DeckOverlay } from './deck-overlay.ts'
import { toRgba } from '../layers/colors.ts'

const toPosition = ({ lon, lat }: UserLocation): [number, number] => [lon, lat]

/** Circle of uncertainty around the position of the user. */
export const accuracyCircleLayer = ({ scheme, userLocation }: FleetPoints) => ({
  id: 'user-location-accuracy',
  data: userLocation ? [userLocation] : [],
  getPosition: toPosition,
  radiusUnits: 'meters' as const,
  getRadius: ({ accuracy }: UserLocation): number => accuracy,
  getFillColor: toRgba(tokens[scheme].brightTeal, 40),
  stroked: true,
  lineWidthUnits: 'pixels' as const,
  getLineWidth: 1.5,
  getLineColor: toRgba(tokens[scheme].brightTeal, 180),
  parameters: flatDepth,
})

/** Draws a fleet above everything else. */
export const createFleetOverlay = (map: MapLibreMap): DeckOverlay<FleetPoints> =>
  new DeckOverlay<FleetPoints>(map, (fleet) =>
    [
      new ScatterplotLayer<UserLocation>(accuracyCircleLayer(fleet)),
      new ScatterplotLayer(vehiclesLayer(fleet)),
      new TextLayer<StationMark>(stationsLayer(fleet)),
      new ScatterplotLayer<FleetCluster>(clustersLayer(fleet)),
      new IconLayer<FleetCluster>(clusterRingsLayer(fleet)),
      new TextLayer<FleetCluster>(clusterTextLayer(fleet)),
      new ScatterplotLayer<{ lon: number; lat: number }>(selectedLayer(fleet)),
      new IconLayer<UserLocation>(userLocationLayer(fleet)),
      // Empty layers are removed, because the first frame waits for the shaders of all layers.
    ].filter(({ props }) => (props.data as ArrayLike<unknown>).length > 0),
  )
