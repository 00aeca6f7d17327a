import { BoundaryFileError } from './boundary-file-error.ts'
import { FeatureCollector } from './feature-collector.ts'
import { readFeatureProperties, getJsonMember, parseJson } from './parse-json.ts'
import type { Format } from './boundary-content.ts'
import { readHeadText } from './decode-text.ts'

/**
 * Geographies of the Mobility Data Specification, bare or wrapped in `{version, data}`.
 * A geography becomes one shape even if it has several features, because policies refer to its id.
 * https://github.com/openmobilityfoundation/mobility-data-specification/tree/main/geography
 */
export const mdsGeographyFormat = {
  key: 'mds-geography',
  title: 'MDS Geography',
  detect(_name, head) {
    const text = readHeadText(head)
    if (!text.startsWith('{')) return null
    // Within `features`, it would be the name of a property.
    const geographiesOffset = text.search(/"(geographies|geography_json)"\s*:\s*[[{]/)
    const featuresOffset = text.search(/"features"\s*:/)
    const isFirst = featuresOffset < 0 || geographiesOffset < featuresOffset
    return geographiesOffset >= 0 && isFirst ? 'by content' : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Geography')
    const document = parseJson(bytes, collector)
    const data = getJsonMember(document, 'data') ?? document
    const singleGeography = getJsonMember(data, 'geography') ?? data
    const geographies =
      getJsonMember(data, 'geographies') ??
      (getJsonMember(singleGeography, 'geography_json') === undefined ? null : [singleGeography])
    if (!Array.isArray(geographies))
      throw new BoundaryFileError(
        'not-mds-geography',
        'The file looks like MDS but has no list called “geographies”.',
      )
    geographies.forEach((geography, index) => addGeography(geography, index + 1, collector))
    return collector.finish('mds-geography')
  },
} satisfies Format

/** Adds an MDS geography as one record. */
function addGeography(geography: unknown, position: number, collector: FeatureCollector): void {
  if (typeof geography !== 'object' || geography === null) {
    collector.note(position, 'not-a-feature', `Geography ${position} has no content and was left out.`)
    return
  }
  const { geography_json: geoJson, ...properties } = geography as Record<string, unknown>
  const members = getJsonMember(geoJson, 'features')
  const features = Array.isArray(members) ? (members as unknown[]) : [geoJson]
  const geometries = features
    .map((feature) =>
      getJsonMember(feature, 'type') === 'Feature' ? getJsonMember(feature, 'geometry') : feature,
    )
    .filter((geometry) => geometry !== null && geometry !== undefined)
  const featureProperties = features.length === 1 ? readFeatureProperties(features[0]) : null
  const name = typeof properties['name'] === 'string' ? properties['name'].trim() : `${position}`
  if (geometries.length > 1)
    collector.note(
      position,
      'joined',
      `Geography ${position} (${name}) is drawn as ${geometries.length} features and became one shape.`,
    )
  collector.add(
    position,
    geometries.length === 1 ? geometries[0] : { type: 'GeometryCollection', geometries },
    { ...(featureProperties as object | null), ...properties },
  )
}
