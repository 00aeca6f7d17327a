import type { CurbPlace } from './curb-place.ts'
import { withSensors } from './curb-places.ts'

/** Makes places for tests: two-hour meters on central blocks and two smart zones. */
export function smallCurb(): CurbPlace[] {
  const place = (block: number, more: Partial<CurbPlace>): CurbPlace => ({
    zoneId: `zone-${block}`,
    number: block * 16,
    label: `${block + 1}-R1`,
    block,
    streetName: 'Candle Lane',
    lon: -75.2,
    lat: 37.05,
    spaces: 10,
    use: 'meter',
    maxStay: 120,
    opens: 480,
    closes: 1200,
    rates: [{ from: 0, bands: [{ weekdays: [1, 2, 3, 4, 5, 6], opens: 480, closes: 1200, rate: 250 }] }],
    isCleaned: false,
    until: null,
    attraction: 0.95,
    hasSensor: false,
    response: null,
    ...more,
  })
  const smart: Partial<CurbPlace> = { use: 'smart', spaces: 2, closes: 1080, rates: [] }
  return withSensors([
    ...[0, 1, 2, 3, 6, 9].map((block) => place(block, {})),
    place(12, smart),
    place(13, smart),
  ])
}
