import { setTimeout as wait } from 'node:timers/promises'
import { dayFromNumber, dayNumber, localDay } from '#contract/period.ts'
import { permissionKeys } from '#contract/permission.ts'
import type { App } from '#server/app.ts'
import { createCalibration, listCalibrations } from '#server/curb/occupancy/calibrations.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { type CurbOffice, importPayments, importSurvey } from './curb-imports.ts'
import { isCleaningDay } from './curb-demand.ts'
import { storeFleetAccounts } from './fleet-accounts.ts'
import type { CurbPlace } from './curb-place.ts'
import { readCurbPlaces } from './curb-places.ts'
import { paymentMappings } from './payment-files.ts'
import type { PaymentFileAsked } from './payment-files.ts'
import { hasPayments, paymentVendors, type PaymentVendorKind } from './payments.ts'
import { changePastRates, pricingBands, pricingDayTypes, proposeNextRates } from './price-changes.ts'
import { makeSurvey } from './surveys.ts'

/** Days of payments, and of one file. */
const [paymentDays, fileDays] = [547, 92]
/** Days before the first run on which streets were counted. */
const surveyDaysAgo = [200, 22]
/** Days before and after a survey whose sensors count for its calibration. */
const calibratedDays = 14
const pollMs = 3000
const vendors = Object.keys(paymentVendors) as PaymentVendorKind[]

export interface ParkingDemo {
  app: Pick<App, 'state' | 'facts' | 'blobs' | 'jobs' | 'curb'>
  dataDir: string
  organizationId: string
  regionId: string
  seed: number
  clerk: { userId: string; email: string }
  log: Log
  /** The first run, and now. */
  firstRun: Date
  at: Date
  say: (line: string) => void
}

/** Waits until nothing of the products is dirty. */
async function waitForDerived(
  { app, regionId }: ParkingDemo,
  viewer: Viewer,
  products: string[],
): Promise<void> {
  for (;;) {
    const dirty = await app.state
      .as(viewer.scope)
      .selectFrom('derived_span')
      .select('span')
      .where('region_id', '=', regionId)
      .where('product', 'in', products)
      .whereRef('done', '<', 'wanted')
      // The running day is dirty all the time.
      .where('span', '<', localDay(new Date(Date.now() - 86_400_000), 'UTC'))
      .limit(1)
      .executeTakeFirst()
    if (!dirty) return
    await wait(pollMs)
  }
}

/**
 * Makes what was paid and decided at the curb, through the same imports and steps that people use: a change of rates, payments of a year and
 * a half, two surveys, and a proposal. Each step is done once; what was cut off goes on at the next start, and so do the payments of later days.
 */
export async function parkDemo(demo: ParkingDemo): Promise<void> {
  const { app, regionId, organizationId, seed, clerk, log, firstRun, at, say } = demo
  const scope = regionScope(organizationId, regionId)
  const viewer: Viewer = {
    ...clerk,
    organizationId,
    permissions: permissionKeys,
    scope,
    allRegions: true,
    mfaEnrollmentRequired: false,
    admin: null,
    sessionId: '',
  }
  const region = await app.state
    .as(scope)
    .selectFrom('region')
    .select(['timezone', 'lat', 'lon'])
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  const { timezone } = region
  const read = (): Promise<CurbPlace[]> =>
    readCurbPlaces(app.state, scope, { regionId, center: region, seed })
  const office: CurbOffice = {
    state: app.state,
    facts: app.facts,
    jobs: app.jobs,
    blobs: app.blobs,
    dataDir: demo.dataDir,
    viewer,
    regionId,
  }
  const [until, today] = [firstRun, at].map((moment) => dayNumber(localDay(moment, timezone))) as [
    number,
    number,
  ]
  const pricing = { pricing: app.curb.pricing, viewer, regionId, timezone, log }

  await storeFleetAccounts(app.state, viewer, { regionId, firstRun: until, at })
  await waitForDerived(demo, viewer, ['curb_hours'])
  await changePastRates({ ...pricing, places: await read() }, until)
  say('Curb: rates of nine months ago')

  const places = (await read()).filter(hasPayments)
  const spans: [number, number][] = []
  for (let from = until - paymentDays; from < until; from += fileDays)
    spans.push([from, Math.min(until, from + fileDays)])
  // Days since then, a file for each start.
  if (today > until) spans.push(...(await laterSpans(office, until, today)))
  for (const [from, end] of spans) {
    for (const vendor of vendors) {
      const asked: PaymentFileAsked = { vendor, places, seed, timezone, from, until: end, newest: until }
      await importPayments(office, {
        vendor: paymentVendors[vendor],
        name: fileName(vendor, from, end),
        mapping: paymentMappings[vendor],
        make: () => runInWorker<Uint8Array>(new URL('./payment-worker.ts', import.meta.url), asked),
      })
    }
    say(`Curb: payments until ${dayFromNumber(end - 1)}`)
  }
  for (const daysAgo of surveyDaysAgo) {
    const day = surveyDay(until - daysAgo)
    await importSurvey(office, {
      name: `downtown-survey-${dayFromNumber(day)}.csv`,
      date: dayFromNumber(day),
      make: () => makeSurvey(places, { seed, timezone, day }),
    })
  }
  say('Curb: two surveys')
  await waitForDerived(demo, viewer, ['curb_payment_sessions', 'curb_payment_sums'])
  await waitForDerived(demo, viewer, ['curb_occupancy', 'curb_hours'])
  const known = await listCalibrations(app.state, scope, regionId, dayFromNumber(today))
  for (const daysAgo of surveyDaysAgo) {
    const day = surveyDay(until - daysAgo)
    const name = `Survey of ${dayFromNumber(day)} and sensors`
    if (known.some((each) => each.name === name)) continue
    const input = {
      name,
      zone_ids: null,
      bands: pricingBands.map(({ key, from, until: end }) => ({ key, from, until: end })),
      day_types: pricingDayTypes,
      start_date: dayFromNumber(day - calibratedDays),
      end_date: dayFromNumber(Math.min(until - 1, day + calibratedDays)),
    }
    await createCalibration(office, viewer, regionId, input, at, dayFromNumber(today))
  }
  say('Curb: calibrations')
  await proposeNextRates({ ...pricing, places }, until, at)
  say('Curb: a proposal of rates')
}

const fileName = (vendor: PaymentVendorKind, from: number, until: number): string =>
  `${vendor === 'kiosk' ? 'pay-stations' : 'app'}-${dayFromNumber(from)}-${dayFromNumber(until - 1)}.csv`

/** A day in the middle of a week on which no street is cleaned. */
function surveyDay(near: number): number {
  for (let day = near; ; day++) if ([2, 3, 4].includes((day + 4) % 7) && !isCleaningDay(day)) return day
}

/** Days after the first run whose payments are imported already, and those that are not yet. */
async function laterSpans(
  { state, viewer, regionId }: CurbOffice,
  until: number,
  today: number,
): Promise<[number, number][]> {
  const rows = await state
    .as(viewer.scope)
    .selectFrom('curb_payment_import')
    .select('file_name')
    .where('region_id', '=', regionId)
    .execute()
  const names = new Set(rows.map(({ file_name: name }) => name))
  const spans: [number, number][] = []
  let from = until
  for (let end = until + 1; end <= today; end++)
    if (names.has(fileName('kiosk', from, end))) {
      spans.push([from, end])
      from = end
    }
  return from < today ? [...spans, [from, today]] : spans
}
