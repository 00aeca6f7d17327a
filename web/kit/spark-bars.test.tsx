import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { SparkBars } from './spark-bars.tsx'

const measureHeights = (overrides: Partial<Parameters<typeof SparkBars>[0]>) =>
  [...render(<SparkBars bars={[]} height={20} {...overrides} />).container.querySelectorAll('rect')].map(
    (rect) => Number(rect.getAttribute('height')),
  )

describe('bars', () => {
  it('bars are relative to the highest; zero is a hairline, an unknown value has no bar', () => {
    expect(measureHeights({ bars: [10, 5, 0, null] })).toEqual([20, 10, 1])
    expect(measureHeights({ bars: [0, 0] })).toEqual([1, 1])
    expect(measureHeights({})).toEqual([])
  })
  it('bars of small values are higher than those of zero', () =>
    expect(measureHeights({ bars: [1000, 1, 0], step: 8 })).toEqual([20, 4, 2]))
  it('bars have a darker part, and a line on the same scale', () => {
    expect(measureHeights({ bars: [{ value: 10, part: 5, usual: 20 }] })).toEqual([10, 5])
    expect(document.querySelector('line')).toHaveAttribute('y1', '0')
  })
  it('bars are decorative or have a name', () => {
    measureHeights({ bars: [1] })
    expect(screen.queryByRole('img')).not.toBeInTheDocument()
    measureHeights({ bars: [1], label: 'Trips by hour' })
    expect(screen.getByRole('img', { name: 'Trips by hour' })).toBeInTheDocument()
  })
})
