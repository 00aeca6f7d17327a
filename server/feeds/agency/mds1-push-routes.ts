import { isItem } from '../mds/fields.ts'
import { AgencyError } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyResponse, AgencyRequest, AgencyRoute } from './agency-route.ts'
import { createBulkResponse, type PushedItem } from './pushed-item.ts'
import { readPushedList } from './pushed-list.ts'
import type { PushQueue } from './push-queue.ts'
import { findStoredVehicle } from './registered-vehicles.ts'
import { parseStoredObject } from './stored-object.ts'
import { storePushedFacts } from './store-pushed-facts.ts'
import { registerVehicles } from './register-vehicles.ts'

/** Returns the response to a push of a single item: `success`, or its failure. */
function toResponse([item]: readonly PushedItem[], success: AgencyResponse): AgencyResponse {
  const failure = item?.failure
  return failure ? { status: failure.error === 'already_registered' ? 409 : 400, body: failure } : success
}

/** Changes the vehicle number, as MDS 1.2 allows nothing else. The record retains its version of MDS. */
async function renameVehicle(
  agency: Agency,
  queue: PushQueue,
  request: AgencyRequest,
): Promise<AgencyResponse> {
  const vehicle = await findStoredVehicle(agency, request.pusher, request.id)
  if (!vehicle) return { status: 404 }
  if (!isItem(request.json)) throw new AgencyError(400, 'bad_param', 'The body must be an object.', ['body'])
  const stored = parseStoredObject(vehicle.attributes)
  // Only MDS 2.0 has this field and these types.
  const isMds2 =
    stored['vehicle_attributes'] !== undefined || String(stored['vehicle_type']).startsWith('scooter_')
  return toResponse(
    await registerVehicles(agency, queue, request, {
      list: [{ ...stored, device_id: request.id, vehicle_id: request.json['vehicle_id'] }],
      version: isMds2 ? '2.0' : '1.2',
      isNew: false,
    }),
    { status: 200 },
  )
}

async function storeEvent(agency: Agency, queue: PushQueue, request: AgencyRequest): Promise<AgencyResponse> {
  const item = isItem(request.json) ? { ...request.json, device_id: request.id } : request.json
  const items = await storePushedFacts(agency, queue, request, {
    list: [item],
    version: '1.2',
    kind: 'pushed_event',
    stream: 'events',
  })
  return toResponse(items, {
    status: 201,
    body: { device_id: request.id, state: isItem(item) ? item['vehicle_state'] : undefined },
  })
}

async function storeTelemetry(
  agency: Agency,
  queue: PushQueue,
  request: AgencyRequest,
): Promise<AgencyResponse> {
  const items = await storePushedFacts(agency, queue, request, {
    list: readPushedList(request.json, 'data'),
    version: '1.2',
    kind: 'telemetry',
    stream: 'telemetry',
  })
  const { success, total, failures } = createBulkResponse(items)
  // MDS 1.2 lists the failed points without reasons.
  if (success)
    return {
      status: 200,
      body: { success, total, failures: failures.map((failure) => (failure as { item: unknown }).item) },
    }
  const isUnregistered = items.every(({ failure }) => failure?.error === 'unregistered')
  // An unregistered item is valid otherwise, so it has a device id.
  if (isUnregistered)
    return {
      status: 400,
      body: {
        error: 'unregistered',
        error_description: 'Some of the devices are unregistered.',
        error_details: [...new Set(items.map(({ item }) => (isItem(item) ? String(item['device_id']) : '')))],
      },
    }
  const fields = [...new Set(items.flatMap(({ failure }) => failure?.error_details ?? []))]
  return {
    status: 400,
    body: {
      error: 'invalid_data',
      error_description: 'None of the provided data was valid.',
      error_details: fields,
    },
  }
}

/** Returns the endpoints of MDS 1.2 that operators push to. */
export function mds1PushRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  return [
    {
      method: 'POST',
      path: '/vehicles',
      stream: 'vehicles',
      handle: async (request) =>
        toResponse(
          await registerVehicles(agency, queue, request, {
            list: [request.json],
            version: '1.2',
            isNew: true,
          }),
          { status: 201 },
        ),
    },
    {
      method: 'PUT',
      path: '/vehicles/:id',
      stream: 'vehicles',
      handle: (request) => renameVehicle(agency, queue, request),
    },
    {
      method: 'POST',
      path: '/vehicles/:id/event',
      stream: 'events',
      handle: (request) => storeEvent(agency, queue, request),
    },
    {
      method: 'POST',
      path: '/vehicles/telemetry',
      stream: 'telemetry',
      handle: (request) => storeTelemetry(agency, queue, request),
    },
  ]
}
