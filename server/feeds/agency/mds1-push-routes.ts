import { isItem } from '#server/ingest/mds/fields.ts'
import { AgencyError } from './agency-error.ts'
import type { Agency } from './agency.ts'
import type { AgencyAnswer, AgencyAsk, AgencyRoute } from './agency-route.ts'
import { bulkAnswer, type PushedItem } from './pushed-item.ts'
import { pushedList } from './pushed-list.ts'
import type { PushQueue } from './push-queue.ts'
import { storedVehicle } from './stored-vehicle.ts'
import { storedObject } from './stored-object.ts'
import { takeFacts } from './take-facts.ts'
import { takeVehicles } from './take-vehicles.ts'

/** The answer to a push of one: what `done` says, or why it was not taken. */
function answerOf([pushed]: readonly PushedItem[], done: AgencyAnswer): AgencyAnswer {
  const failure = pushed?.failure
  return failure ? { status: failure.error === 'already_registered' ? 409 : 400, body: failure } : done
}

/** Only the number on a vehicle can change; the rest stays as it was registered, in whichever version. */
async function renameVehicle(agency: Agency, queue: PushQueue, ask: AgencyAsk): Promise<AgencyAnswer> {
  const known = await storedVehicle(agency, ask.pusher, ask.id)
  if (!known) return { status: 404 }
  if (!isItem(ask.json)) throw new AgencyError(400, 'bad_param', 'The body must be an object.', ['body'])
  const stored = storedObject(known.attributes)
  const version =
    stored['vehicle_attributes'] !== undefined || String(stored['vehicle_type']).startsWith('scooter_')
      ? '2.0'
      : '1.2'
  return answerOf(
    await takeVehicles(
      agency,
      queue,
      ask,
      [{ ...stored, device_id: ask.id, vehicle_id: ask.json['vehicle_id'] }],
      { version, isNew: false },
    ),
    { status: 200 },
  )
}

async function takeEvent(agency: Agency, queue: PushQueue, ask: AgencyAsk): Promise<AgencyAnswer> {
  const item = isItem(ask.json) ? { ...ask.json, device_id: ask.id } : ask.json
  const items = await takeFacts(agency, queue, ask, [item], {
    version: '1.2',
    kind: 'pushed_event',
    stream: 'events',
  })
  return answerOf(items, {
    status: 201,
    body: { device_id: ask.id, state: isItem(item) ? item['vehicle_state'] : undefined },
  })
}

async function takeTelemetry(agency: Agency, queue: PushQueue, ask: AgencyAsk): Promise<AgencyAnswer> {
  const items = await takeFacts(agency, queue, ask, pushedList(ask.json, 'data'), {
    version: '1.2',
    kind: 'telemetry',
    stream: 'telemetry',
  })
  const { success, total } = bulkAnswer(items)
  // 1.2 tells the failed points themselves, without reasons.
  if (success)
    return {
      status: 200,
      body: {
        success,
        total,
        failures: bulkAnswer(items).failures.map((failure) => (failure as { item: unknown }).item),
      },
    }
  const isUnregistered = items.every(({ failure }) => failure?.error === 'unregistered')
  // What is unregistered has been read as an id.
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

/** What operators push in MDS 1.2. */
export function mds1PushRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  return [
    {
      method: 'POST',
      path: '/vehicles',
      stream: 'vehicles',
      answer: async (ask) =>
        answerOf(await takeVehicles(agency, queue, ask, [ask.json], { version: '1.2', isNew: true }), {
          status: 201,
        }),
    },
    {
      method: 'PUT',
      path: '/vehicles/:id',
      stream: 'vehicles',
      answer: (ask) => renameVehicle(agency, queue, ask),
    },
    {
      method: 'POST',
      path: '/vehicles/:id/event',
      stream: 'events',
      answer: (ask) => takeEvent(agency, queue, ask),
    },
    {
      method: 'POST',
      path: '/vehicles/telemetry',
      stream: 'telemetry',
      answer: (ask) => takeTelemetry(agency, queue, ask),
    },
  ]
}
