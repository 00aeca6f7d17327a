import { regionScope } from '#server/identity/scope.ts'
import type { MdsVersion } from '../mds/mds-context.ts'
import { AgencyError, type ErrorBody } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyRequest, AgencyRoute } from './agency-route.ts'
import { bulkAnswer, bulkStatus } from './pushed-item.ts'
import { pushedList } from './pushed-list.ts'
import type { PushQueue } from './push-queue.ts'
import { knownStops } from './queries/known-stops.ts'
import { mds1StopAnswer, stopAnswer } from './stop-answer.ts'
import { storedObject } from './stored-object.ts'
import { registerStops } from './register-stops.ts'

const stopsOf = (
  agency: Agency,
  { pusher: { organizationId, regionId, operator } }: AgencyRequest,
  ids: readonly string[] | null,
) => knownStops(agency.facts, regionScope(organizationId, regionId), regionId, operator, ids)

/** The endpoints to read stops; each version converts stops of the other. */
function readRoutes(
  agency: Agency,
  named: { version?: MdsVersion },
  wordsOf: (stop: Record<string, unknown>) => Record<string, unknown>,
): AgencyRoute[] {
  const stopsFor = async (request: AgencyRequest, ids: readonly string[] | null) =>
    [...(await stopsOf(agency, request, ids)).values()].map(({ attributes }) =>
      wordsOf(storedObject(attributes)),
    )
  return [
    {
      method: 'GET',
      path: '/stops',
      handle: async (request) => ({ status: 200, body: { ...named, stops: await stopsFor(request, null) } }),
    },
    {
      method: 'GET',
      path: '/stops/:id',
      async handle(request) {
        const stops = await stopsFor(request, [request.id])
        if (!stops.length) throw new AgencyError(404, 'not_found', 'There is no such stop.', ['stop_id'])
        return { status: 200, body: { ...named, stops } }
      },
    },
  ]
}

/** Stops in MDS 2.0, with a result for each. */
export function stopRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  const write = (method: 'POST' | 'PUT', isNew: boolean, written: 200 | 201): AgencyRoute => ({
    method,
    path: '/stops',
    stream: 'stops',
    async handle(request) {
      const items = await registerStops(agency, queue, request, pushedList(request.json, 'stops'), {
        version: '2.0',
        isNew,
        isAtomic: false,
      })
      return { status: bulkStatus(items, written), body: bulkAnswer(items) }
    },
  })
  return [
    write('POST', true, 201),
    write('PUT', false, 200),
    ...readRoutes(agency, { version: '2.0' }, stopAnswer),
  ]
}

const statusOf = ({ error }: ErrorBody): number => (error === 'already_registered' ? 409 : 400)

/** Stops in MDS 1.2: all of a request or none. */
export function mds1StopRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  const write = (method: 'POST' | 'PUT', isNew: boolean, written: 200 | 201): AgencyRoute => ({
    method,
    path: '/stops',
    stream: 'stops',
    async handle(request) {
      const items = await registerStops(agency, queue, request, pushedList(request.json, 'stops'), {
        version: '1.2',
        isNew,
        isAtomic: true,
      })
      const failures = items.flatMap(({ failure }) => (failure ? [failure] : []))
      const worst =
        failures.find(({ error }) => error !== 'already_registered' && error !== 'unregistered') ??
        failures[0]
      if (!worst) return { status: written }
      return worst.error === 'unregistered' ? { status: 404 } : { status: statusOf(worst), body: worst }
    },
  })
  return [write('POST', true, 201), write('PUT', false, 200), ...readRoutes(agency, {}, mds1StopAnswer)]
}
