import type { Finding } from '#server/mobility/fleet/finding.ts'
import { isObject, type JsonObject } from '../adapters/answer-body.ts'
import { UnreadableBody } from '../adapters/adapter.ts'
import { findingOf } from '../mds/finding-of.ts'
import type { GbfsZone } from './gbfs-part.ts'
import { flagOf, numberOf, textIn } from './gbfs-value.ts'

const ruleFlags = [
  'ride_allowed',
  'ride_start_allowed',
  'ride_end_allowed',
  'ride_through_allowed',
  'station_parking',
] as const

/** What the first rule says, as plain properties: it is the one that counts for most vehicles; all rules stand beside as JSON. */
function rulesOf(rules: unknown): GbfsZone['properties'] {
  if (!Array.isArray(rules) || !rules.length) return {}
  const [first] = rules
  const properties: GbfsZone['properties'] = { rules: JSON.stringify(rules).slice(0, 4000) }
  if (!isObject(first)) return properties
  for (const name of ruleFlags) {
    const flag = flagOf(first[name])
    if (flag !== null) properties[name] = flag
  }
  const speed = numberOf(first['maximum_speed_kph'])
  if (!Number.isNaN(speed)) properties['maximum_speed_kph'] = speed
  return properties
}

/** Geofencing zones of any version as features, in the order of the feed: earlier ones count before later ones. */
export function readZones(data: JsonObject, language: string, findings: Finding[]): GbfsZone[] {
  const collection = data['geofencing_zones']
  const features = isObject(collection) ? collection['features'] : undefined
  if (!Array.isArray(features))
    throw new UnreadableBody('The answer holds no collection of geofencing zones.')
  return features.flatMap((feature, at): GbfsZone[] => {
    const properties = isObject(feature) && isObject(feature['properties']) ? feature['properties'] : {}
    if (!isObject(feature) || !isObject(feature['geometry'])) {
      findings.push(findingOf('schema', String(at), `features[${at}]`, 'The zone has no geometry.', feature))
      return []
    }
    const name = textIn(properties['name'], language)
    const time = (of: unknown): string | null =>
      typeof of === 'string' || typeof of === 'number' ? String(of).slice(0, 40) : null
    return [
      {
        type: 'Feature',
        geometry: feature['geometry'],
        properties: {
          name: name || `Zone ${at + 1}`,
          ...rulesOf(properties['rules']),
          start: time(properties['start']),
          end: time(properties['end']),
        },
      },
    ]
  })
}
