import { isObject } from '../adapters/answer-body.ts'
import { timeOf } from '../gbfs/gbfs-value.ts'

/** The records of a JSON file of 311 requests. */
export interface IssueList {
  layout: 'JSON' | 'GeoJSON' | 'ArcGIS'
  records: unknown[]
  /** When the list was fetched, ms; null where it does not tell. */
  fetched: number | null
}

const names = ['records', 'service_requests', 'requests', 'features', 'results', 'items', 'data', 'rows']

/** A feature's properties with its place beside them. */
function ofFeature(feature: unknown): unknown {
  if (!isObject(feature)) return feature
  const { geometry } = feature
  const properties = isObject(feature['properties'])
    ? feature['properties']
    : isObject(feature['attributes'])
      ? feature['attributes']
      : {}
  const point =
    isObject(geometry) && geometry['type'] === 'Point' && Array.isArray(geometry['coordinates'])
      ? geometry['coordinates']
      : isObject(geometry) && 'x' in geometry
        ? [geometry['x'], geometry['y']]
        : null
  return point && !('point' in properties)
    ? { ...properties, point: `POINT (${String(point[0])} ${String(point[1])})` }
    : properties
}

/** The list within a JSON value: a list itself, or the list of an object under one of the usual names. Null: there is none. */
export function issueList(json: unknown): IssueList | null {
  const whole = isObject(json) ? json : {}
  const list = Array.isArray(json) ? json : names.map((name) => whole[name]).find(Array.isArray)
  if (!list) return null
  const told = timeOf(whole['fetched_at'])
  const fetched = Number.isNaN(told) ? null : told
  if (whole['type'] === 'FeatureCollection')
    return { layout: 'GeoJSON', records: list.map(ofFeature), fetched }
  if (list.some((each) => isObject(each) && isObject(each['attributes'])))
    return { layout: 'ArcGIS', records: list.map(ofFeature), fetched }
  return { layout: 'JSON', records: list, fetched }
}
