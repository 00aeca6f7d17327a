import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { AxisSteps } from './axis-playing.ts'
import { usePlayHead } from './use-play-head.ts'

const createSteps = (totals: readonly (number | null)[]): AxisSteps => ({
  by: 'day',
  buckets: totals.map((_, index) => `2026-03-0${index + 1}`),
  totals,
  resultAt: (bucket) => ({ total: totals[bucket] ?? null, unit: 'trips' }),
})

function start(totals: readonly (number | null)[], at?: string) {
  const adjust = vi.fn<(changes: { at: string | undefined }) => void>()
  const steps = createSteps(totals)
  const { result } = renderHook(() => usePlayHead(steps, at, adjust))
  return { index: result.current?.head.read(), written: adjust.mock.calls.map(([changes]) => changes.at) }
}

it('starts at the first day with data, and writes it to the URL', () => {
  expect(start([null, 0, 7, 9])).toEqual({ index: 2, written: ['2026-03-03'] })
})
it('starts at the first bucket if that has data, or if none has', () => {
  expect(start([4, 0])).toEqual({ index: 0, written: [] })
  expect(start([0, 0])).toEqual({ index: 0, written: [] })
})
it('moves to the position of the URL, with data or not', () => {
  expect(start([0, 0, 7], '2026-03-02')).toEqual({ index: 1, written: [] })
  expect(start([0, 0, 7], '2025-01-01')).toEqual({ index: 2, written: ['2026-03-03'] })
})
