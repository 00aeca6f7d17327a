import { describe, expect, it } from 'vitest'
import { hourMs } from '#contract/period.ts'
import { PaymentReader } from '#server/curb/payments/read/read-payment.ts'
import { dayNumber } from '../day-number.ts'
import { createLocalDays } from '../trips/local-days.ts'
import { makeParkedCars } from './parked-cars.ts'
import { makePaymentFile, paymentMappings } from './payment-files.ts'
import { type PaymentVendorKind, makeDayPayments, paymentVendors } from './payments.ts'
import { smallCurb } from './small-curb.ts'

const timezone = 'America/New_York'
const places = smallCurb()
const days = createLocalDays(timezone)
const from = dayNumber('2026-06-01')
const task = { places, seed: 5, timezone, from, until: from + 28, newest: from + 28 }

/** Reads the rows of a vendor's file as the import reads them. */
function read(vendor: PaymentVendorKind) {
  const [header = '', ...lines] = makePaymentFile({ ...task, vendor })
    .toString()
    .trimEnd()
    .split('\n')
  const reader = new PaymentReader({
    header: header.split(','),
    mapping: paymentMappings[vendor],
    vendor: paymentVendors[vendor],
    timezone,
    currency: 'USD',
    currencyDigits: 2,
    key: 'key',
    now: Date.parse('2026-07-15T00:00:00Z'),
  })
  return lines.map((line) => reader.read(line.split(',')))
}

/** Counts the occupied space-hours from 9 to 18 of a day. */
function sumSpaceHours(stays: readonly { fromMs: number; untilMs: number }[], day: number): number {
  const [begin, end] = [days(day).startMs + 9 * hourMs, days(day).startMs + 18 * hourMs]
  return stays.reduce(
    (sum, stay) => sum + Math.max(0, Math.min(end, stay.untilMs) - Math.max(begin, stay.fromMs)) / hourMs,
    0,
  )
}

describe('generated payments', () => {
  it.each(['kiosk', 'app'] as const)('payments of the %s vendor are imported without findings', (vendor) => {
    const rows = read(vendor)
    expect(rows.length).toBeGreaterThan(2000)
    expect(rows.flatMap(({ findings }) => findings)).toEqual([])
    expect(new Set(rows.map(({ payment }) => payment?.rowKey)).size).toBe(rows.length)
  })

  it('generated payments include refunds, declined, cancelled, zero and test payments', () => {
    const kinds = new Set((['kiosk', 'app'] as const).flatMap(read).map(({ payment }) => payment?.kind))
    expect(kinds).toEqual(new Set(['counted', 'refund', 'declined', 'cancelled', 'zero', 'test']))
  })

  it('generated payments report the cumulative minutes for extensions of the app', () => {
    const payments = places.flatMap((place) =>
      makeDayPayments(place, {
        seed: 5,
        day: from + 2,
        newest: from + 2,
        local: days(from + 2),
        next: days(from + 3),
      }),
    )
    const extended = payments.filter(({ isExtension, vendor }) => isExtension && vendor === 'app')
    expect(extended.length).toBeGreaterThan(5)
    for (const { key, minutes, startMs } of extended) {
      const first = payments.find(
        (payment) => payment.key === key && !payment.isExtension && payment.status === 'approved',
      )
      expect(first).toMatchObject({ startMs })
      expect(minutes).toBeGreaterThan(first!.minutes)
    }
  })

  it('generated payments cover about two thirds of the parked time', () => {
    let [paid, parked] = [0, 0]
    for (let day = from; day < from + 28; day++) {
      if (day % 7 === 3) continue
      const made = { seed: 5, day, newest: from + 28, local: days(day), next: days(day + 1) }
      for (const place of places.filter(({ use }) => use === 'meter')) {
        parked += sumSpaceHours(
          makeParkedCars(place, { seed: 5, day, local: made.local, next: made.next }),
          day,
        )
        const payments = makeDayPayments(place, made).filter(
          ({ status, amount, isExtension, vendor }) =>
            status === 'approved' && amount > 0 && !(isExtension && vendor === 'app'),
        )
        paid += sumSpaceHours(
          payments.map(({ startMs, minutes }) => ({ fromMs: startMs, untilMs: startMs + minutes * 60_000 })),
          day,
        )
      }
    }
    expect(paid / parked).toBeGreaterThan(0.55)
    expect(paid / parked).toBeLessThan(0.72)
  })
})
