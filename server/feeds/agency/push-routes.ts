import { noRecords } from '#server/fleet/events/feed-records.ts'
import { readReports } from '../mds/read-reports.ts'
import type { ItemKind } from '../mds/read-mds-item.ts'
import { storeReports } from '../sinks/store-reports.ts'
import { AgencyError } from './agency-error.ts'
import { type Agency, createPushContext } from './agency.ts'
import type { AgencyResponse, AgencyRequest, AgencyRoute } from './agency-route.ts'
import { createBulkResponse, getBulkStatus, toFailure, type PushedItem } from './pushed-item.ts'
import { readPushedList, checkReportLength } from './pushed-list.ts'
import type { PushQueue } from './push-queue.ts'
import { storePushedFacts } from './store-pushed-facts.ts'
import { registerVehicles } from './register-vehicles.ts'

const toBulkResponse = (items: readonly PushedItem[], successStatus: 200 | 201): AgencyResponse => ({
  status: getBulkStatus(items, successStatus),
  body: createBulkResponse(items),
})

/** Stores the rows of a report. @throws AgencyError if the header is not that of MDS or there are no rows. */
async function storeReport(
  { facts }: Agency,
  queue: PushQueue,
  request: AgencyRequest,
): Promise<AgencyResponse> {
  checkReportLength(request.text)
  const report = readReports(request.text, createPushContext(request))
  if (!report)
    throw new AgencyError(400, 'bad_param', 'The first line of a report must name its columns as MDS does.', [
      'header',
    ])
  const items = [
    ...report.rows.map((row) => ({ item: row, records: noRecords(), failure: null })),
    ...report.badRows.map(({ item, errors }) => ({ item, records: noRecords(), failure: toFailure(errors) })),
  ]
  if (!items.length) throw new AgencyError(400, 'bad_param', 'The report has no lines.', ['body'])
  await queue.push(request.pusher, 'reports', request.received, async () => ({
    ...noRecords(),
    findings: report.findings,
  }))
  await storeReports(facts)(request.pusher, report.rows, request.received)
  return toBulkResponse(items, 201)
}

/** Returns the endpoints of MDS 2.0 that operators push to: many items at once, each with its own result. */
export function pushRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  const factsRoute = (stream: string, kind: ItemKind): AgencyRoute => ({
    method: 'POST',
    path: `/${stream}`,
    stream,
    handle: async (request) =>
      toBulkResponse(
        await storePushedFacts(agency, queue, request, {
          list: readPushedList(request.json, stream),
          version: '2.0',
          kind,
          stream,
        }),
        201,
      ),
  })
  return [
    {
      method: 'POST',
      path: '/vehicles',
      stream: 'vehicles',
      handle: async (request) =>
        toBulkResponse(
          await registerVehicles(agency, queue, request, {
            list: readPushedList(request.json, 'vehicles'),
            version: '2.0',
            isNew: true,
          }),
          201,
        ),
    },
    {
      method: 'PUT',
      path: '/vehicles',
      stream: 'vehicles',
      handle: async (request) =>
        toBulkResponse(
          await registerVehicles(agency, queue, request, {
            list: readPushedList(request.json, 'vehicles'),
            version: '2.0',
            isNew: false,
          }),
          200,
        ),
    },
    factsRoute('trips', 'trip'),
    factsRoute('telemetry', 'telemetry'),
    factsRoute('events', 'event'),
    {
      method: 'POST',
      path: '/reports',
      stream: 'reports',
      isCsv: true,
      handle: (request) => storeReport(agency, queue, request),
    },
  ]
}
