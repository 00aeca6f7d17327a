import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import {
  maxListedRuns,
  maxSchedules,
  type NewReportSchedule,
  type ReportRun,
  type ReportSchedule,
  ScheduledReport,
} from '#contract/report-schedules.ts'
import { Problem } from '#server/http/problem.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { systemScope } from '#server/identity/scope.ts'
import { findRecipient } from '#server/notifications/recipient.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { State, Store } from '#server/stores/state.ts'
import { type DueDates, nextDue } from './due-dates.ts'

type ScheduleRow = Selectable<StateTables['report_schedule']>
type RunRow = Selectable<StateTables['report_run']>

/** The kind of the messages that bring reports, and what each holds. */
export const reportKind = 'scheduled_report'
export interface ReportPayload {
  run_id: string
  /** Of the recipient; ends the report without a sign-in. */
  token: string
}

/** A schedule of a region, as a path names it. */
export interface ScheduleRef {
  region_id: string
  schedule_id: string
}

export const dueDatesOf = (
  { cadence, day }: Pick<ScheduleRow, 'cadence' | 'day'>,
  timezone: string,
): DueDates => ({ cadence: cadence === 'monthly' ? 'monthly' : 'weekly', day, timezone })

const canEdit = (viewer: Viewer, row: ScheduleRow): boolean =>
  row.user_id === viewer.userId || viewer.permissions.includes('is_admin')

/** How the mails of some runs of a region went. */
async function mailsOf(
  store: Store,
  regionId: string,
  runs: readonly RunRow[],
): Promise<Map<string, ReportRun['mails']>> {
  const found = new Map(runs.map((run) => [run.run_id, { sent: 0, waiting: 0, failed: 0 }]))
  const first = Math.min(...runs.map((run) => run.created_time.getTime()))
  if (!runs.length) return found
  const rows = await store
    .selectFrom('notification')
    .select(['payload', 'state'])
    .where('region_id', '=', regionId)
    .where('kind', '=', reportKind)
    .where('created_time', '>=', new Date(first))
    .execute()
  for (const { payload, state } of rows) {
    const mails = found.get((payload as ReportPayload).run_id)
    if (mails) mails[state === 'done' ? 'sent' : state === 'failed' ? 'failed' : 'waiting']++
  }
  return found
}

/** Runs as the API has them. */
export async function readRuns(
  store: Store,
  regionId: string,
  runs: readonly RunRow[],
): Promise<ReportRun[]> {
  const mails = await mailsOf(store, regionId, runs)
  return runs.map(({ run_id, start_date, end_date, is_manual, created_time }) => {
    const counts = mails.get(run_id) ?? { sent: 0, waiting: 0, failed: 0 }
    return {
      run_id,
      start_date,
      end_date,
      is_manual,
      created_time: created_time.toISOString(),
      state: counts.waiting ? 'waiting' : counts.failed ? 'failed' : 'sent',
      mails: counts,
    }
  })
}

async function readSchedules(
  store: Store,
  viewer: Viewer,
  regionId: string,
  rows: readonly ScheduleRow[],
): Promise<ReportSchedule[]> {
  if (!rows.length) return []
  const ids = rows.map(({ schedule_id: id }) => id)
  const [recipients, runs] = await Promise.all([
    store
      .selectFrom('report_recipient')
      .innerJoin('user', 'user.id', 'report_recipient.user_id')
      .select(['schedule_id', 'report_recipient.user_id', 'email', 'unsubscribed_time'])
      .where('schedule_id', 'in', ids)
      .orderBy('email')
      .execute(),
    store
      .selectFrom('report_run')
      .selectAll()
      .distinctOn('schedule_id')
      .where('schedule_id', 'in', ids)
      .orderBy('schedule_id')
      .orderBy('created_time', 'desc')
      .execute(),
  ])
  const last = await readRuns(store, regionId, runs)
  const lastOf = new Map(runs.map((run, at) => [run.schedule_id, last[at] ?? null]))
  return rows.map((row) => ({
    schedule_id: row.schedule_id,
    report: ScheduledReport.parse(row.report),
    cadence: row.cadence === 'monthly' ? 'monthly' : 'weekly',
    day: row.day,
    created_by: row.created_by,
    can_edit: canEdit(viewer, row),
    recipients: recipients
      .filter(
        (each) =>
          each.schedule_id === row.schedule_id && (canEdit(viewer, row) || each.user_id === viewer.userId),
      )
      .map(({ email, unsubscribed_time }) => ({ email, has_unsubscribed: unsubscribed_time !== null })),
    next_time: row.next_time.toISOString(),
    last_run: lastOf.get(row.schedule_id) ?? null,
  }))
}

/** Schedules that the viewer made or receives; for administrators all of the region. */
export async function listSchedules(
  state: State,
  viewer: Viewer,
  regionId: string,
): Promise<ReportSchedule[]> {
  await findRegion(state, viewer.scope, regionId)
  const store = state.as(viewer.scope)
  let rows = store.selectFrom('report_schedule').selectAll().where('region_id', '=', regionId)
  if (!viewer.permissions.includes('is_admin'))
    rows = rows.where((is) =>
      is.or([
        is('user_id', '=', viewer.userId),
        is.exists(
          is
            .selectFrom('report_recipient')
            .select('report_recipient.user_id')
            .whereRef('report_recipient.schedule_id', '=', 'report_schedule.schedule_id')
            .where('report_recipient.user_id', '=', viewer.userId),
        ),
      ]),
    )
  return readSchedules(store, viewer, regionId, await rows.orderBy('created_time').execute())
}

/** One of those schedules. Throws 404 for others. */
export async function findSchedule(
  state: State,
  viewer: Viewer,
  { region_id, schedule_id }: ScheduleRef,
): Promise<ReportSchedule> {
  const found = (await listSchedules(state, viewer, region_id)).find(
    (each) => each.schedule_id === schedule_id,
  )
  if (!found) throw new Problem('not_found', 'There is no such scheduled report.')
  return found
}

async function findEditable(state: State, viewer: Viewer, ref: ScheduleRef): Promise<ReportSchedule> {
  const found = await findSchedule(state, viewer, ref)
  if (!found.can_edit)
    throw new Problem('forbidden', 'Only its owner or an administrator may change a scheduled report.')
  return found
}

/** Users by their e-mail addresses. Throws for one who may not see the region. */
async function findRecipients(
  state: State,
  viewer: Viewer,
  regionId: string,
  emails: readonly string[],
): Promise<string[]> {
  const requested = [...new Set(emails.map((email) => email.toLowerCase()))]
  const rows = await state
    .as(systemScope)
    .selectFrom('user')
    .select(['id', 'email'])
    .where('organizationId', '=', viewer.organizationId)
    .where('email', 'in', requested)
    .execute()
  const ids: string[] = []
  for (const email of requested) {
    const user = rows.find((row) => row.email.toLowerCase() === email)
    const recipient = user && (await findRecipient(state, user.id, regionId))
    if (!recipient)
      throw new Problem('validation_error', `body.recipients: ${email} is not a user of this region.`, [
        { path: 'body.recipients', message: `${email} is no user of this region` },
      ])
    ids.push(recipient.userId)
  }
  return ids
}

/** Makes a schedule, or changes one (`ref`). */
export async function saveSchedule(
  state: State,
  viewer: Viewer,
  regionId: string,
  { report, cadence, day, recipients }: NewReportSchedule,
  ref: ScheduleRef | null,
  at: Date,
): Promise<ReportSchedule> {
  const { timezone } = await findRegion(state, viewer.scope, regionId)
  if (ref) await findEditable(state, viewer, ref)
  const users = await findRecipients(state, viewer, regionId, recipients)
  const fields = {
    report,
    cadence,
    day,
    next_time: new Date(nextDue({ cadence, day, timezone }, at.getTime())),
  }
  const scheduleId = ref?.schedule_id ?? randomUUID()
  await state
    .as(viewer.scope)
    .transaction()
    .execute(async (within) => {
      if (ref)
        await within
          .updateTable('report_schedule')
          .set(fields)
          .where('schedule_id', '=', scheduleId)
          .execute()
      else {
        const { count } = await within
          .selectFrom('report_schedule')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('region_id', '=', regionId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= maxSchedules)
          throw new Problem('conflict', `A region has at most ${maxSchedules} scheduled reports.`)
        await within
          .insertInto('report_schedule')
          .values({
            schedule_id: scheduleId,
            region_id: regionId,
            user_id: viewer.userId,
            created_by: viewer.email,
            created_time: at,
            ...fields,
          })
          .execute()
      }
      await within
        .deleteFrom('report_recipient')
        .where('schedule_id', '=', scheduleId)
        .where('user_id', 'not in', users)
        .execute()
      await within
        .insertInto('report_recipient')
        .values(users.map((user_id) => ({ schedule_id: scheduleId, region_id: regionId, user_id })))
        .onConflict((conflict) => conflict.columns(['schedule_id', 'user_id']).doNothing())
        .execute()
    })
  return findSchedule(state, viewer, { region_id: regionId, schedule_id: scheduleId })
}

export async function deleteSchedule(
  state: State,
  viewer: Viewer,
  ref: ScheduleRef,
): Promise<{ deleted: boolean }> {
  await findEditable(state, viewer, ref)
  await state
    .as(viewer.scope)
    .deleteFrom('report_schedule')
    .where('schedule_id', '=', ref.schedule_id)
    .execute()
  return { deleted: true }
}

/** The last runs of a schedule, newest first. */
export async function listRuns(state: State, viewer: Viewer, ref: ScheduleRef): Promise<ReportRun[]> {
  await findSchedule(state, viewer, ref)
  const store = state.as(viewer.scope)
  const rows = await store
    .selectFrom('report_run')
    .selectAll()
    .where('schedule_id', '=', ref.schedule_id)
    .orderBy('created_time', 'desc')
    .limit(maxListedRuns)
    .execute()
  return readRuns(store, ref.region_id, rows)
}

/** Ends a report for one recipient by the token of its mails; the answer is the same where there is none. */
export async function unsubscribe(state: State, token: string, at: Date): Promise<{ ended: boolean }> {
  await state
    .as(systemScope)
    .updateTable('report_recipient')
    .set({ unsubscribed_time: at })
    .where('token', '=', token)
    .where('unsubscribed_time', 'is', null)
    .execute()
  return { ended: true }
}

/** Throws unless the viewer may run a schedule. */
export const requireEditable = findEditable
