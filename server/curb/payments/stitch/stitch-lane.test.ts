import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { minuteMs } from '#contract/period.ts'
import { type PlainPurchase, plainStays } from '../../../../test/curb/plain-stitching.ts'
import { type Purchase, type StitchedPurchase, stitchLane } from './stitch-lane.ts'

const runs = Number(process.env['STITCH_RUNS'] ?? 300)
const secondMs = 1000

const toPurchase = (plain: PlainPurchase): Purchase => ({
  key: plain.key,
  isRefund: plain.isRefund,
  paid: plain.paid * secondMs,
  start: plain.start === null ? null : plain.start * secondMs,
  end: plain.end === null ? null : plain.end * secondMs,
  purchased: plain.bought,
  hint: plain.hint,
  isCumulative: plain.isCumulative,
})

/** Generates seconds between two minutes: whole minutes as well, so that some purchases meet exactly. */
const anySeconds = (from: number, until: number) =>
  fc.oneof(
    fc.integer({ min: from, max: until }).map((minutes) => minutes * 60),
    fc.integer({ min: from * 60, max: until * 60 }),
  )

const anyLane = fc
  .tuple(
    fc.boolean(),
    fc.array(
      fc.record({
        paid: anySeconds(0, 400),
        late: fc.option(anySeconds(-3, 20)),
        length: fc.option(anySeconds(0, 90)),
        bought: fc.option(anySeconds(0, 120)),
        hint: fc.constantFrom<PlainPurchase['hint']>('', '', 'start', 'extension'),
        isRefund: fc.integer({ min: 0, max: 9 }).map((value) => value === 0),
      }),
      { maxLength: 12 },
    ),
  )
  .map(([isCumulative, rows]) =>
    rows.map(({ late, length, ...row }, index): PlainPurchase => {
      const start = late === null ? null : row.paid + late
      return {
        ...row,
        key: `k${String(index).padStart(2, '0')}`,
        start,
        end: length === null ? null : (start ?? row.paid) + length,
        isCumulative,
      }
    }),
  )

/** Lists stitched sessions with start, end, bought time and purchases, in the order of the lane. */
function listStays(stitched: readonly StitchedPurchase[], refunds: ReadonlySet<string>) {
  const sessions = new Map<string, StitchedPurchase[]>()
  for (const purchase of stitched)
    if (purchase.sessionId !== '' && !refunds.has(purchase.key))
      sessions.set(purchase.sessionId, [...(sessions.get(purchase.sessionId) ?? []), purchase])
  return [...sessions].map(([id, parts]) => ({
    id,
    keys: parts.map(({ key }) => key),
    start:
      Math.min(...parts.filter(({ startsSession }) => startsSession).map(({ start }) => start ?? NaN)) /
      secondMs,
    end: Math.max(...parts.map(({ end }) => end ?? -Infinity)) / secondMs,
    bought: parts.reduce((sum, { net }) => sum + (net ?? 0), 0),
  }))
}

describe('purchases that continue each other', () => {
  it('forms the same stays as the plain reference, in whatever order purchases arrive', () => {
    fc.assert(
      fc.property(anyLane, fc.boolean(), fc.integer(), (rows, needsHint, seed) => {
        const shuffledRows = rows.toSorted(
          (a, b) => ((a.paid * 7919 + seed) % 101) - ((b.paid * 7919 + seed) % 101),
        )
        const stitched = stitchLane(shuffledRows.map(toPurchase), { needsHint })
        const refunds = new Set(rows.filter(({ isRefund }) => isRefund).map(({ key }) => key))
        const plain = plainStays(rows, needsHint)
        expect(listStays(stitched, refunds)).toEqual(plain.stays)
        const findId = (key: string): string | undefined =>
          stitched.find((purchase) => purchase.key === key && !purchase.startsSession)?.sessionId
        expect(new Map([...refunds].map((key) => [key, findId(key)]))).toEqual(plain.refunds)
        expect(plain.alone.map(findId)).toEqual(plain.alone.map(() => ''))
        expect(stitched.filter(({ startsSession }) => startsSession)).toHaveLength(plain.stays.length)
      }),
      { numRuns: runs },
    )
  })

  const buy = (key: string, paid: number, bought: number, overrides: Partial<PlainPurchase> = {}): Purchase =>
    toPurchase({
      key,
      paid: paid * 60,
      start: paid * 60,
      end: null,
      bought: bought * 60,
      hint: '',
      isRefund: false,
      isCumulative: false,
      ...overrides,
    })

  it('computes net times if extensions have cumulative minutes', () => {
    const [first, second] = stitchLane([buy('a', 0, 60), buy('b', 50, 90, { isCumulative: true })], {
      needsHint: false,
    })
    expect(first).toMatchObject({ sessionId: 'a', startsSession: true, net: 3600, end: 60 * minuteMs })
    expect(second).toMatchObject({ sessionId: 'a', startsSession: false, net: 1800, end: 90 * minuteMs })
  })

  it('adds up times if extensions have their own minutes', () => {
    const [, second] = stitchLane([buy('a', 0, 60), buy('b', 50, 30)], { needsHint: false })
    expect(second).toMatchObject({ sessionId: 'a', net: 1800, start: 60 * minuteMs, end: 90 * minuteMs })
  })

  it('begins a new session after the tolerance, and if the file says so', () => {
    const listSessionIds = (purchases: Purchase[]): string[] =>
      stitchLane(purchases, { needsHint: false }).map(({ sessionId }) => sessionId)
    expect(listSessionIds([buy('a', 0, 60), buy('b', 65, 30)])).toEqual(['a', 'a'])
    expect(listSessionIds([buy('a', 0, 60), buy('b', 66, 30)])).toEqual(['a', 'b'])
    expect(listSessionIds([buy('a', 0, 60), buy('b', 30, 30, { hint: 'start' })])).toEqual(['a', 'b'])
  })

  it('forms no session without an end, but counts the amounts', () => {
    expect(stitchLane([buy('a', 0, 0)], { needsHint: false })).toMatchObject([
      { sessionId: '', startsSession: false },
    ])
  })
})
