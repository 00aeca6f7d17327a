import { readReports } from '../mds/read-reports.ts'
import type { ItemKind } from '../mds/read-mds-item.ts'
import { storeReports } from '../sinks/store-reports.ts'
import { noRecords } from '#server/fleet/events/feed-records.ts'
import { AgencyError } from './agency-error.ts'
import { type Agency, contextOf } from './agency.ts'
import type { AgencyResponse, AgencyRequest, AgencyRoute } from './agency-route.ts'
import { bulkAnswer, bulkStatus, failureOf, type PushedItem } from './pushed-item.ts'
import { pushedList, refuseLongReport } from './pushed-list.ts'
import type { PushQueue } from './push-queue.ts'
import { storePushedFacts } from './store-pushed-facts.ts'
import { registerVehicles } from './register-vehicles.ts'

const responseOf = (items: readonly PushedItem[], written: 200 | 201): AgencyResponse => ({
  status: bulkStatus(items, written),
  body: bulkAnswer(items),
})

async function storeReport(
  { facts }: Agency,
  queue: PushQueue,
  request: AgencyRequest,
): Promise<AgencyResponse> {
  refuseLongReport(request.text)
  const report = readReports(request.text, contextOf(request))
  if (!report)
    throw new AgencyError(400, 'bad_param', 'The first line of a report must name its columns as MDS does.', [
      'header',
    ])
  const items = [
    ...report.rows.map((row) => ({ item: row, records: noRecords(), failure: null })),
    ...report.bad.map(({ item, faults }) => ({ item, records: noRecords(), failure: failureOf(faults) })),
  ]
  if (!items.length) throw new AgencyError(400, 'bad_param', 'The report has no lines.', ['body'])
  await queue.push(request.pusher, 'reports', request.received, async () => ({
    ...noRecords(),
    findings: report.findings,
  }))
  await storeReports(facts)(request.pusher, report.rows, request.received)
  return responseOf(items, 201)
}

/** The push endpoints of MDS 2.0: many items at once, each with its own result. */
export function pushRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  const recordsRoute = (stream: string, kind: ItemKind): AgencyRoute => ({
    method: 'POST',
    path: `/${stream}`,
    stream,
    handle: async (request) =>
      responseOf(
        await storePushedFacts(agency, queue, request, pushedList(request.json, stream), {
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
        responseOf(
          await registerVehicles(agency, queue, request, pushedList(request.json, 'vehicles'), {
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
        responseOf(
          await registerVehicles(agency, queue, request, pushedList(request.json, 'vehicles'), {
            version: '2.0',
            isNew: false,
          }),
          200,
        ),
    },
    recordsRoute('trips', 'trip'),
    recordsRoute('telemetry', 'telemetry'),
    recordsRoute('events', 'event'),
    {
      method: 'POST',
      path: '/reports',
      stream: 'reports',
      isCsv: true,
      handle: (request) => storeReport(agency, queue, request),
    },
  ]
}
