import { dayMs } from '#contract/period.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { MdsVersion } from '../mds/mds-context.ts'
import { AgencyError } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyRequest, AgencyRoute } from './agency-route.ts'
import { findVehicles } from './queries/known-vehicles.ts'
import { findLastEvents } from './queries/last-events.ts'
import { findLastPoints } from './queries/last-points.ts'
import { findRegisteredVehicles, findStoredVehicle } from './registered-vehicles.ts'
import { toStatusResponse } from './status-response.ts'
import { toMds1Vehicle, toMds2Vehicle } from './vehicle-response.ts'

/** Lists with states contain the vehicles that had an event in this many days. */
const listedDays = 30
const vehicleNotFound = (): AgencyError =>
  new AgencyError(404, 'not_found', 'There is no such vehicle.', ['device_id'])

const getScope = ({ pusher: { organizationId, regionId } }: AgencyRequest) =>
  regionScope(organizationId, regionId)
/** Selects the vehicle in the path of a request, with events of all times. */
const selectOne = ({ pusher: { regionId, operator }, id }: AgencyRequest) => ({
  regionId,
  operator,
  deviceId: id,
  since: 0,
})
/** Selects all vehicles of the operator with an event in the last `listedDays`. */
const selectAll = ({ pusher: { regionId, operator }, received }: AgencyRequest) => ({
  regionId,
  operator,
  deviceId: null,
  since: received - listedDays * dayMs,
})

/** Returns the endpoints of MDS 2.0 that return an operator's own vehicles. */
export function vehicleRoutes(agency: Agency): AgencyRoute[] {
  const { facts } = agency
  const version: MdsVersion = '2.0'
  const findStatuses = async (
    request: AgencyRequest,
    selection: ReturnType<typeof selectOne> | ReturnType<typeof selectAll>,
  ) => {
    const [events, points] = await Promise.all([
      findLastEvents(facts, getScope(request), selection),
      findLastPoints(facts, getScope(request), selection),
    ])
    return [...events.values()].map((event) =>
      toStatusResponse(event, points.get(event.deviceId), request.pusher),
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
            await findVehicles(facts, getScope(request), {
              regionId: request.pusher.regionId,
              operator: request.pusher.operator,
            })
          ).map((vehicle) => toMds2Vehicle(vehicle, request.pusher)),
        },
      }),
    },
    {
      method: 'GET',
      path: '/vehicles/:id',
      async handle(request) {
        const vehicle = await findStoredVehicle(agency, request.pusher, request.id)
        if (!vehicle) throw vehicleNotFound()
        return { status: 200, body: { version, vehicles: [toMds2Vehicle(vehicle, request.pusher)] } }
      },
    },
    {
      method: 'GET',
      path: '/vehicles/status',
      handle: async (request) => ({
        status: 200,
        body: { version, vehicles_status: await findStatuses(request, selectAll(request)) },
      }),
    },
    {
      method: 'GET',
      path: '/vehicles/status/:id',
      async handle(request) {
        const statuses = (await findRegisteredVehicles(agency, request.pusher, [request.id])).size
          ? await findStatuses(request, selectOne(request))
          : []
        if (!statuses.length) throw vehicleNotFound()
        return { status: 200, body: { version, vehicles_status: statuses } }
      },
    },
  ]
}

/** Returns the endpoints of MDS 1.2 that return an operator's own vehicles. */
export function mds1VehicleRoutes(agency: Agency): AgencyRoute[] {
  const { facts } = agency
  const links = { first: null, last: null, prev: null, next: null }
  return [
    {
      method: 'GET',
      path: '/vehicles',
      async handle(request) {
        const [vehicles, events] = await Promise.all([
          findVehicles(facts, getScope(request), {
            regionId: request.pusher.regionId,
            operator: request.pusher.operator,
          }),
          findLastEvents(facts, getScope(request), selectAll(request)),
        ])
        return {
          status: 200,
          body: {
            vehicles: vehicles.map((vehicle) =>
              toMds1Vehicle(vehicle, request.pusher, events.get(vehicle.deviceId)),
            ),
            links,
          },
        }
      },
    },
    {
      method: 'GET',
      path: '/vehicles/:id',
      async handle(request) {
        const vehicle = await findStoredVehicle(agency, request.pusher, request.id)
        if (!vehicle) return { status: 404 }
        const events = await findLastEvents(facts, getScope(request), selectOne(request))
        return {
          status: 200,
          body: { vehicles: [toMds1Vehicle(vehicle, request.pusher, events.get(request.id))] },
        }
      },
    },
  ]
}
