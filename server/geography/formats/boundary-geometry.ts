import type { LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon } from 'geojson'

/** A geometry as Publicway keeps it: two dimensions, WGS 84, longitude before latitude, in degrees. */
export type BoundaryGeometry = Polygon | MultiPolygon | LineString | MultiLineString | Point | MultiPoint

/** One record of a boundary file. */
export interface BoundaryFeature {
  geometry: BoundaryGeometry
  /** Nested values are JSON text. */
  properties: Record<string, string | number | boolean | null>
  /** 1-based index of the record in the file. Two features share one when a record held two kinds of geometry. */
  position: number
}
