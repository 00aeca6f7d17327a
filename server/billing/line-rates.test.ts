import { expect, test } from 'vitest'
import { formatRates } from '#contract/line-rates.ts'
import type { ParkingPart } from './charged-facts.ts'
import { lineColumns } from './invoices/lines-sheet.ts'
import { findLineRates } from './line-rates.ts'
import { Rational } from './rational.ts'
import { TariffPart } from './tariff.ts'

const makeParking = (structure: object, overrides: object = {}): ParkingPart =>
  TariffPart.parse({ kind: 'parking', name: 'Parking', structure, ...overrides }) as ParkingPart
const schedule = makeParking({
  by: 'schedule',
  prices: {
    weekday: [
      { start_time: '07:00:00', end_time: '19:00:00', price: 2 },
      { start_time: '19:00:00', end_time: null, price: 1 },
    ],
    wednesday: [{ start_time: '07:30:00', end_time: '19:00:00', price: 2 }],
    all: [{ start_time: null, end_time: null, price: 1 }],
  },
})
const bands = [
  { start: 0, end: 90, price: 0 },
  { start: 91, end: 1440, price: 1 },
  { start: 1440, end: null, price: 2 },
]
const duration = makeParking({ by: 'duration', bands })
const discounted = makeParking({ by: 'duration', bands }, { discount: { percent: 25, areas: ['a'] } })

test.each([
  [schedule, '2', 'Mon–Tue, Thu–Fri 7:00 AM–7:00 PM; Wed 7:30 AM–7:00 PM'],
  [schedule, '1', 'Mon–Tue, Thu–Fri 7:00 PM–12:00 AM; Sat–Sun'],
  [schedule, '3', ''],
  [duration, '0', 'up to 90 min'],
  [duration, '1', '90 min to 24 h'],
  [duration, '2', 'over 24 h'],
  [discounted, '-0.5', 'over 24 h'],
  [discounted, '0', 'up to 90 min'],
  [makeParking({ by: 'duration', bands: [{ start: 0, end: null, price: 2 }] }), '2', ''],
  [makeParking({ by: 'event', price: 2 }), '2', ''],
])('The rate of a line says when its price applies (case %#)', (part, price, text) =>
  expect(formatRates(findLineRates(part, Rational.of(price)), 'en-US')).toBe(text),
)

test('The rate of a line is in Spanish with 24 hours', () => {
  const formatInSpanish = (part: ParkingPart, price: number) =>
    formatRates(findLineRates(part, Rational.of(price)), 'es')
  expect([formatInSpanish(duration, 0), formatInSpanish(duration, 1), formatInSpanish(duration, 2)]).toEqual([
    'hasta 90 min',
    'de 90 min a 24 h',
    'más de 24 h',
  ])
  expect(formatInSpanish(schedule, 1)).toBe('lun–mar, jue–vie 19:00–24:00; sáb–dom')
  expect(formatInSpanish(schedule, 2)).toBe('lun–mar, jue–vie 07:00–19:00; mié 07:30–19:00')
})

test('The rate of a line is a column of the spreadsheet and CSV of lines', () => {
  const column = lineColumns.find(({ name }) => name === 'rate')!
  const line = { rates: findLineRates(duration, Rational.of(2)) } as Parameters<typeof column.getValue>[0]
  expect([column.getValue(line), column.getValue({ ...line, rates: [] })]).toEqual(['over 24 h', null])
})
