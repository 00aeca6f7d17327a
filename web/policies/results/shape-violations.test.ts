import { describe, expect, it } from 'vitest'
import { shapeId } from '#web/map-page/test-geography.ts'
import { aBreach, aRecord } from '#web/compliance/test-compliance.ts'
import { changedShapes, shapeViolations } from './shape-violations.ts'

const south = '33333333-ceea-467f-a0e6-7a1d2b3c4d5e'

describe('violations by shape', () => {
  it('are sums over days and operators; unknown if no day is applicable', () => {
    const rows = shapeViolations([
      aBreach(3),
      aBreach(2, { operator: 'skip' }),
      aRecord({ date: '2026-11-21' }),
      aRecord({ shape_uuid: south, shape_name: 'South', status: 'not_applicable', reason_code: 'no_feed' }),
    ])
    expect(
      rows.map(({ id, name, value, counts }) => [
        id,
        name,
        value,
        counts.nonCompliant,
        counts.compliant,
        counts.other,
      ]),
    ).toEqual([
      [shapeId, 'North', 5, 2, 1, 0],
      [south, 'South', null, 0, 0, 1],
    ])
  })

  it('are empty for a policy that is measured as one area', () => {
    expect(shapeViolations([aBreach(3, { shape_uuid: null })])).toEqual([])
  })

  it('are compared with another revision, which may lack a shape', () => {
    const [now, before] = [
      shapeViolations([aBreach(3)]),
      shapeViolations([aBreach(5), aBreach(1, { shape_uuid: south, shape_name: 'South' })]),
    ]
    expect(
      changedShapes(now, before).map(({ name, compared }) => [
        name,
        compared?.now,
        compared?.before,
        compared?.change,
      ]),
    ).toEqual([
      ['North', 3, 5, -2],
      ['South', 0, 1, -1],
    ])
  })
})
