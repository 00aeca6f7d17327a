import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameShapes } from './name-shapes.ts'
import { makeReading } from './reading-for-test.ts'

const makeNames = (names: (string | number | boolean | null)[]): string[] =>
  nameShapes(makeReading(names.map((name) => ({ properties: { name } }))), 'name').map(({ name }) => name)

describe('nameShapes', () => {
  it('gives every shape a unique name', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom('A', 'A (2)', 'A (3)', 'A (2) (2)', '', null, ' A ', 'Shape 2', 7, true),
            fc.string(),
          ),
          { maxLength: 40 },
        ),
        (names) => {
          const shapeNames = makeNames(names)
          expect(new Set(shapeNames).size).toBe(names.length)
          for (const name of shapeNames) expect(name.trim()).not.toBe('')
        },
      ),
    )
  })

  it('retains names, numbers repeated ones and names others by position', () => {
    expect(makeNames(['A', 'B', 'A', null, ' ', 'A', 0, false])).toEqual([
      'A',
      'B',
      'A (2)',
      'Shape 4',
      'Shape 5',
      'A (3)',
      '0',
      'false',
    ])
    expect(makeNames(['A', 'A', 'A (2)'])).toEqual(['A', 'A (2)', 'A (2) (2)'])
    expect(makeNames(['x'.repeat(300)])[0]).toHaveLength(200)
  })

  it('uses the chosen property, else the suggested one, else the position', () => {
    const source = [{ properties: { name: 'n', label: 'l' } }]
    expect([
      nameShapes(makeReading(source), 'label')[0]?.name,
      nameShapes(makeReading(source), null)[0]?.name,
      nameShapes(makeReading(source, null), null)[0]?.name,
      nameShapes(makeReading(source), 'none')[0]?.name,
    ]).toEqual(['l', 'n', 'Shape 1', 'Shape 1'])
  })

  it('retains the id of the file', () => {
    expect(
      nameShapes(makeReading([{ properties: { id: 17 } }, { properties: { shape_id: 'z' } }, {}]), null).map(
        ({ shapeId }) => shapeId,
      ),
    ).toEqual(['17', 'z', '3'])
  })
})
