import { readReports } from '#server/ingest/mds/read-reports.ts'
import type { ItemKind } from '#server/ingest/mds/read-mds-item.ts'
import { keepReports } from '#server/ingest/sinks/keep-reports.ts'
import { noRecords } from '#server/mobility/fleet/feed-records.ts'
import { AgencyError } from './agency-error.ts'
import { type Agency, contextOf } from './agency.ts'
import type { AgencyAnswer, AgencyAsk, AgencyRoute } from './agency-route.ts'
import { bulkAnswer, bulkStatus, failureOf, type PushedItem } from './pushed-item.ts'
import { pushedList, refuseLongReport } from './pushed-list.ts'
import type { PushQueue } from './push-queue.ts'
import { takeFacts } from './take-facts.ts'
import { takeVehicles } from './take-vehicles.ts'

const answerOf = (items: readonly PushedItem[], written: 200 | 201): AgencyAnswer => ({
  status: bulkStatus(items, written),
  body: bulkAnswer(items),
})

async function takeReport({ facts }: Agency, queue: PushQueue, ask: AgencyAsk): Promise<AgencyAnswer> {
  refuseLongReport(ask.text)
  const report = readReports(ask.text, contextOf(ask))
  if (!report)
    throw new AgencyError(400, 'bad_param', 'The first line of a report must name its columns as MDS does.', [
      'header',
    ])
  const items = [
    ...report.rows.map((row) => ({ item: row, records: noRecords(), failure: null })),
    ...report.bad.map(({ item, faults }) => ({ item, records: noRecords(), failure: failureOf(faults) })),
  ]
  if (!items.length) throw new AgencyError(400, 'bad_param', 'The report has no lines.', ['body'])
  await queue.push(ask.pusher, 'reports', ask.received, async () => ({
    ...noRecords(),
    findings: report.findings,
  }))
  await keepReports(facts)(ask.pusher, report.rows, ask.received)
  return answerOf(items, 201)
}

/** What operators push in MDS 2.0: many at once, each answered for itself. */
export function pushRoutes(agency: Agency, queue: PushQueue): AgencyRoute[] {
  const facts = (stream: string, kind: ItemKind): AgencyRoute => ({
    method: 'POST',
    path: `/${stream}`,
    stream,
    answer: async (ask) =>
      answerOf(
        await takeFacts(agency, queue, ask, pushedList(ask.json, stream), { version: '2.0', kind, stream }),
        201,
      ),
  })
  return [
    {
      method: 'POST',
      path: '/vehicles',
      stream: 'vehicles',
      answer: async (ask) =>
        answerOf(
          await takeVehicles(agency, queue, ask, pushedList(ask.json, 'vehicles'), {
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
      answer: async (ask) =>
        answerOf(
          await takeVehicles(agency, queue, ask, pushedList(ask.json, 'vehicles'), {
            version: '2.0',
            isNew: false,
          }),
          200,
        ),
    },
    facts('trips', 'trip'),
    facts('telemetry', 'telemetry'),
    facts('events', 'event'),
    {
      method: 'POST',
      path: '/reports',
      stream: 'reports',
      isCsv: true,
      answer: (ask) => takeReport(agency, queue, ask),
    },
  ]
}
