import * as contract from '#contract/report-schedules.ts'
import type { ReportRun } from '#contract/report-schedules.ts'
import { Problem } from '#server/http/problem.ts'
import { type Call, RawResponse, type Route, route } from '#server/http/route.ts'
import type { Log } from '#server/jobs/log.ts'
import type { Notifications } from '#server/notifications/open-notifications.ts'
import { findLanguage } from '#server/identity/find-user.ts'
import { findRegion } from '#server/regions/read-region.ts'
import { MetricsCache } from '../query-metrics.ts'
import { getReportPeriod } from './due-dates.ts'
import { makeReport, type ReportSources } from './report-content.ts'
import type { ReportContent } from './report-data.ts'
import { makePdfName } from './report-mail.ts'
import {
  renderPdf,
  createReportNotifications,
  findReportOfRun,
  runDueSchedules,
  storeRun,
} from './run-schedules.ts'
import {
  deleteSchedule,
  toDueDates,
  findSchedule,
  listRuns,
  listSchedules,
  findEditableSchedule,
  saveSchedule,
  unsubscribe,
} from './schedules.ts'

export interface ReportSchedules {
  routes: Route[]
  runDue(stop?: AbortSignal): Promise<void>
}

interface ReportScheduleOptions extends Omit<ReportSources, 'cache'> {
  notifications: Notifications
  log: Log
  now: () => Date
}

const neverAborted = new AbortController().signal

/** Runs a schedule now, besides its dates. */
async function runReportSchedule(
  sources: ReportSources,
  { viewer, params }: Call<typeof contract.runReportSchedule>,
  at: Date,
): Promise<ReportRun> {
  const { state } = sources
  const { report, filters, ...schedule } = await findEditableSchedule(state, viewer, params)
  const region = await findRegion(state, viewer.scope, params.region_id)
  const period = getReportPeriod(toDueDates(schedule, region.timezone), at.getTime())
  // Made once before it is queued, so that the caller gets an error if days are still being prepared.
  await makeReport(sources, {
    scope: viewer.scope,
    region,
    report,
    filters,
    period,
    createdTime: at,
    language: 'en-US',
    at,
  })
  const runId = await storeRun(
    state.as(viewer.scope),
    { scheduleId: params.schedule_id, regionId: params.region_id, period, isManual: true },
    null,
    at,
  )
  const run = (await listRuns(state, viewer, params)).find(({ run_id: id }) => id === runId)
  if (!run) throw new Problem('not_found', 'The scheduled report was deleted meanwhile.')
  return run
}

const makePdfResponse = async (content: ReportContent): Promise<RawResponse> =>
  new RawResponse(await renderPdf(content), {
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${makePdfName(content)}"`,
  })

/** Returns the PDF of a run, or of the last period. */
async function getReportPdf(
  sources: ReportSources,
  { viewer, params, query }: Call<typeof contract.getReportPdf>,
  at: Date,
): Promise<RawResponse> {
  const { state } = sources
  const { scope, userId } = viewer
  const { report, filters, ...schedule } = await findSchedule(state, viewer, params)
  if (query.run_id !== undefined) {
    const storedReport = await findReportOfRun(sources, { scope, userId }, query.run_id, at)
    if (storedReport?.scheduleId !== params.schedule_id)
      throw new Problem('not_found', 'There is no such run.')
    return makePdfResponse(storedReport.content)
  }
  const region = await findRegion(state, scope, params.region_id)
  const period = getReportPeriod(toDueDates(schedule, region.timezone), at.getTime())
  const language = await findLanguage(state, userId)
  return makePdfResponse(
    await makeReport(sources, { scope, region, report, filters, period, createdTime: at, language, at }),
  )
}

/** Opens scheduled reports: their routes, notification kind and runs. */
export function openReportSchedules({
  notifications,
  now,
  log,
  ...stores
}: ReportScheduleOptions): ReportSchedules {
  const { state } = stores
  const sources: ReportSources = { ...stores, cache: new MetricsCache() }
  notifications.add(createReportNotifications(sources, now))
  const routes = [
    route(contract.listReportSchedules, async ({ viewer, params }) => ({
      items: await listSchedules(state, viewer, params.region_id),
    })),
    route(contract.createReportSchedule, ({ viewer, params, body }) =>
      saveSchedule(stores, viewer, { regionId: params.region_id, fields: body, ref: null }, now()),
    ),
    route(contract.changeReportSchedule, ({ viewer, params, body }) =>
      saveSchedule(stores, viewer, { regionId: params.region_id, fields: body, ref: params }, now()),
    ),
    route(contract.deleteReportSchedule, ({ viewer, params }) => deleteSchedule(state, viewer, params)),
    route(contract.listReportRuns, async ({ viewer, params }) => ({
      items: await listRuns(state, viewer, params),
    })),
    route(contract.runReportSchedule, (call) => runReportSchedule(sources, call, now())),
    route(contract.getReportPdf, (call) => getReportPdf(sources, call, now())),
    route(contract.endReportByToken, ({ body }) => unsubscribe(state, body.token, now())),
  ]
  return { routes, runDue: (stop = neverAborted) => runDueSchedules({ ...sources, log }, now(), stop) }
}
