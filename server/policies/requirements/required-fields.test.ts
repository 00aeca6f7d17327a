import { expect, test } from 'vitest'
import { getRequirableEndpoints } from '#contract/required-endpoints.ts'
import { hasSchemas, readSchema } from '../../../test/mds-schemas.ts'

/** Returns all properties of a schema at any depth, and the required ones. */
function fieldsIn(schema: unknown): { all: Set<string>; required: Set<string> } {
  const parts = [schema, ...((schema as { allOf?: unknown[] }).allOf ?? [])] as {
    properties?: object
    required?: string[]
  }[]
  return {
    all: new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {}))),
    required: new Set(parts.flatMap(({ required }) => required ?? [])),
  }
}

/** Fields that are in the text of the standard but not in its schemas. */
const inProse = [
  'journey_id',
  'journey_attributes',
  'stop_id',
  'parent_stop',
  'region_id',
  'short_name',
  'rental_methods',
  'cross_street',
  'post_code',
  'image_url',
]

test.skipIf(!hasSchemas).each([
  ['vehicles', 'v2.0-json/vehicle.json'],
  ['vehicles/status', 'v2.0-json/vehicle-status.json'],
  ['trips', 'v2.0-json/trip.json'],
  ['telemetry', 'v2.0-json/telemetry.json'],
  ['events/recent', 'v2.0-json/event.json'],
  ['stops', 'v2.0-json/stop.json'],
])('Fields of MDS 2.0 %s are those of the standard', (endpoint, file) => {
  const known = getRequirableEndpoints('MDS', '2.0')?.find(
    (requirableEndpoint) => requirableEndpoint.endpoint === endpoint,
  )
  const { all, required } = fieldsIn(readSchema(file))
  const [optional, standard] = [known?.optional ?? [], known?.standard ?? []]
  expect([...optional, ...standard].filter((field) => !all.has(field) && !inProse.includes(field))).toEqual(
    [],
  )
  expect(optional.filter((field) => required.has(field))).toEqual([])
  expect(
    [...required].filter(
      (field) => !standard.includes(field) && !/^(device|provider|trip|event|telemetry|stop)_id$/.test(field),
    ),
  ).toEqual([])
  // No field is missing.
  expect(
    [...all].filter(
      (field) =>
        ![...optional, ...standard].includes(field) &&
        !/^(device|provider|trip|event|telemetry|stop)_id$/.test(field),
    ),
  ).toEqual([])
})
