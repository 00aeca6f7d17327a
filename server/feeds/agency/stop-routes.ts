import { regionScope } from '#server/identity/scope.ts'
import type { MdsVersion } from '../mds/mds-context.ts'
import { AgencyError, type ErrorBody } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyRequest, AgencyRoute } from './agency-route.ts'
import { createBulkResponse, getBulkStatus } from './pushed-item.ts'
import { readPushedList } from './pushed-list.ts'
import type { PushQueue } from './push-queue.ts'
import { findStops } from './queries/known-stops.ts'
import { toMds1Stop, toMds2Stop } from './stop-response.ts'
import { parseStoredObject } from './stored-object.ts'
import { registerStops } from './register-stops.ts'

/** Finds the operator's stops by id; all of them if `ids` is null. */
const findRequestedStops = (
  agency: Agency,
  { pusher: { organizationId, regionId, operator } }: AgencyRequest,
  ids: readonly string[] | null,
) => findStops(agency.facts, regionScope(organizationId, regionId), { regionId, operator, ids })

/** Returns the endpoints that read stops. `envelope`: other fields; `convert`: to the version of MDS. */
function readRoutes(
  agency: Agency,
  envelope: { version?: MdsVersion },
  convert: (stop: Record<string, unknown>) => Record<string, unknown>,
): AgencyRoute[] {
  const findConverted = async (request: AgencyRequest, ids: readonly string[] | null) =>
    [...(await findRequestedStops(agency, request, ids)).values()].map(({ attributes }) =>
      convert(parseStoredObject(attributes)),
    )
  return [
    {
      method: 'GET',
      path: '/stops',
      handle: async (request) => ({
        status: 200,
        body: { ...envelope, stops: await findConverted(request, null) },
      }),
    },
    {
      method: 'GET',
      path: '/stops/:id',
      async handle(request) {
        const stops = await findConverted(request, [request.id])
        if (!stops.length) throw new AgencyError(404, 'not_found', 'There is no such stop.', ['stop_id'])
        return { status: 200, body: { ...envelope, stops } }
      },
    },
  ]
}

/** Returns the endpoints for stops of MDS 2.0, with a result for each stop. */
export function stopRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  const writeRoute = (method: 'POST' | 'PUT', isNew: boolean, successStatus: 200 | 201): AgencyRoute => ({
    method,
    path: '/stops',
    stream: 'stops',
    async handle(request) {
      const items = await registerStops(agency, queue, request, {
        list: readPushedList(request.json, 'stops'),
        version: '2.0',
        isNew,
        isAtomic: false,
      })
      return { status: getBulkStatus(items, successStatus), body: createBulkResponse(items) }
    },
  })
  return [
    writeRoute('POST', true, 201),
    writeRoute('PUT', false, 200),
    ...readRoutes(agency, { version: '2.0' }, toMds2Stop),
  ]
}

const toStatus = ({ error }: ErrorBody): number => (error === 'already_registered' ? 409 : 400)

/** Returns the endpoints for stops of MDS 1.2, which stores either all stops of a request or none. */
export function mds1StopRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  const writeRoute = (method: 'POST' | 'PUT', isNew: boolean, successStatus: 200 | 201): AgencyRoute => ({
    method,
    path: '/stops',
    stream: 'stops',
    async handle(request) {
      const items = await registerStops(agency, queue, request, {
        list: readPushedList(request.json, 'stops'),
        version: '1.2',
        isNew,
        isAtomic: true,
      })
      const failures = items.flatMap(({ failure }) => (failure ? [failure] : []))
      // MDS 1.2 returns a single error, so invalid data have precedence over registration.
      const failure =
        failures.find(({ error }) => error !== 'already_registered' && error !== 'unregistered') ??
        failures[0]
      if (!failure) return { status: successStatus }
      return failure.error === 'unregistered' ? { status: 404 } : { status: toStatus(failure), body: failure }
    },
  })
  return [writeRoute('POST', true, 201), writeRoute('PUT', false, 200), ...readRoutes(agency, {}, toMds1Stop)]
}
