import { civilClock } from '#contract/civil-clock.ts'
import { daysBetween, hourMs, type LocalDay } from '#contract/period.ts'
import { formatTimeField } from '#server/stores/row-text.ts'
import { bind, type Sql, sql } from '#server/stores/sql.ts'
import { createTimeSlicer } from '#server/stores/time-slices.ts'
import { createShareCalculator, ParkingSums } from '../charge-parking.ts'
import type { ParkingPart } from '../charged-facts.ts'
import type { StoredFacts } from '../fee-source.ts'
import { countFees, isInWindows } from './count-fees.ts'
import { buildDiscountIndex } from './discount-place.ts'
import {
  toChunks,
  type FeeEngine,
  toFactQuestion,
  feeQueryOptions,
  findParkingPlaces,
} from './fact-question.ts'
import type { FeePeriod } from './fee-lines.ts'
import { discountCharge, excessCharge, type FeeRevision } from './fee-revision.ts'
import {
  columns,
  encodeFact,
  hashInvoiceFacts,
  insertLines,
  removeInvoiceFacts,
  rowsPerInsert,
  type StoredInvoice,
} from './invoice-facts.ts'
import { chargedTripRows, type FactQuestion, type ParkingPlaces, parkingRows } from './queries.ts'
import { findRate, findRateCharges, makeRateFactId } from './rate-charges.ts'

/** Number of days of parking events or rates read by one query. */
const daysPerQuery = 7
/** Number of parking events charged between two checks whether to yield to other work. */
const eventsPerSlice = 100
/** Values stored for facts without a vehicle and times. */
const noVehicle = { vehicleId: '', vehicleType: '', from: '1970-01-01 00:00:00', to: '1970-01-01 00:00:00' }

/** An invoice, and where the facts behind its fees come from. */
interface InvoiceToStore {
  engine: FeeEngine
  invoice: StoredInvoice
  period: FeePeriod
}

/** Stores the facts of an invoice, replacing those of an earlier attempt. */
export async function storeInvoiceFacts(
  { engine, invoiceId, period }: Omit<InvoiceToStore, 'invoice'> & { invoiceId: string },
  revisions: readonly FeeRevision[],
): Promise<StoredFacts> {
  const { facts, scope, region } = engine
  const invoice = { facts, scope, regionId: region.regionId, invoiceId }
  const invoiceToStore = { engine, invoice, period }
  await removeInvoiceFacts(invoice)
  for (const revision of revisions) {
    engine.signal?.throwIfAborted()
    switch (revision.part.kind) {
      case 'trips':
        await storeTrips(invoiceToStore, revision)
        break
      case 'vehicles':
        await storeVehicles(invoiceToStore, revision)
        break
      case 'rates':
        await storeRates(invoiceToStore, revision)
        break
      default:
        await storeParking(invoiceToStore, revision)
    }
  }
  return hashInvoiceFacts(invoice)
}

/** Stores the charged trips of a revision, without reading them into memory. */
async function storeTrips({ engine, invoice, period }: InvoiceToStore, revision: FeeRevision): Promise<void> {
  const question = toFactQuestion(engine, revision, daysBetween(period.start_date, period.end_date))
  if (!question || revision.part.kind !== 'trips') return
  const { facts, scope } = engine
  const discount = await buildDiscountIndex(engine, revision)
  const trips = chargedTripRows(question, revision.part, discount)
  const addTrips = (charge: string, condition: Sql) =>
    facts.add(scope, 'invoice_facts', {
      columns,
      rows: sql`
      select
        ${bind('String', invoice.regionId)},
        ${bind('UUID', invoice.invoiceId)},
        ${bind('UUID', revision.policyId)},
        operator,
        'trip',
        day,
        fact_id,
        vehicle_id,
        vehicle_type,
        from_time,
        to_time,
        ${bind('String', charge)},
        'trips',
        '',
        toInt64(1),
        toUInt64(1)
      from (${trips})
      where ${condition}`,
      ...feeQueryOptions,
      areDistinct: true,
    })
  await addTrips('', sql`true`)
  if (discount) await addTrips(discountCharge, sql`is_discounted`)
}

/** Stores fees for vehicles as one fact per sum and day, as they are charged for averages of the fleet. */
async function storeVehicles(
  { engine, invoice, period }: InvoiceToStore,
  revision: FeeRevision,
): Promise<void> {
  const { policyId } = revision
  const sums = await countFees(engine, revision, daysBetween(period.start_date, period.end_date))
  const lines = sums.map(({ operator, day, unit, price, numerator, denominator }) =>
    encodeFact(invoice, {
      policyId,
      operator,
      kind: 'vehicle_day',
      day,
      factId: day,
      ...noVehicle,
      charge: '',
      unit,
      price,
      numerator,
      denominator,
    }),
  )
  await insertLines(invoice, lines)
}

/** A parking event; `begins` and `ends` in ms. */
interface ParkingRow {
  operator: string
  vehicle_type: string
  day: LocalDay
  fact_id: string
  vehicle_id: string
  begins: number
  ends: number
  is_discounted: boolean
}

const readParking = (
  { facts, scope }: FeeEngine,
  part: ParkingPart,
  question: FactQuestion,
  places: ParkingPlaces,
): Promise<ParkingRow[]> =>
  facts.rows<ParkingRow>(
    scope,
    sql`
    select
      operator,
      vehicle_type,
      toString(day) as day,
      fact_id,
      vehicle_id,
      toFloat64(begins) as begins,
      toFloat64(ends) as ends,
      is_discounted
    from (${parkingRows(question, part, places)})
    where is_charged`,
    feeQueryOptions,
  )

/** Returns the reductions to the maximum per vehicle and day, as facts of their days. */
function encodeReductions(
  invoice: StoredInvoice,
  fact: { policyId: string; operator: string },
  sumsByDay: ReadonlyMap<LocalDay, ParkingSums>,
): string[] {
  return [...sumsByDay].flatMap(([day, sums]) => {
    const [numerator, denominator] = sums.computeExcess().fraction
    if (numerator === 0n) return []
    const reduction = { day, factId: day, ...noVehicle, unit: '', price: '', numerator, denominator }
    return [encodeFact(invoice, { ...fact, ...reduction, kind: 'reduction', charge: excessCharge })]
  })
}

/** Stores the charged parking events of a revision, with their prices by time. */
async function storeParking(
  { engine, invoice, period }: InvoiceToStore,
  revision: FeeRevision,
): Promise<void> {
  const { part, policyId } = revision
  if (part.kind !== 'parking') return
  const places = await findParkingPlaces(engine, revision)
  const clock = civilClock(engine.region.timezone)
  const computeShares = createShareCalculator(part, clock)
  const yieldIfDue = createTimeSlicer()
  for (const days of toChunks(daysBetween(period.start_date, period.end_date), daysPerQuery)) {
    const question = toFactQuestion(engine, revision, days)
    if (!question) continue
    const isCharged = isInWindows(revision, question)
    const rows = await readParking(engine, part, question, places)
    const sumsByDay = new Map<LocalDay, ParkingSums>()
    let lines: string[] = []
    for (const [index, row] of rows.entries()) {
      if (index % eventsPerSlice === 0) {
        engine.signal?.throwIfAborted()
        await yieldIfDue()
        if (lines.length >= rowsPerInsert) {
          await insertLines(invoice, lines)
          lines = []
        }
      }
      if (!isCharged(row.begins)) continue
      const event = {
        vehicleId: row.vehicle_id,
        vehicleType: row.vehicle_type,
        from: row.begins,
        to: Math.max(row.begins, row.ends),
      }
      for (const { unit, price, amount } of computeShares(event)) {
        const fact = {
          policyId,
          operator: row.operator,
          kind: 'parking_event' as const,
          day: row.day,
          factId: row.fact_id,
          vehicleId: row.vehicle_id,
          vehicleType: row.vehicle_type,
          from: formatTimeField(event.from),
          to: formatTimeField(event.to),
          charge: '',
          unit,
          price: price.text(),
          numerator: amount,
          // Hours are stored as a fraction: milliseconds of an hour.
          denominator: unit === 'hours' ? hourMs : 1,
        }
        lines.push(encodeFact(invoice, fact))
        if (row.is_discounted) lines.push(encodeFact(invoice, { ...fact, charge: discountCharge }))
      }
      if (!part.maximum_per_vehicle_day) continue
      let sums = sumsByDay.get(row.day)
      if (!sums) sumsByDay.set(row.day, (sums = new ParkingSums(part, clock)))
      sums.add(event, row.is_discounted)
    }
    // An invoice has one operator.
    const operator = rows[0]?.operator ?? ''
    lines.push(...encodeReductions(invoice, { policyId, operator }, sumsByDay))
    await insertLines(invoice, lines)
  }
}

/** Stores the vehicles that matched rules with rates. */
async function storeRates({ engine, invoice, period }: InvoiceToStore, revision: FeeRevision): Promise<void> {
  const { policyId, part } = revision
  if (part.kind !== 'rates') return
  for (const days of toChunks(daysBetween(period.start_date, period.end_date), daysPerQuery)) {
    const vehicleRates = await findRateCharges(engine, revision, days)
    const lines = vehicleRates.map((vehicleRate) => {
      const { operator, day, deviceId, vehicleType, key, charge } = vehicleRate
      const { unit, amount } = findRate(part, key)
      return encodeFact(invoice, {
        policyId,
        operator,
        kind: 'rate_match',
        day,
        factId: makeRateFactId(vehicleRate),
        vehicleId: deviceId,
        vehicleType,
        from: formatTimeField(charge.from),
        to: formatTimeField(charge.until),
        charge: key,
        unit,
        price: amount.text(),
        numerator: charge.quantity,
        denominator: 1,
      })
    })
    await insertLines(invoice, lines)
  }
}
