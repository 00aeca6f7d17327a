import { describe, expect, it } from 'vitest'
import { aBreach, aFact, aRecord } from '#web/compliance/test-compliance.ts'
import { stripBins, maxBinCount } from './strip-bins.ts'
import { factMarks, recordMarks } from './strip-marks.ts'
import { placeOn, stripScale, valueAt } from './strip-scale.ts'

const cap = { measure: 'vehicles', maximum: 10 } as const
const records = [
  aRecord({ ...cap, measured: 10 }),
  aBreach(1, { ...cap, measured: 12, reason_code: 'over_maximum' }),
  aRecord({ ...cap, measured: 4, status: 'not_applicable', reason_code: 'data_gap' }),
  aRecord({ ...cap, operator: 'skip', measured: 3, status: 'not_applicable', reason_code: 'no_limit' }),
  aRecord({ ...cap, operator: 'skip', measured: null, status: 'not_applicable', reason_code: 'no_feed' }),
]

describe('measured values against a limit', () => {
  it('have one mark per operator and value, with the status of the record', () => {
    expect(recordMarks(records, null)).toEqual([
      {
        operator: 'glide',
        marks: [
          { value: 4, kind: 'other' },
          { value: 10, kind: 'inside' },
          { value: 12, kind: 'outside' },
        ],
      },
      { operator: 'skip', marks: [{ value: 3, kind: 'other' }] },
    ])
  })

  it('can be previewed with a moved limit; limits are inclusive, not applicable ones stay so', () => {
    const [glide, skip] = recordMarks(records, { minimum: 5, maximum: 12 })
    expect(glide!.marks.map(({ kind }) => kind)).toEqual(['other', 'inside', 'inside'])
    expect(skip!.marks.map(({ kind }) => kind)).toEqual(['outside'])
  })

  it('convert facts to the unit of the limit', () => {
    expect(
      factMarks([aFact({ value: 180 }), aFact({ value: 90 }), aFact({ value: null })], 60, {
        minimum: null,
        maximum: 2,
      }),
    ).toEqual([
      {
        operator: 'glide',
        marks: [
          { value: 1.5, kind: 'inside' },
          { value: 3, kind: 'outside' },
        ],
      },
    ])
  })

  it('put uncertain facts outside the limit only if the region counts them', () => {
    const marksFor = (isViolation: boolean) =>
      factMarks([aFact({ value: 180, is_uncertain: true, is_violation: isViolation })], 60, {
        minimum: null,
        maximum: 2,
      })[0]?.marks[0]?.kind
    expect([marksFor(false), marksFor(true)]).toEqual(['other', 'outside'])
  })
})

describe('the axis', () => {
  const rowsWith = (...values: number[]) => [
    { operator: 'glide', marks: values.map((value) => ({ value, kind: 'inside' as const })) },
  ]

  it('starts at zero and contains values and limits, with round steps', () => {
    expect(stripScale(rowsWith(3, 8), [{ minimum: null, maximum: 12 }])).toEqual({
      from: 0,
      to: 15,
      ticks: [0, 5, 10, 15],
    })
    expect(stripScale(rowsWith(), [{ minimum: null, maximum: null }])).toMatchObject({ from: 0 })
  })

  it('starts near the values if all of them are far above zero', () => {
    const { from, to, ticks } = stripScale(rowsWith(480, 510), [{ minimum: null, maximum: 500 }])
    expect(from).toBeGreaterThan(400)
    expect(to).toBeGreaterThan(510)
    expect(ticks[0]).toBe(from)
    expect(ticks.at(-1)).toBe(to)
  })

  it('converts values to positions and back', () => {
    const scale = { from: 0, to: 20 }
    expect([placeOn(scale, 5), placeOn(scale, 40), valueAt(scale, 0.26), valueAt(scale, -1)]).toEqual([
      0.25, 1, 5, 0,
    ])
  })

  it('puts marks at the same position into one bin, and loses none', () => {
    const bins = stripBins(
      [
        { value: 0, kind: 'inside' },
        { value: 0.1, kind: 'outside' },
        { value: 20, kind: 'other' },
      ],
      { from: 0, to: 20, ticks: [] },
      10,
    )
    expect(bins).toEqual([
      { index: 0, counts: { inside: 1, outside: 1, other: 0 } },
      { index: 9, counts: { inside: 0, outside: 0, other: 1 } },
    ])
    expect(maxBinCount(bins)).toBe(2)
  })
})
