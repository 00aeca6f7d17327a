import { act, fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { LimitStrip } from './limit-strip.tsx'
import type { Limits, StripRow } from './strip-marks.ts'

const rows: StripRow[] = [
  {
    operator: 'glide',
    marks: [
      { value: 2, kind: 'inside' },
      { value: 8, kind: 'inside' },
      { value: 9, kind: 'outside' },
    ],
  },
  { operator: 'skip', marks: [] },
]

afterEach(() => vi.restoreAllMocks())

async function renderStrip(
  limits: Limits = { minimum: null, maximum: 8 },
  compared: Limits | null = { minimum: null, maximum: 5 },
  canMove = true,
) {
  const onLimitChange = vi.fn()
  await renderPart(
    <LimitStrip
      title="Measured"
      hint="Each mark is a day."
      unit="Vehicles"
      rows={rows}
      limits={limits}
      compared={compared}
      comparedLabel="Published"
      onLimitChange={canMove ? onLimitChange : null}
      operatorName={(slug) => slug.toUpperCase()}
    />,
  )
  return { onLimitChange, slider: screen.queryByRole('slider', { name: 'Maximum' }) }
}

describe('measured values beside their limits', () => {
  it('measured values beside their limits are shown by operator, with the number of those outside the limits', async () => {
    await renderStrip()
    const figure = within(screen.getByRole('figure', { name: 'Measured' }))
    expect(
      figure.getByRole('img', {
        name: 'GLIDE: 3 values measured, from 2 to 9, median 8; 1 outside the limits',
      }),
    ).toBeInTheDocument()
    expect(figure.getByRole('img', { name: 'SKIP: Nothing was measured' })).toBeInTheDocument()
    expect(figure.getByText('1 of 3 outside')).toBeInTheDocument()
    expect(figure.getByText('Published 5')).toBeInTheDocument()
  })

  it('moves a limit by keys: by one, by ten, to the ends, never below zero', async () => {
    const { onLimitChange, slider } = await renderStrip()
    expect(slider).toHaveAttribute('aria-valuetext', '8 Vehicles')
    act(() => slider!.focus())
    await userEvent.keyboard('{ArrowRight}{ArrowLeft}{PageUp}{PageDown}{Home}{End}x')
    expect(onLimitChange.mock.calls.map(([part]) => (part as Limits).maximum)).toEqual([9, 7, 18, 0, 0, 12])
  })

  it('drags a limit from the point where it was grabbed, with a constant axis', async () => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({
      left: 100,
      width: 200,
      right: 300,
      top: 0,
      bottom: 10,
      height: 10,
      x: 100,
      y: 0,
      toJSON: () => null,
    })
    HTMLElement.prototype.setPointerCapture = () => undefined
    const { onLimitChange, slider } = await renderStrip()
    // The axis ends at 12, so the value 8 is at 233.
    fireEvent.pointerMove(slider!, { clientX: 300 })
    expect(onLimitChange).not.toHaveBeenCalled()
    fireEvent.pointerDown(slider!, { clientX: 270, pointerId: 1 })
    fireEvent.pointerMove(slider!, { clientX: 230 })
    expect(onLimitChange).toHaveBeenLastCalledWith({ maximum: 6 })
    fireEvent.pointerMove(slider!, { clientX: 900 })
    expect(onLimitChange).toHaveBeenLastCalledWith({ maximum: 12 })
    fireEvent.pointerUp(slider!)
    fireEvent.pointerMove(slider!, { clientX: 120 })
    expect(onLimitChange).toHaveBeenCalledTimes(2)
  })

  it('both limits have a handle; those that cannot be moved have only a label', async () => {
    await renderStrip({ minimum: 3, maximum: 8 }, null)
    expect(screen.getAllByRole('slider').map((slider) => slider.getAttribute('aria-label'))).toEqual([
      'Minimum',
      'Maximum',
    ])
  })

  it('viewers cannot move the limits', async () => {
    const { slider } = await renderStrip({ minimum: null, maximum: 8 }, null, false)
    expect(slider).not.toBeInTheDocument()
    expect(screen.getByText('Maximum 8')).toBeInTheDocument()
  })
})
