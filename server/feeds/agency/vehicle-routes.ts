import { regionScope } from '#server/identity/scope.ts'
import type { MdsVersion } from '#server/ingest/mds/mds-context.ts'
import { AgencyError } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyAsk, AgencyRoute } from './agency-route.ts'
import { knownVehicles } from './queries/known-vehicles.ts'
import { lastEvents } from './queries/last-events.ts'
import { lastPoints } from './queries/last-points.ts'
import { registeredVehicles } from './registered-vehicles.ts'
import { storedVehicle } from './stored-vehicle.ts'
import { statusAnswer } from './status-answer.ts'
import { mds1VehicleAnswer, vehicleAnswer } from './vehicle-answer.ts'

/** A list of all vehicles tells of those that were heard of in these days. */
const listedDays = 30
const noVehicle = (): AgencyError =>
  new AgencyError(404, 'not_found', 'There is no such vehicle.', ['device_id'])

const scopeOf = ({ pusher: { organizationId, regionId } }: AgencyAsk) => regionScope(organizationId, regionId)
const ofOne = ({ pusher: { regionId, operator }, id }: AgencyAsk) => ({
  regionId,
  operator,
  deviceId: id,
  since: 0,
})
const ofAll = ({ pusher: { regionId, operator }, received }: AgencyAsk) => ({
  regionId,
  operator,
  deviceId: null,
  since: received - listedDays * 86_400_000,
})

/** What operators read back of their own vehicles in MDS 2.0. */
export function vehicleRoutes(agency: Agency): AgencyRoute[] {
  const { facts } = agency
  const version: MdsVersion = '2.0'
  const statuses = async (ask: AgencyAsk, of: ReturnType<typeof ofOne> | ReturnType<typeof ofAll>) => {
    const [events, points] = await Promise.all([
      lastEvents(facts, scopeOf(ask), of),
      lastPoints(facts, scopeOf(ask), of),
    ])
    return [...events.values()].map((event) => statusAnswer(event, points.get(event.deviceId), ask.pusher))
  }
  return [
    {
      method: 'GET',
      path: '/vehicles',
      answer: async (ask) => ({
        status: 200,
        body: {
          version,
          vehicles: (await knownVehicles(facts, scopeOf(ask), ask.pusher.regionId, ask.pusher.operator)).map(
            (each) => vehicleAnswer(each, ask.pusher),
          ),
        },
      }),
    },
    {
      method: 'GET',
      path: '/vehicles/:id',
      async answer(ask) {
        const known = await storedVehicle(agency, ask.pusher, ask.id)
        if (!known) throw noVehicle()
        return { status: 200, body: { version, vehicles: [vehicleAnswer(known, ask.pusher)] } }
      },
    },
    {
      method: 'GET',
      path: '/vehicles/status',
      answer: async (ask) => ({
        status: 200,
        body: { version, vehicles_status: await statuses(ask, ofAll(ask)) },
      }),
    },
    {
      method: 'GET',
      path: '/vehicles/status/:id',
      async answer(ask) {
        const found = (await registeredVehicles(agency, ask.pusher, [ask.id])).size
          ? await statuses(ask, ofOne(ask))
          : []
        if (!found.length) throw noVehicle()
        return { status: 200, body: { version, vehicles_status: found } }
      },
    },
  ]
}

/** The same in MDS 1.2. */
export function mds1VehicleRoutes(agency: Agency): AgencyRoute[] {
  const { facts } = agency
  const links = { first: null, last: null, prev: null, next: null }
  return [
    {
      method: 'GET',
      path: '/vehicles',
      async answer(ask) {
        const [known, events] = await Promise.all([
          knownVehicles(facts, scopeOf(ask), ask.pusher.regionId, ask.pusher.operator),
          lastEvents(facts, scopeOf(ask), ofAll(ask)),
        ])
        return {
          status: 200,
          body: {
            vehicles: known.map((each) => mds1VehicleAnswer(each, ask.pusher, events.get(each.deviceId))),
            links,
          },
        }
      },
    },
    {
      method: 'GET',
      path: '/vehicles/:id',
      async answer(ask) {
        const known = await storedVehicle(agency, ask.pusher, ask.id)
        if (!known) return { status: 404 }
        const events = await lastEvents(facts, scopeOf(ask), ofOne(ask))
        return {
          status: 200,
          body: { vehicles: [mds1VehicleAnswer(known, ask.pusher, events.get(ask.id))] },
        }
      },
    },
  ]
}
