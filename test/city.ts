import { randomUUID } from 'node:crypto'
import { getImport, type Import, startImport, type TripMapping, uploadTrips } from '#contract/imports.ts'
import { uploadShapes } from '#contract/boundary-files.ts'
import { type Layer, listShapes, type Shape } from '#contract/geography.ts'
import { createOperator } from '#contract/managed-operators.ts'
import { type PermissionKey, permissionKeys } from '#contract/permission.ts'
import { createRegion } from '#contract/regions.ts'
import { createUser } from '#server/identity/create-user.ts'
import { noRecords, type Vehicle, type VehicleEvent } from '#server/fleet/events/feed-records.ts'
import { call, type SignedIn, signIn, type TestApp } from './app.ts'
import { storeOrganization } from './store-region.ts'
import { fixturePassword } from './password.ts'
import { fleetEvents, fleetVehicles } from './city/fleet.ts'
import { type CityShape, cedarWards, districts, makeGeoJson, lanes, zones } from './city/shapes.ts'
import { cityTrips, formatCsv, tripMapping } from './city/trips.ts'

/** The fixture regions, in different time zones: Alder and Birch of one organization, Cedar of another. */
export const regions = {
  alder: {
    regionId: 'alder',
    text: 'Alder',
    lat: 41.49,
    lon: -72.5,
    timezone: 'America/New_York',
    isMetric: false,
  },
  birch: {
    regionId: 'birch',
    text: 'Birch',
    lat: 47.56,
    lon: -52.71,
    timezone: 'America/St_Johns',
    isMetric: true,
  },
  cedar: {
    regionId: 'cedar',
    text: 'Cedar',
    lat: 41.5,
    lon: -72.5,
    timezone: 'Australia/Lord_Howe',
    isMetric: true,
  },
} as const

export const password = fixturePassword

export interface TestCity {
  /** Users of the organization of Alder and Birch: with all permissions, only those of geography, or none. */
  admin: SignedIn
  planner: SignedIn
  viewer: SignedIn
  /** A user of the other organization, with all permissions there. */
  stranger: SignedIn
  organizations: { alder: string; cedar: string }
}

/** Creates a user of the organization of Alder and returns the id. */
export const addUser = (
  app: TestApp,
  { organizations }: Pick<TestCity, 'organizations'>,
  email: string,
  permissions: readonly PermissionKey[] = [],
  secret = password,
): Promise<string> =>
  createUser(
    app.auth,
    app.state,
    {
      email,
      name: email.split('@')[0] ?? '',
      password: secret,
      organizationId: organizations.alder,
      permissions,
    },
    new Date(),
  )

/** Creates the users of the city without regions, layers or trips. */
export async function makePeople(app: TestApp): Promise<TestCity> {
  const organizations = { alder: randomUUID(), cedar: randomUUID() }
  for (const [name, id] of Object.entries(organizations))
    await storeOrganization(app.state, id, `City of ${name}`)
  const person = async (
    name: string,
    organization: keyof typeof organizations,
    permissions: readonly PermissionKey[],
  ): Promise<SignedIn> => {
    const email = `${name}@${organization}.example`
    await createUser(
      app.auth,
      app.state,
      { email, name, password, organizationId: organizations[organization], permissions },
      new Date(),
    )
    return signIn(app, email, password)
  }
  return {
    admin: await person('admin', 'alder', permissionKeys),
    planner: await person('planner', 'alder', ['edit_geography']),
    viewer: await person('viewer', 'alder', []),
    stranger: await person('stranger', 'cedar', permissionKeys),
    organizations,
  }
}

/** Creates the users and three empty regions. */
export async function makeRegions(app: TestApp): Promise<TestCity> {
  const city = await makePeople(app)
  await call(app, city.admin, createRegion, { body: regions.alder })
  await call(app, city.admin, createRegion, { body: regions.birch })
  await call(app, city.stranger, createRegion, { body: regions.cedar })
  return city
}

/** Adds a layer by uploading a file of shapes. */
export async function addLayer(
  app: TestApp,
  as: SignedIn,
  { region_id, layer_name, shapes }: { region_id: string; layer_name: string; shapes: readonly CityShape[] },
): Promise<Layer> {
  const { layer } = await call(app, as, uploadShapes, {
    params: { region_id },
    query: { file_name: `${layer_name}.geojson`, layer_name, name_property: 'name', accept_outside: 'true' },
    body: makeGeoJson(shapes),
  })
  return layer
}

export const readShapes = async (
  app: TestApp,
  as: SignedIn,
  { region_id = 'alder', shape_layer_uuid }: { region_id?: string; shape_layer_uuid: string },
): Promise<Shape[]> =>
  (await call(app, as, listShapes, { params: { region_id }, query: { shape_layer_uuid } })).items

/** Adds operators with their slugs as names. */
export async function addOperators(app: TestApp, as: SignedIn, slugs: readonly string[]): Promise<void> {
  for (const slug of slugs)
    await call(app, as, createOperator, { body: { slug, name: slug, colorHex: '#123456' } })
}

/** Stores events and vehicles in Alder, and waits until derived facts include them. */
export async function storeFleet(
  app: TestApp,
  city: TestCity,
  events: readonly VehicleEvent[] = fleetEvents,
  vehicles: readonly Vehicle[] = fleetVehicles,
) {
  const result = await app.fleetIngest.store({
    organizationId: city.organizations.alder,
    regionId: 'alder',
    operator: 'all',
    feedId: randomUUID(),
    stream: 'events',
    windowStart: Date.now(),
    received: Date.now(),
    records: { ...noRecords(), vehicles: [...vehicles], events: [...events] },
  })
  await app.fleetIngest.whenDerived()
  return result
}

export async function waitForImport(
  app: TestApp,
  as: SignedIn,
  { region_id, import_uuid }: Pick<Import, 'region_id' | 'import_uuid'>,
): Promise<Import> {
  for (;;) {
    const found = await call(app, as, getImport, { params: { region_id, import_uuid } })
    if (found.status !== 'queued' && found.status !== 'running') return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface TripFile {
  region_id: string
  file_name: string
  bytes: Uint8Array | string
  /** Starts an import with an unknown header. */
  mapping?: TripMapping | null
}

/** Imports a trip file and waits until the import has ended. */
export async function sendTrips(
  app: TestApp,
  as: SignedIn,
  { region_id, file_name, bytes, mapping = null }: TripFile,
): Promise<Import> {
  const sent = await call(app, as, uploadTrips, {
    params: { region_id },
    query: { file_name, accept_outside: 'true' },
    body: Buffer.from(bytes),
  })
  if (sent.status === 'needs_mapping' && mapping)
    await call(app, as, startImport, {
      params: { region_id, import_uuid: sent.import_uuid },
      body: { mapping, accept_outside: true },
    })
  else if (sent.status === 'needs_mapping') return sent
  return { ...(await waitForImport(app, as, sent)), same_as: sent.same_as }
}

/** Creates the users, Alder with three layers and trips, and Cedar with one layer and trips. */
export async function makeCity(app: TestApp) {
  const city = await makeRegions(app)
  const layers = {
    districts: await addLayer(app, city.admin, {
      region_id: 'alder',
      layer_name: 'Alder Districts',
      shapes: districts,
    }),
    zones: await addLayer(app, city.admin, { region_id: 'alder', layer_name: 'Alder Zones', shapes: zones }),
    lanes: await addLayer(app, city.admin, { region_id: 'alder', layer_name: 'Alder Lanes', shapes: lanes }),
    cedar: await addLayer(app, city.stranger, {
      region_id: 'cedar',
      layer_name: 'Cedar Wards',
      shapes: cedarWards,
    }),
  }
  const trips = await sendTrips(app, city.admin, {
    region_id: 'alder',
    file_name: 'alder-rides.csv',
    bytes: formatCsv(cityTrips),
    mapping: tripMapping,
  })
  await sendTrips(app, city.stranger, {
    region_id: 'cedar',
    file_name: 'cedar-rides.csv',
    bytes: formatCsv(
      cityTrips.slice(0, 200).map((trip) => ({ ...trip, id: `cedar-${trip.id}`, operator: 'cedar-cabs' })),
    ),
    mapping: tripMapping,
  })
  return { ...city, layers, trips }
}
