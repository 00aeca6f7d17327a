import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { AxisBars } from './axis-bars.tsx'
import { AxisLine } from './axis-line.tsx'

const rects = (values: (number | null)[]) =>
  [...render(<AxisBars values={values} height={20} />).container.querySelectorAll('rect')].map((rect) => [
    rect.getAttribute('x'),
    rect.getAttribute('height'),
  ])
const path = (values: (number | null)[]) =>
  render(<AxisLine values={values} height={20} />)
    .container.querySelector('path')
    ?.getAttribute('d')
    ?.trim()

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

describe('the line of an axis', () => {
  it('goes from the lowest to the highest, and breaks where nothing is known', () => {
    expect(path([0, 10, null, 5])).toBe('M0.5 0.900 L1.5 0.100  M3.5 0.500')
  })
  it('is in the middle where all are the same', () => expect(path([3, 3])).toBe('M0.5 0.500 L1.5 0.500'))
  it('is none of nothing', () => expect(path([null])).toBe(''))
})
