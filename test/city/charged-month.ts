// Stores a month of trips and parking events as derived facts, and fee policies that charge them.
import { emptyPolicy, FeeProperties, type PolicyFields } from '#contract/policy.ts'
import { createLayer } from '#server/geography/layers/save-layer.ts'
import { publishPolicy } from '#server/policies/publish-policy.ts'
import { savePolicy } from '#server/policies/save-policy.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { bind, joinSql, type ScopedTable, type Sql, sql } from '#server/stores/sql.ts'
import type { State } from '#server/stores/state.ts'

export const chargedMonth = { start_date: '2026-01-01', end_date: '2026-01-31' }

interface Region {
  regionId: string
  lon: number
  lat: number
  timezone: string
}

/** Slug of the operator with a number, from 0. */
export const getOperatorSlug = (number: number): string => `rides-${number}`

/** Stores trips of each operator, each followed by a parking event. They are the same in every region. */
export async function storeChargedMonth(
  facts: Facts,
  scope: Scope,
  { regionId, lon, lat, timezone }: Region,
  { operators, trips }: { operators: number; trips: number },
): Promise<void> {
  const id = (salt: number): Sql =>
    sql`reinterpretAsUUID(sipHash128(number, ${bind('UInt8', salt)}, ${bind('String', regionId)}))`
  const begin = sql`toDateTime64('2026-01-01 06:00:00', 3, 'UTC') + toIntervalSecond(cityHash64(number) % 2600000) as begin`
  const rows: [ScopedTable, Readonly<Record<string, Sql>>][] = [
    [
      'trips',
      {
        trip_id: id(1),
        vehicle_id: sql`toString(number % 500)`,
        start_time: begin,
        end_time: sql`begin + toIntervalSecond(60 + cityHash64(number, 1) % 900)`,
        local_date: sql`toDate(toTimeZone(begin, ${bind('String', timezone)}))`,
        local_hour: sql`toHour(toTimeZone(begin, ${bind('String', timezone)}))`,
        distance_m: sql`1000`,
        duration_s: sql`dateDiff('second', begin, end_time)`,
        import_id: id(2),
      },
    ],
    [
      'parking_events',
      {
        device_id: id(3),
        event_id: id(4),
        from_time: begin,
        to_time: sql`begin + toIntervalMillisecond(cityHash64(number, 2) % 40000000)`,
        ended: sql`1`,
        lon: sql`${bind('Float64', lon)}`,
        lat: sql`${bind('Float64', lat)}`,
        version: sql`1`,
      },
    ],
  ]
  for (const [table, values] of rows) {
    const columns = {
      region_id: sql`${bind('String', regionId)}`,
      operator: sql`concat('rides-', toString(number % ${bind('UInt32', operators)}))`,
      vehicle_type: sql`if(number % 3 = 0, 'bicycle', 'scooter_standing')`,
      ...values,
    }
    const aliased = Object.entries(columns).map(([name, value]) =>
      name === 'end_time' ? sql`${value} as end_time` : value,
    )
    await facts.add(scope, table, {
      columns: Object.keys(columns),
      rows: sql`select ${joinSql(aliased, ', ')} from numbers(${bind('UInt64', operators * trips)})`,
    })
  }
}

const makeFee = (fields: object): Pick<PolicyFields, 'fee_properties'> => ({
  fee_properties: FeeProperties.parse(fields),
})

/** Adds a layer with one square around the center of the region. */
async function addDistrict(state: State, scope: Scope, { regionId, lon, lat }: Region, at: Date) {
  const ring: [number, number][] = [
    [lon - 0.1, lat - 0.1],
    [lon + 0.1, lat - 0.1],
    [lon + 0.1, lat + 0.1],
    [lon - 0.1, lat + 0.1],
    [lon - 0.1, lat - 0.1],
  ]
  const reading = {
    fileName: 'districts.geojson',
    format: 'test',
    features: [
      {
        geometry: { type: 'Polygon' as const, coordinates: [ring] },
        properties: { name: 'Center' },
        position: 1,
      },
    ],
    properties: [],
    suggestedName: 'name',
    notes: [],
    bbox: [0, 0, 0, 0] as [number, number, number, number],
  }
  const fields = { layer_name: 'Districts', name_property: 'name', level: null, editable: true }
  return createLayer(state, scope, { regionId, reading, newLayer: fields, at })
}

/** Publishes a price per trip, a schedule and a table by duration, all in effect in the month. */
export async function publishFees(
  stores: { state: State; facts: Facts },
  scope: Scope,
  region: Region,
): Promise<void> {
  const { regionId } = region
  const author = { scope, email: 'planner@city.example' }
  const at = new Date('2025-12-30T12:00:00Z')
  const { shape_layer_uuid } = await addDistrict(stores.state, scope, region, at)
  const parking = { policy_type: 'parking_fees', shape_layer_uuid }
  const policies: Partial<PolicyFields>[] = [
    {
      policy_type: 'trip_fees',
      policy_name: 'Trips',
      value: 0.15,
      ...makeFee({ options: { minimum_trip_duration: 120 } }),
    },
    {
      ...parking,
      policy_name: 'By hour',
      ...makeFee({
        parking_fee_type: 'variable_price_schedule',
        prices: {
          weekday: [
            { start_time: '08:00:00', end_time: '18:00:00', price: 0.31 },
            { start_time: '18:00:00', end_time: '08:00:00', price: 0.07 },
          ],
          all: [{ start_time: '08:00:00', end_time: null, price: 0.02 }],
        },
      }),
    },
    {
      ...parking,
      policy_name: 'By duration',
      ...makeFee({
        parking_fee_type: 'variable_price_parking_duration',
        prices_by_duration: [
          { start_duration: 0, end_duration: 30, price: 0 },
          { start_duration: 31, end_duration: null, price: 0.11 },
        ],
      }),
    },
  ]
  for (const fields of policies) {
    const { policy_uuid: id } = await savePolicy(stores, {
      viewer: author,
      body: { ...emptyPolicy(), region_id: regionId, ...chargedMonth, ...fields },
      at,
    })
    await publishPolicy(stores, { viewer: author, body: { policy_uuid: id }, at })
  }
}
