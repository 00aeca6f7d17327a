import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { AxisBars } from './axis-bars.tsx'

const rects = (values: (number | null)[]) =>
  [...render(<AxisBars values={values} height={20} />).container.querySelectorAll('rect')].map((rect) => [
    rect.getAttribute('x'),
    rect.getAttribute('height'),
  ])
describe('bars of an axis', () => {
  it('are shares of the highest; zero is a hair, nothing is no bar', () => {
    expect(rects([10, 5, 0, null])).toEqual([
      ['0.08', '1'],
      ['1.08', '0.5'],
      ['2.08', '0.05'],
    ])
  })
  it('stay within their height where all are zero', () =>
    expect(rects([0, 0])).toEqual([
      ['0.08', '0.05'],
      ['1.08', '0.05'],
    ]))
  it('are none of nothing', () => expect(rects([])).toEqual([]))
})
