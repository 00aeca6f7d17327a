import { ScatterplotLayer, TextLayer } from '@deck.gl/layers'
import type { Map as MapLibreMap } from 'maplibre-gl'
import { clustersLayer, clusterTextLayer } from '../layers/clusters-layer.ts'
import type { FleetCluster, FleetPoints, Here, StationMark } from '../layers/fleet-points.ts'
import { hereCircleLayer, hereLayer } from '../layers/here-layer.ts'
import { stationsLayer } from '../layers/stations-layer.ts'
import { selectedLayer, vehiclesLayer } from '../layers/vehicles-layer.ts'
import { DeckOverlay } from './deck-overlay.ts'

/** Draws a fleet over everything else. */
export const fleetOverlay = (map: MapLibreMap): DeckOverlay<FleetPoints> =>
  new DeckOverlay<FleetPoints>(map, (fleet) =>
    [
      new ScatterplotLayer<Here>(hereCircleLayer(fleet)),
      new ScatterplotLayer(vehiclesLayer(fleet)),
      new TextLayer<StationMark>(stationsLayer(fleet)),
      new ScatterplotLayer<FleetCluster>(clustersLayer(fleet)),
      new TextLayer<FleetCluster>(clusterTextLayer(fleet)),
      new ScatterplotLayer<{ lon: number; lat: number }>(selectedLayer(fleet)),
      new ScatterplotLayer<Here>(hereLayer(fleet)),
      // The first frame waits for the programs of all layers that are handed over.
    ].filter(({ props }) => (props.data as ArrayLike<unknown>).length > 0),
  )
