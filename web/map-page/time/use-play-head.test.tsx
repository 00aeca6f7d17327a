import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { AxisSteps } from './axis-playing.ts'
import { usePlayHead } from './use-play-head.ts'

const stepsOf = (totals: readonly (number | null)[]): AxisSteps => ({
  by: 'day',
  buckets: totals.map((_, at) => `2026-03-0${at + 1}`),
  totals,
  at: (bucket) => ({ total: totals[bucket] ?? null, unit: 'trips' }),
})

function start(totals: readonly (number | null)[], at?: string) {
  const adjust = vi.fn<(part: { at: string | undefined }) => void>()
  const steps = stepsOf(totals)
  const { result } = renderHook(() => usePlayHead(steps, at, adjust))
  return { place: result.current?.head.read(), written: adjust.mock.calls.map(([part]) => part.at) }
}

it('starts at the first day with data, and writes it to the URL', () => {
  expect(start([null, 0, 7, 9])).toEqual({ place: 2, written: ['2026-03-03'] })
})
it('starts at the first bucket if that has data, or if none has', () => {
  expect(start([4, 0])).toEqual({ place: 0, written: [] })
  expect(start([0, 0])).toEqual({ place: 0, written: [] })
})
it('moves to the position of the URL, with data or not', () => {
  expect(start([0, 0, 7], '2026-03-02')).toEqual({ place: 1, written: [] })
  expect(start([0, 0, 7], '2025-01-01')).toEqual({ place: 2, written: ['2026-03-03'] })
})
