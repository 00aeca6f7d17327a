import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startOfDay } from '#contract/civil-clock.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { changeMe, getMe } from '#contract/identity.ts'
import { createOperator } from '#contract/managed-operators.ts'
import { queryMetrics } from '#contract/metrics.ts'
import { hourMs } from '#contract/period.ts'
import * as contract from '#contract/report-schedules.ts'
import { querySpatial } from '#contract/spatial.ts'
import { changeUser } from '#contract/users.ts'
import type { Message } from '#server/mail/message.ts'
import { ReportFacts } from '#server/fleet/reports/report-facts-product.ts'
import { openEvaluator } from '#server/evaluation/evaluate.ts'
import { ReadyLayers } from '#server/fleet/cubes/ready-layer.ts'
import { LayerMembership } from '#server/geography/membership/layer-membership.ts'
import { openNotifications } from '#server/notifications/open-notifications.ts'
import {
  openReportSchedules,
  type ReportSchedules,
} from '#server/reporting/schedules/open-report-schedules.ts'
import { createSecretBox } from '#server/stores/secret-box.ts'
import { call, type CallInput, openTestApp, send, serveRoutes, type SignedIn, type TestApp } from '../app.ts'
import { makeCity, readShapes, storeFleet } from '../city.ts'
import { readPdfText } from '../pdf-text.ts'

const region_id = 'alder'
const timezone = 'America/New_York'
/** A Wednesday; the fleet has data from March 4 to 13. */
const wednesday = startOfDay('2026-03-11', timezone)
const clock = { at: wednesday }
const mails: Message[] = []
let sendMail = async (message: Message): Promise<void> => void mails.push(message)
let app: TestApp
let city: Awaited<ReturnType<typeof makeCity>>

/** Opens report schedules on the app's stores, with the clock and emails of the test. */
async function openSchedules() {
  const { state, facts } = app
  const now = (): Date => new Date(clock.at)
  const log = (): void => undefined
  const notifications = openNotifications({
    state,
    secretBox: createSecretBox('ab'.repeat(32)),
    publicUrl: 'http://city.example',
    log,
    now,
    fetch: () => Promise.reject(new Error('No webhooks')),
    mail: { send: (message) => sendMail(message) },
  })
  const reports = new ReportFacts({ state, facts, nowMs: () => clock.at })
  const membership = new LayerMembership(state, facts)
  const evaluator = openEvaluator(state, facts, membership, new ReadyLayers(state, membership))
  const schedules: ReportSchedules = openReportSchedules({
    state,
    facts,
    reports,
    evaluator,
    notifications,
    log,
    now,
  })
  const http = await serveRoutes(app, schedules.routes)
  return {
    http,
    async look() {
      await schedules.runDue()
      await notifications.deliver()
    },
    runDue: () => schedules.runDue(),
    deliver: () => notifications.deliver(),
  }
}
let server: Awaited<ReturnType<typeof openSchedules>>

beforeAll(async () => {
  app = await openTestApp()
  city = await makeCity(app)
  await call(app, city.admin, createOperator, {
    body: { slug: 'alder-bikes', name: 'Alder Bikes', colorHex: '#123456' },
  })
  await storeFleet(app, city)
  await app.derivation.idle(['report_days'])
  server = await openSchedules()
})
afterAll(async () => {
  await server.http.close()
  await app.close()
})
beforeEach(async () => {
  clock.at = wednesday
  mails.length = 0
  sendMail = async (message) => void mails.push(message)
  await app.state.library.deleteFrom('report_schedule').execute()
  await app.state.library.deleteFrom('notification').execute()
})

const sendAs = <E extends Endpoint>(as: SignedIn | null, endpoint: E, input: CallInput<E> = {}) =>
  send(server, as, endpoint, input)
const callAs = <E extends Endpoint>(as: SignedIn | null, endpoint: E, input: CallInput<E> = {}) =>
  call(server, as, endpoint, input)
const params = { region_id }
/** Creates a weekly schedule on Thursdays for the viewer and the planner. */
const createSchedule = (overrides: Partial<contract.NewReportSchedule> = {}, as = city.admin) =>
  callAs(as, contract.createReportSchedule, {
    params,
    body: {
      report: 'trip_counts',
      cadence: 'weekly',
      day: 4,
      recipients: [city.viewer.email, city.planner.email],
      ...overrides,
    },
  })
/** Returns 7:00 of a day. */
const getMorning = (day: string): number => startOfDay(day, timezone) + 7 * hourMs

const readFigures = async (as: SignedIn, start_date: string, end_date: string) =>
  (
    await call(app, as, queryMetrics, {
      params,
      body: { measures: ['trips', 'fleet_avg', 'fleet_max'], start_date, end_date },
    })
  ).period.totals

test('a report is sent to its recipients when it is due, with the figures of the engine and a PDF', async () => {
  const { schedule_id, next_time } = await createSchedule()
  expect(next_time).toBe(new Date(getMorning('2026-03-12')).toISOString())
  await server.look()
  expect(mails).toEqual([])
  clock.at = getMorning('2026-03-12') + 60_000
  await server.look()
  expect(mails.map(({ to }) => to).toSorted()).toEqual([city.planner.email, city.viewer.email].toSorted())
  const [mail] = mails
  expect(mail?.subject).toMatch(/^Vehicle & Trip Counts, .*: Mar 5, 2026 to Mar 11, 2026$/)
  const [trips, average, most] = await readFigures(city.viewer, '2026-03-05', '2026-03-11')
  const trippy = new Intl.NumberFormat('en-US').format(trips ?? NaN)
  expect(mail?.text).toContain(`Trips: ${trippy} (before: `)
  expect(mail?.text).toContain(`Average vehicles: ${(average ?? NaN).toFixed(1)} (`)
  const pdf = mail?.attachments?.[0]
  expect(pdf?.filename).toBe('vehicle-trip-counts_2026-03-05_2026-03-11.pdf')
  const bytes = Buffer.from(pdf?.content ?? '')
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  const text = readPdfText(bytes)
  for (const part of [
    'Vehicle & Trip Counts',
    trippy,
    (average ?? NaN).toFixed(1),
    String(most),
    'Alder Bikes',
    'Figures of all operators.',
    'Data up to Mar 1',
    'Trips that start in the period (version 1).',
    'Hours with data',
  ])
    expect(text).toContain(part)
  // The downloaded PDF of the run has the same bytes.
  const [run] = (await callAs(city.viewer, contract.listReportRuns, { params: { region_id, schedule_id } }))
    .items
  expect(run).toMatchObject({ state: 'sent', is_manual: false, mails: { sent: 2, waiting: 0, failed: 0 } })
  const again = await sendAs(city.viewer, contract.getReportPdf, {
    params: { region_id, schedule_id },
    query: { run_id: run?.run_id },
  })
  expect(again.headers['content-type']).toBe('application/pdf')
  expect(again.rawPayload.equals(bytes)).toBe(true)
})

test('a report of each period is sent once, despite stops of the server', async () => {
  const { schedule_id } = await createSchedule()
  clock.at = getMorning('2026-03-12') + 60_000
  // The server stops before the emails are sent, so another one sends them.
  await server.runDue()
  const other = await openSchedules()
  await other.look()
  await server.look()
  await Promise.all([server.look(), other.look()])
  expect(mails.length).toBe(2)
  // The mail server does not respond, so the emails are tried again.
  clock.at = getMorning('2026-03-19') + 60_000
  sendMail = () => Promise.reject(new Error('down'))
  await server.look()
  sendMail = async (message) => void mails.push(message)
  clock.at += 10 * 60_000
  await server.look()
  expect(mails.length).toBe(4)
  // Two weeks without a server: both periods are sent.
  clock.at = getMorning('2026-04-03')
  await server.look()
  await server.look()
  const runs = (await callAs(city.admin, contract.listReportRuns, { params: { region_id, schedule_id } }))
    .items
  expect(runs.map((run) => run.end_date).toSorted()).toEqual([
    '2026-03-11',
    '2026-03-18',
    '2026-03-25',
    '2026-04-01',
  ])
  await other.http.close()
})

test('a recipient who is limited to an operator gets only its figures', async () => {
  const { id } = await call(app, city.viewer, getMe)
  await call(app, city.admin, changeUser, { params: { user_id: id }, body: { operators: ['alder-bikes'] } })
  try {
    await createSchedule({ report: 'mobility_metrics' })
    clock.at = getMorning('2026-03-12') + 60_000
    await server.look()
    const getText = (email: string): string => mails.find(({ to }) => to === email)?.text ?? ''
    const [ownText, all] = [getText(city.viewer.email), getText(city.planner.email)]
    expect(ownText).toContain('Figures of Alder Bikes only')
    const [trips] = await readFigures(city.viewer, '2026-03-05', '2026-03-11')
    expect(ownText).toContain(`Trips: ${trips} (`)
    expect(all).not.toContain(`Trips: ${trips} (`)
    const pdf = mails.find(({ to }) => to === city.viewer.email)?.attachments?.[0]?.content ?? ''
    expect(readPdfText(Buffer.from(pdf))).not.toContain('birch-scoot')
    // It can only view: it creates no schedules, and sees no other recipients.
    expect(
      (
        await sendAs(city.viewer, contract.createReportSchedule, {
          params,
          body: { report: 'trip_counts', cadence: 'weekly', day: 1, recipients: [city.viewer.email] },
        })
      ).statusCode,
    ).toBe(403)
    const [listed] = (await callAs(city.viewer, contract.listReportSchedules, { params })).items
    expect([listed?.can_edit, listed?.recipients]).toEqual([
      false,
      [{ email: city.viewer.email, has_unsubscribed: false }],
    ])
  } finally {
    await call(app, city.admin, changeUser, { params: { user_id: id }, body: { operators: null } })
  }
})

test('a report has the filters of its page, within the operators that its reader may see', async () => {
  const filters = {
    operators: ['alder-bikes', 'cargo-co'],
    vehicle_types: ['scooter', 'bicycle'] as ('scooter' | 'bicycle')[],
    days: [1, 2, 3, 4, 5],
    hour_filters: [6, 19] as [number, number],
  }
  const created = await createSchedule({ filters: contract.ReportFilters.parse(filters) })
  expect(created.filters).toMatchObject(filters)
  clock.at = getMorning('2026-03-12') + 60_000
  await server.look()
  const getText = (email: string): string => mails.find(({ to }) => to === email)?.text ?? ''
  const period = { start_date: '2026-03-05', end_date: '2026-03-11' }
  const body = { measures: ['trips' as const], ...period, ...filters }
  const { totals } = (await call(app, city.planner, queryMetrics, { params, body })).period
  expect(getText(city.planner.email)).toContain(`Trips: ${totals[0]} (`)
  expect(getText(city.planner.email)).toMatch(
    /of Alder Bikes, Cargo Co only. Filtered by Scooter, Electric Bike; Monday, .*, Friday; 6:00–20:00. Data up/,
  )
  const { id } = await call(app, city.viewer, getMe)
  const limitToOperators = (operators: string[] | null) =>
    call(app, city.admin, changeUser, { params: { user_id: id }, body: { operators } })
  try {
    // One operator of the two, then none.
    await limitToOperators(['alder-bikes'])
    const [ownSchedule] = (await callAs(city.viewer, contract.listReportSchedules, { params })).items
    expect(ownSchedule?.filters.operators).toEqual(['alder-bikes'])
    mails.length = 0
    clock.at = getMorning('2026-03-19') + 60_000
    await server.look()
    expect(getText(city.viewer.email)).toContain('Figures of Alder Bikes only. Filtered by ')
    await limitToOperators(['birch-scoot'])
    expect((await callAs(city.viewer, contract.listReportSchedules, { params })).items).toEqual([])
    mails.length = 0
    clock.at = getMorning('2026-03-26') + 60_000
    await server.look()
    expect(mails.map(({ to }) => to)).toEqual([city.planner.email])
    const refused = await sendAs(city.admin, contract.changeReportSchedule, {
      params: { region_id, schedule_id: created.schedule_id },
      body: { ...created, recipients: [city.viewer.email] },
    })
    expect([refused.statusCode, refused.body]).toEqual([
      422,
      expect.stringContaining('may see none of the operators'),
    ])
  } finally {
    await limitToOperators(null)
  }
})

test('a report of a district has the layer and limit of its filters, and unknown operators are rejected', async () => {
  const parkingLimit = { parking_limit: 2880, shape_layer_uuid: city.layers.zones.shape_layer_uuid }
  const { schedule_id, filters } = await createSchedule({
    report: 'parking_time_by_district',
    filters: contract.ReportFilters.parse(parkingLimit),
  })
  expect(filters).toMatchObject(parkingLimit)
  const pdf = await sendAs(city.admin, contract.getReportPdf, { params: { region_id, schedule_id } })
  const text = readPdfText(pdf.rawPayload)
  expect(text).toContain('Parking events over 48 hours')
  const items = await readShapes(app, city.admin, parkingLimit)
  for (const { shape_name: name } of items) expect(text).toContain(name)
  const body = { report: 'trip_counts', cadence: 'weekly', day: 4, recipients: [city.viewer.email] }
  const reply = await sendAs(city.admin, contract.createReportSchedule, {
    params,
    body: { ...body, filters: { operators: ['nobody'] } } as never,
  })
  expect([reply.statusCode, reply.body]).toEqual([422, expect.stringContaining("no operator 'nobody'")])
})

test('a recipient unsubscribes with the link of an email, without a sign-in', async () => {
  const { schedule_id } = await createSchedule()
  clock.at = getMorning('2026-03-12') + 60_000
  await server.look()
  const mail = mails.find(({ to }) => to === city.planner.email)
  const token = /unsubscribe\/reports\/([0-9a-f-]{36})/.exec(mail?.text ?? '')?.[1] ?? ''
  expect(await callAs(null, contract.endReportByToken, { body: { token } })).toEqual({ ended: true })
  expect(await callAs(null, contract.endReportByToken, { body: { token: randomUUID() } })).toEqual({
    ended: true,
  })
  mails.length = 0
  const body = {
    report: 'trip_counts',
    cadence: 'weekly',
    day: 4,
    recipients: [city.viewer.email, city.planner.email],
  } as const
  const changed = await callAs(city.admin, contract.changeReportSchedule, {
    params: { region_id, schedule_id },
    body: { ...body, recipients: [...body.recipients] },
  })
  expect(changed.recipients.find(({ email }) => email === city.planner.email)?.has_unsubscribed).toBe(true)
  clock.at = getMorning('2026-03-19') + 60_000
  await server.look()
  expect(mails.map(({ to }) => to)).toEqual([city.viewer.email])
})

test('a report runs on request, shows a PDF before its first run, and is deleted with its history', async () => {
  const { schedule_id } = await createSchedule({ cadence: 'monthly', day: 31 })
  const scheduleParams = { region_id, schedule_id }
  const pdf = await sendAs(city.admin, contract.getReportPdf, { params: scheduleParams })
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
  expect(readPdfText(pdf.rawPayload)).toContain('Feb 1, 2026 to Feb 28, 2026')
  // January has trips, but not from its first day, so it is no period to compare with.
  expect(readPdfText(pdf.rawPayload)).toMatch(/Trips[\d,]+n\/an\/a/)
  const run = await callAs(city.admin, contract.runReportSchedule, { params: scheduleParams })
  expect(run).toMatchObject({ is_manual: true, state: 'waiting', start_date: '2026-02-01' })
  await callAs(city.admin, contract.runReportSchedule, { params: scheduleParams })
  await server.look()
  // Two runs create one mail with two files.
  expect(mails.map(({ attachments }) => attachments?.length)).toEqual([2, 2])
  expect(
    (await sendAs(city.viewer, contract.deleteReportSchedule, { params: scheduleParams })).statusCode,
  ).toBe(403)
  expect((await sendAs(city.stranger, contract.listReportRuns, { params: scheduleParams })).statusCode).toBe(
    404,
  )
  expect(await callAs(city.admin, contract.deleteReportSchedule, { params: scheduleParams })).toEqual({
    deleted: true,
  })
  expect((await callAs(city.admin, contract.listReportSchedules, { params })).items).toEqual([])
})

test('every report page has a PDF of its own measures', async () => {
  const titles: string[] = []
  const texts: Record<string, string> = {}
  for (const report of contract.scheduledReports) {
    const { schedule_id } = await createSchedule({ report })
    const pdf = await sendAs(city.admin, contract.getReportPdf, { params: { region_id, schedule_id } })
    const text = readPdfText(pdf.rawPayload)
    titles.push(`${pdf.statusCode} ${/^[^,]*/.exec(text.trim())?.[0] ?? ''}`.slice(0, 60))
    texts[report] = text
  }
  expect(texts['parking_time']).toContain('Parking events over 24 hours')
  expect(texts['trip_speed_by_tech']).toContain('Vehicle technology')
  expect(titles.every((title) => title.startsWith('200 '))).toBe(true)
  expect(new Set(titles).size).toBe(contract.scheduledReports.length)
})

test('a recipient receives a report in the language of its screens', async () => {
  await call(app, city.planner, changeMe, { body: { language: 'es' } })
  await createSchedule()
  clock.at = getMorning('2026-03-12') + 60_000
  await server.look()
  const findMail = (email: string): Message | undefined => mails.find(({ to }) => to === email)
  const [spanish, english] = [findMail(city.planner.email), findMail(city.viewer.email)]
  expect(english?.subject).toMatch(/^Vehicle & Trip Counts, /)
  expect(spanish?.subject).toMatch(/^Conteo de vehículos y viajes, .*: del 5 mar 2026 al 11 mar 2026$/)
  expect(spanish?.text).toMatch(/^Viajes: [\d,.]+ \(antes: /m)
  expect(spanish?.text).toContain('Cifras de todos los operadores. Datos hasta 11 mar 2026, ')
  const pdf = spanish?.attachments?.[0]
  expect(pdf?.filename).toBe('conteo-de-vehiculos-y-viajes_2026-03-05_2026-03-11.pdf')
  const text = readPdfText(Buffer.from(pdf?.content ?? ''))
  for (const part of ['Este período', 'Definiciones', 'Viajes que empiezan en el período. (versión 1).'])
    expect(text).toContain(part)
  expect(text).not.toMatch(/Measure|Definitions|Newest|operators/)
  await call(app, city.planner, changeMe, { body: { language: 'en-US' } })
})

test('parked time by district has the figures of the map', async () => {
  const { schedule_id } = await createSchedule({
    report: 'parking_time_by_district',
    cadence: 'monthly',
    day: 1,
  })
  // By then all parking events of March have ended.
  clock.at = getMorning('2026-04-05')
  const pdf = await sendAs(city.admin, contract.getReportPdf, { params: { region_id, schedule_id } })
  const text = readPdfText(pdf.rawPayload)
  const ofMap = async (parked_duration: number) =>
    (
      await call(app, city.admin, querySpatial, {
        params,
        body: {
          mode: 'parking',
          aggregation: 'total_parking_events',
          shape_layer_uuid: city.layers.districts.shape_layer_uuid,
          start_date: '2026-03-01',
          end_date: '2026-03-31',
          parked_duration,
        },
      })
    ).shape_data
  const [all, long] = [await ofMap(0), await ofMap(24 * 60)]
  const items = await readShapes(app, city.admin, city.layers.districts)
  expect(items.length).toBeGreaterThan(1)
  for (const { shape_uuid: id, shape_name: name } of items) {
    const [events, overLimit] = [all[id]?.value ?? 0, long[id]?.value ?? 0]
    const share = events ? `${((100 * overLimit) / events).toFixed(1)}%` : 'n/a'
    // Cells of a row are one after another in the text.
    expect(text).toContain(`${name}${events}${overLimit}${share}`)
  }
})

test('recipients must be able to see the region, and invalid values are rejected', async () => {
  for (const [overrides, reason] of [
    [{ recipients: [city.stranger.email] }, 'is no user of this region'],
    [{ recipients: ['nobody@nowhere.example'] }, 'is no user of this region'],
    [{ recipients: [] }, 'recipients'],
    [{ day: 8 }, 'A weekday is 1'],
    [{ cadence: 'monthly', day: 32 }, 'day'],
    [{ report: 'raw_data' }, 'report'],
  ] as const) {
    const reply = await sendAs(city.admin, contract.createReportSchedule, {
      params,
      body: {
        report: 'trip_counts',
        cadence: 'weekly',
        day: 4,
        recipients: [city.viewer.email],
        ...overrides,
      } as never,
    })
    expect([reply.statusCode, reply.body]).toEqual([422, expect.stringContaining(reason)])
  }
})
