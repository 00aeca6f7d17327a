import type { Feature, LineString, MultiPolygon, Polygon } from 'geojson'
import type { StreetGraph } from './street-graph.ts'

/** A city, ready to be stored as a region with its layers. */
export interface City {
  name: string
  /** IANA zone. */
  timezone: string
  lon: number
  lat: number
  mapZoom: number
  layers: CityLayer[]
  streets: StreetGraph
}

export interface CityLayer {
  name: string
  /** `l1` for the primary layer, `basemap:*` for layers drawn below maps, otherwise empty. */
  level: string
  features: CityFeature[]
}

export type CityFeature = Feature<
  Polygon | MultiPolygon | LineString,
  { name: string; class?: string; kind?: string }
>
