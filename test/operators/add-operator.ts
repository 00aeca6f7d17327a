import { randomUUID } from 'node:crypto'
import { createOperator } from '#contract/managed-operators.ts'
import { hourMs } from '#contract/period.ts'
import { regionScope, systemScope } from '#server/identity/scope.ts'
import type { Scope } from '#server/stores/scope.ts'
import { StationHistory } from '#server/fleet/stations/station-history.ts'
import { storeBody } from '#server/feeds/gbfs/gbfs-bodies.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { routeColumns } from '#server/routes/route-line.ts'
import { increaseFactsVersion } from '#server/regions/facts-version.ts'
import { call, type TestApp } from '../app.ts'
import { sendTrips, type TestCity } from '../city.ts'
import { fleetEvents, fleetPeriod, fleetVehicles } from '../city/fleet.ts'
import { cityTrips, formatCsv, tripMapping } from '../city/trips.ts'
import { addFeed, makeEvent } from '../open-health.ts'
import { region_id, segments } from './streets.ts'

/** Ids of the data that was stored for an operator. */
export interface AddedOperator {
  feedId: string
  incidentId: string
  deviceId: string
  vehicleId: string
  invoiceId: string
}

/** The two operators, which differ in vehicles, days, numbers of trips and routes. */
const operators = {
  lark: {
    source: 'alder-bikes',
    type: 'bicycle',
    kind: 'bicycle',
    from: '2026-03-01',
    trips: 400,
    routes: 5,
    day: '2026-03-05',
    vehicle: 1,
  },
  heron: {
    source: 'birch-scoot',
    type: 'scooter_standing',
    kind: 'scooter',
    from: '2026-02-20',
    trips: 900,
    routes: 9,
    day: '2026-02-21',
    vehicle: 5,
  },
} as const

/** Adds an operator with feeds, trips, events, routes, stations, findings and an open incident. */
export async function addOperator(
  app: TestApp,
  city: TestCity,
  slug: keyof typeof operators,
): Promise<AddedOperator> {
  const organizationId = city.organizations.alder
  await call(app, city.admin, createOperator, {
    body: { slug, name: `${slug} rides`, colorHex: '#123456', providerId: randomUUID() },
  })
  const feedId = await addFeed(app, region_id, slug)
  await app.state
    .as(systemScope)
    .updateTable('feed')
    .set({ problem: `The server of ${slug} failed.`, problem_since: new Date() })
    .where('feed_id', '=', feedId)
    .execute()
  const operator: NewOperator = {
    app,
    city,
    organizationId,
    scope: regionScope(organizationId, region_id),
    slug,
    feedId,
    now: Math.floor(Date.now() / hourMs) * hourMs,
  }
  await sendRides(operator)
  const deviceId = await storeFleet(operator)
  await storeRoutes(operator, deviceId)
  const stations = { regionId: region_id, feedId: await storeGbfs(operator), operator: slug }
  await storeStationHistory(operator, stations)
  const incidentId = await openIncident(operator)
  const invoiceId = await addInvoice(app, slug, 1000 * operators[slug].vehicle)
  return { feedId, incidentId, deviceId, vehicleId: `${slug}-now`, invoiceId }
}

interface NewOperator {
  app: TestApp
  city: TestCity
  organizationId: string
  scope: Scope
  slug: keyof typeof operators
  feedId: string
  now: number
}

async function sendRides({ app, city, slug }: NewOperator): Promise<void> {
  const { kind, from, trips } = operators[slug]
  const rides = cityTrips
    .filter((trip) => trip.day >= from)
    .slice(0, trips)
    .map((trip) => ({
      ...trip,
      id: `${slug}-${trip.id}`,
      operator: slug,
      vehicleType: kind as typeof trip.vehicleType,
    }))
  await sendTrips(app, city.admin, {
    region_id,
    file_name: `${slug}.csv`,
    bytes: formatCsv(rides),
    mapping: tripMapping,
  })
}

/** Stores vehicles, events, a trip and a finding. Returns the device of the current events. */
async function storeFleet({ app, organizationId, slug, feedId, now }: NewOperator): Promise<string> {
  const { source, type, vehicle } = operators[slug]
  const past = fleetEvents
    .filter(({ operator }) => operator === source)
    .map((event) => ({ ...event, operator: slug }))
  const vehicles = fleetVehicles
    .filter(({ operator }) => operator === source)
    .map((fleetVehicle) => ({
      ...fleetVehicle,
      operator: slug,
      vehicleType: type,
      vehicleId: `${slug}-${fleetVehicle.vehicleId}`,
    }))
  const recent = Array.from({ length: 40 * vehicle }, (_, n) =>
    makeEvent(
      slug,
      vehicle,
      now - (n + 1) * 97_000 * (n % 3 ? 1 : 9),
      n % 3 ? {} : { types: ['provider_drop_off'] },
    ),
  )
  const device = recent[0]?.deviceId ?? ''
  const ride = randomUUID()
  const report = {
    operator: slug,
    tripId: ride,
    deviceId: device,
    startTime: now - 30 * hourMs,
    endTime: now - 29 * hourMs,
    startLon: -72.5,
    startLat: 41.49,
    endLon: -72.5,
    endLat: 41.49,
    distance: 1500 * vehicle,
    duration: 3600,
    published: 0,
    attributes: '',
  }
  const finding = {
    kind: 'schema' as const,
    recordId: `${slug}-7`,
    field: 'location.lat',
    reason: 'It lies outside of the earth.',
    raw: JSON.stringify({ of: slug }),
  }
  const registered = {
    operator: slug,
    deviceId: device,
    vehicleId: `${slug}-now`,
    vehicleType: type,
    mode: 'micromobility',
    propulsionTypes: ['electric'],
    attributes: '{}',
  }
  await app.fleetIngest.store({
    organizationId,
    regionId: region_id,
    operator: slug,
    feedId,
    stream: 'events',
    windowStart: now,
    received: now + 10_000 * vehicle,
    records: {
      ...noRecords(),
      vehicles: [...vehicles, registered],
      events: [...past, ...recent],
      trips: [report],
      findings: [finding],
    },
  })
  await app.fleetIngest.whenDerived()
  return device
}

async function storeRoutes({ app, scope, slug }: NewOperator, device: string): Promise<void> {
  const { type, routes: ways, day, vehicle } = operators[slug]
  const lines = Array.from(
    { length: ways },
    () =>
      `${region_id}\t${slug}\t${randomUUID()}\t${device}\t${type}\t${day} 12:00:00\t${day}\t8\t[0,1]\t[0,1]\t[0,9]\t${1000 * vehicle}\t2\t[${segments.join(',')}]\t[${segments.map(() => 1).join(',')}]\t0\t1\n`,
  )
  await app.facts.insert(scope, 'trip_routes', {
    columns: routeColumns,
    regionId: region_id,
    lines: Buffer.from(lines.join('')),
  })
  await increaseFactsVersion(app.state, scope, region_id)
  await app.derivation.idle(['route_volumes', 'fee_days'])
}

/** Adds a GBFS feed with a vehicle and a station. Returns its id. */
async function storeGbfs({ app, scope, slug, now }: NewOperator): Promise<string> {
  const { vehicle } = operators[slug]
  const gbfs = await addFeed(app, region_id, slug, { kind: 'gbfs', version: '3.0' })
  const toJson = (data: object): string =>
    JSON.stringify({ last_updated: new Date(now).toISOString(), ttl: 60, version: '3.0', data })
  const files = {
    vehicle_status: {
      vehicles: [{ vehicle_id: `${slug}-v`, lat: 41.5, lon: -72.5, is_reserved: false, is_disabled: false }],
    },
    station_information: {
      stations: [
        {
          station_id: `${slug}-s`,
          name: [{ text: `Dock of ${slug}`, language: 'en' }],
          lat: 41.5,
          lon: -72.5,
          capacity: 4 * vehicle,
        },
      ],
    },
    station_status: {
      stations: [
        {
          station_id: `${slug}-s`,
          num_vehicles_available: vehicle,
          is_installed: true,
          is_renting: true,
          is_returning: true,
          last_reported: new Date(now).toISOString(),
        },
      ],
    },
  }
  for (const [endpoint, data] of Object.entries(files))
    await storeBody(
      app.state.as(scope),
      { regionId: region_id, feedId: gbfs, operator: slug },
      { endpoint, body: toJson(data), lastUpdated: now },
      now,
    )
  return gbfs
}

async function storeStationHistory(
  { app, scope, slug }: NewOperator,
  stations: { regionId: string; feedId: string; operator: string },
): Promise<void> {
  const { vehicle } = operators[slug]
  const history = new StationHistory(app.facts)
  const noon = Date.parse(`${fleetPeriod.start_date}T17:00:00Z`)
  await history.recordDetails(
    scope,
    stations,
    [
      {
        stationId: `${slug}-s`,
        name: `Dock of ${slug}`,
        lat: 41.5,
        lon: -72.5,
        capacity: 4 * vehicle,
        isVirtual: false,
      },
    ],
    noon,
  )
  for (const [index, vehiclesAvailable] of [vehicle, 0, vehicle - 1].entries())
    await history.recordStates(
      scope,
      stations,
      [
        {
          stationId: `${slug}-s`,
          vehiclesAvailable,
          docksAvailable: 2,
          vehiclesDisabled: 0,
          isInstalled: true,
          isRenting: true,
          isReturning: true,
          lastReported: noon + 300_000 * index,
        },
      ],
      noon + 300_000 * index,
    )
}

/** Opens an incident of the failing feed. Returns its id. */
async function openIncident({ app, slug, feedId, now }: NewOperator): Promise<string> {
  const { vehicle } = operators[slug]
  const { incident_id: incidentId } = await app.state
    .as(systemScope)
    .insertInto('incident')
    .values({
      region_id,
      rule: 'feed_failing',
      operator: slug,
      feed_id: feedId,
      subject: feedId,
      opened_time: new Date(now - hourMs),
      value: 40 * vehicle,
      worst: 40 * vehicle,
      notified: 40 * vehicle,
    })
    .returning('incident_id')
    .executeTakeFirstOrThrow()
  await app.state
    .as(systemScope)
    .insertInto('incident_step')
    .values({
      incident_id: incidentId,
      region_id,
      at: new Date(now - hourMs),
      step: 'opened',
      value: 40 * vehicle,
    })
    .execute()
  return incidentId
}

/** Adds an issued invoice with one disputed line and a payment. */
async function addInvoice(app: TestApp, operator: string, total: number): Promise<string> {
  const store = app.state.as(systemScope)
  const at = new Date('2026-04-02T12:00:00Z')
  const [invoice_id, dispute_id] = [randomUUID(), randomUUID()]
  const feeLine = {
    line: 1,
    kind: 'fee',
    policy_uuid: null,
    constant_policy_uuid: null,
    policy_type: null,
    policy_name: 'Permit',
    description: `Permit of ${operator}`,
    start_date: '2026-03-01',
    end_date: '2026-03-31',
    quantity: '1',
    unit: 'permit',
    unit_price: null,
    amount: (total / 100).toFixed(2),
    days_without_data: [],
    tax_code: null,
    is_estimate: false,
    original: null,
    charged_before: null,
  }
  await store
    .insertInto('invoice')
    .values({
      invoice_id,
      region_id,
      operator,
      kind: 'invoice',
      status: 'issued',
      currency: 'USD',
      start_date: feeLine.start_date,
      end_date: feeLine.end_date,
      issue_date: '2026-04-02',
      due_date: '2026-05-02',
      retain_until: '2036-12-31',
      number: `${operator}-1`,
      lines: JSON.stringify([feeLine]),
      taxes: '[]',
      net: String(total),
      tax: '0',
      total: String(total),
      method_version: 1,
      created_time: at,
      prepared_by: 'clerk@alder.example',
      prepared_time: at,
    })
    .execute()
  await store
    .insertInto('invoice_payment')
    .values({
      region_id,
      invoice_id,
      date: '2026-04-20',
      amount: '700',
      reference: `wire of ${operator}`,
      recorded_by: 'clerk@alder.example',
      recorded_time: at,
    })
    .execute()
  await store
    .insertInto('invoice_dispute')
    .values({
      dispute_id,
      region_id,
      invoice_id,
      line: 1,
      state: 'open',
      amount: '100',
      reason: `Too much, says ${operator}`,
      opened_time: at,
    })
    .execute()
  return invoice_id
}
