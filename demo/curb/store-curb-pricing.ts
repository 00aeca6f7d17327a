import { setTimeout as wait } from 'node:timers/promises'
import { dayFromNumber, dayMs, dayNumber, localDay } from '#contract/period.ts'
import { permissionKeys } from '#contract/permission.ts'
import type { App } from '#server/app.ts'
import { createCalibration, listCalibrations } from '#server/curb/occupancy/calibrations.ts'
import type { Viewer } from '#server/http/viewer.ts'
import { regionScope } from '#server/identity/scope.ts'
import type { Log } from '#server/jobs/log.ts'
import { runInWorker } from '#server/jobs/run-in-worker.ts'
import { readDemoRegion } from '../demo-region.ts'
import { type CurbImporter, importPayments, importSurvey } from './curb-imports.ts'
import { isCleaningDay } from './curb-demand.ts'
import { storeFleetAccounts } from './fleet-accounts.ts'
import type { CurbPlace } from './curb-place.ts'
import { readCurbPlaces } from './curb-places.ts'
import { paymentMappings } from './payment-files.ts'
import type { PaymentFileTask } from './payment-files.ts'
import { hasPayments, paymentVendors, type PaymentVendorKind } from './payments.ts'
import { changePastRates, pricingBands, pricingDayTypes, proposeNextRates } from './price-changes.ts'
import { makeSurvey } from './surveys.ts'

/** Number of days of payments before the first run. */
const paymentDays = 547
/** Maximum number of days per file. */
const fileDays = 92
/** Days before the first run on which the surveys took place. */
const surveyDaysAgo = [200, 22]
/** Days before and after a survey with sensor data for its calibration. */
const calibratedDays = 14
/** Interval at which the progress of the calculation is requested. */
const pollMs = 3000
const vendors = Object.keys(paymentVendors) as PaymentVendorKind[]

export interface CurbPricingOptions {
  app: Pick<App, 'state' | 'facts' | 'blobs' | 'jobs' | 'curb'>
  dataDir: string
  organizationId: string
  regionId: string
  seed: number
  user: { userId: string; email: string }
  log: Log
  /** Time of the first run. */
  firstRun: Date
  at: Date
  printLine: (line: string) => void
}

/** Waits until no past span of the products is dirty. */
async function waitForDerived(
  { app, regionId }: CurbPricingOptions,
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
      // The current day is always dirty.
      .where('span', '<', localDay(new Date(Date.now() - dayMs), 'UTC'))
      .limit(1)
      .executeTakeFirst()
    if (!dirty) return
    await wait(pollMs)
  }
}

/** What every step needs. Days are numbers of local days. */
interface PricingStep {
  options: CurbPricingOptions
  importer: CurbImporter
  viewer: Viewer
  timezone: string
  /** The day of the first run. */
  until: number
  today: number
}

/**
 * Stores a rate change, payments of a year and a half, two surveys with calibrations and a rate proposal, through the
 * imports and use cases of the API. Each step is done once. Interrupted steps continue at the next start, which also
 * adds the payments since the last one.
 */
export async function storeCurbPricing(options: CurbPricingOptions): Promise<void> {
  const { app, regionId, organizationId, seed, user, log, firstRun, at, printLine } = options
  const scope = regionScope(organizationId, regionId)
  const viewer: Viewer = {
    ...user,
    organizationId,
    permissions: permissionKeys,
    scope,
    allRegions: true,
    mfaEnrollmentRequired: false,
    admin: null,
    sessionId: '',
  }
  const region = await readDemoRegion(app.state.as(scope), regionId)
  const { timezone } = region
  const readPlaces = (): Promise<CurbPlace[]> =>
    readCurbPlaces(app.state, scope, { regionId, center: region, seed })
  const importer: CurbImporter = {
    state: app.state,
    facts: app.facts,
    jobs: app.jobs,
    blobs: app.blobs,
    dataDir: options.dataDir,
    viewer,
    regionId,
  }
  const toDayNumber = (time: Date): number => dayNumber(localDay(time, timezone))
  const until = toDayNumber(firstRun)
  const step: PricingStep = { options, importer, viewer, timezone, until, today: toDayNumber(at) }
  const pricing = { pricing: app.curb.pricing, viewer, regionId, timezone, log }

  await storeFleetAccounts(app.state, viewer, { regionId, firstRunDay: until, at })
  await waitForDerived(options, viewer, ['curb_hours'])
  await changePastRates({ ...pricing, places: await readPlaces() }, until)
  printLine('Curb: rate change of nine months ago')
  const places = (await readPlaces()).filter(hasPayments)
  await storePayments(step, places)
  await storeSurveys(step, places)
  await waitForDerived(options, viewer, ['curb_payment_sessions', 'curb_payment_sums'])
  await waitForDerived(options, viewer, ['curb_occupancy', 'curb_hours'])
  await createCalibrations(step)
  await proposeNextRates({ ...pricing, places }, until, at)
  printLine('Curb: rate proposal')
}

async function storePayments(
  { options: { seed, printLine }, importer, timezone, until, today }: PricingStep,
  places: CurbPlace[],
): Promise<void> {
  const spans: [number, number][] = []
  for (let from = until - paymentDays; from < until; from += fileDays)
    spans.push([from, Math.min(until, from + fileDays)])
  // One file per start for the days since the first run.
  if (today > until) spans.push(...(await listLaterSpans(importer, until, today)))
  for (const [from, end] of spans) {
    for (const vendor of vendors) {
      const task: PaymentFileTask = { vendor, places, seed, timezone, from, until: end, newest: until }
      await importPayments(importer, {
        vendor: paymentVendors[vendor],
        name: getFileName(vendor, from, end),
        mapping: paymentMappings[vendor],
        make: () => runInWorker<Uint8Array>(new URL('./payment-worker.ts', import.meta.url), task),
      })
    }
    printLine(`Curb: payments through ${dayFromNumber(end - 1)}`)
  }
}

async function storeSurveys(
  { options: { seed, printLine }, importer, timezone, until }: PricingStep,
  places: readonly CurbPlace[],
): Promise<void> {
  for (const daysAgo of surveyDaysAgo) {
    const day = findSurveyDay(until - daysAgo)
    await importSurvey(importer, {
      name: `downtown-survey-${dayFromNumber(day)}.csv`,
      date: dayFromNumber(day),
      make: () => makeSurvey(places, { seed, timezone, day }),
    })
  }
  printLine('Curb: two surveys')
}

/** Creates the calibrations that do not exist yet, one for each survey. */
async function createCalibrations({ options, importer, viewer, until, today }: PricingStep): Promise<void> {
  const { app, regionId, at, printLine } = options
  const existing = await listCalibrations(app.state.as(viewer.scope), regionId, dayFromNumber(today))
  for (const daysAgo of surveyDaysAgo) {
    const day = findSurveyDay(until - daysAgo)
    const name = `Survey of ${dayFromNumber(day)} and sensors`
    if (existing.some((calibration) => calibration.name === name)) continue
    const input = {
      name,
      zone_ids: null,
      bands: pricingBands.map(({ key, from, until: end }) => ({ key, from, until: end })),
      day_types: pricingDayTypes,
      start_date: dayFromNumber(day - calibratedDays),
      end_date: dayFromNumber(Math.min(until - 1, day + calibratedDays)),
    }
    await createCalibration(importer, {
      viewer,
      params: { region_id: regionId },
      body: input,
      at,
      today: dayFromNumber(today),
    })
  }
  printLine('Curb: calibrations')
}

const getFileName = (vendor: PaymentVendorKind, from: number, until: number): string =>
  `${vendor === 'kiosk' ? 'pay-stations' : 'app'}-${dayFromNumber(from)}-${dayFromNumber(until - 1)}.csv`

/** Finds the first Tuesday, Wednesday or Thursday from a day on that has no street cleaning. */
function findSurveyDay(earliest: number): number {
  for (let day = earliest; ; day++) if ([2, 3, 4].includes((day + 4) % 7) && !isCleaningDay(day)) return day
}

/** Lists the spans of days since the first run: those with imported payments, then the remaining days. */
async function listLaterSpans(
  { state, viewer, regionId }: CurbImporter,
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
    if (names.has(getFileName('kiosk', from, end))) {
      spans.push([from, end])
      from = end
    }
  return from < today ? [...spans, [from, today]] : spans
}
