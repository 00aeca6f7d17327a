import type { LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon } from 'geojson'

/** A geometry as Publicway keeps it: two dimensions, WGS 84, longitude before latitude, in degrees. */
export type BoundaryGeometry = Polygon | MultiPolygon | LineString | MultiLineString | Point | MultiPoint
