import { regionScope } from '#server/identity/scope.ts'
import type { MdsVersion } from '../mds/mds-context.ts'
import { AgencyError } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyRequest, AgencyRoute } from './agency-route.ts'
import { knownVehicles } from './queries/known-vehicles.ts'
import { lastEvents } from './queries/last-events.ts'
import { lastPoints } from './queries/last-points.ts'
import { registeredVehicles } from './registered-vehicles.ts'
import { storedVehicle } from './stored-vehicle.ts'
import { statusAnswer } from './status-answer.ts'
import { mds1VehicleAnswer, vehicleAnswer } from './vehicle-answer.ts'

/** The list of all vehicles contains those with records in this many days. */
const listedDays = 30
const noVehicle = (): AgencyError =>
  new AgencyError(404, 'not_found', 'There is no such vehicle.', ['device_id'])

const scopeOf = ({ pusher: { organizationId, regionId } }: AgencyRequest) =>
  regionScope(organizationId, regionId)
const ofOne = ({ pusher: { regionId, operator }, id }: AgencyRequest) => ({
  regionId,
  operator,
  deviceId: id,
  since: 0,
})
const ofAll = ({ pusher: { regionId, operator }, received }: AgencyRequest) => ({
  regionId,
  operator,
  deviceId: null,
  since: received - listedDays * 86_400_000,
})

/** The endpoints of MDS 2.0 where operators read their own vehicles. */
export function vehicleRoutes(agency: Agency): AgencyRoute[] {
  const { facts } = agency
  const version: MdsVersion = '2.0'
  const statuses = async (
    request: AgencyRequest,
    vehicles: ReturnType<typeof ofOne> | ReturnType<typeof ofAll>,
  ) => {
    const [events, points] = await Promise.all([
      lastEvents(facts, scopeOf(request), vehicles),
      lastPoints(facts, scopeOf(request), vehicles),
    ])
    return [...events.values()].map((event) =>
      statusAnswer(event, points.get(event.deviceId), request.pusher),
    )
  }
  return [
    {
      method: 'GET',
      path: '/vehicles',
      handle: async (request) => ({
        status: 200,
        body: {
          version,
          vehicles: (
            await knownVehicles(facts, scopeOf(request), request.pusher.regionId, request.pusher.operator)
          ).map((each) => vehicleAnswer(each, request.pusher)),
        },
      }),
    },
    {
      method: 'GET',
      path: '/vehicles/:id',
      async handle(request) {
        const known = await storedVehicle(agency, request.pusher, request.id)
        if (!known) throw noVehicle()
        return { status: 200, body: { version, vehicles: [vehicleAnswer(known, request.pusher)] } }
      },
    },
    {
      method: 'GET',
      path: '/vehicles/status',
      handle: async (request) => ({
        status: 200,
        body: { version, vehicles_status: await statuses(request, ofAll(request)) },
      }),
    },
    {
      method: 'GET',
      path: '/vehicles/status/:id',
      async handle(request) {
        const found = (await registeredVehicles(agency, request.pusher, [request.id])).size
          ? await statuses(request, ofOne(request))
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
      async handle(request) {
        const [known, events] = await Promise.all([
          knownVehicles(facts, scopeOf(request), request.pusher.regionId, request.pusher.operator),
          lastEvents(facts, scopeOf(request), ofAll(request)),
        ])
        return {
          status: 200,
          body: {
            vehicles: known.map((each) => mds1VehicleAnswer(each, request.pusher, events.get(each.deviceId))),
            links,
          },
        }
      },
    },
    {
      method: 'GET',
      path: '/vehicles/:id',
      async handle(request) {
        const known = await storedVehicle(agency, request.pusher, request.id)
        if (!known) return { status: 404 }
        const events = await lastEvents(facts, scopeOf(request), ofOne(request))
        return {
          status: 200,
          body: { vehicles: [mds1VehicleAnswer(known, request.pusher, events.get(request.id))] },
        }
      },
    },
  ]
}
