import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TimeBucket } from '#contract/spatial.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { testPlaying } from './test-playing.ts'
import { TimeAxis } from './time-axis.tsx'
import type { Playing } from './use-playback.ts'

const renderAxis = (playing: Playing, onBucketChange: (by: TimeBucket) => void = () => {}) =>
  renderPart(
    <TimeAxis
      playing={playing}
      unitText="trips"
      unitSingular="trip"
      onBucketChange={onBucketChange}
      onClose={() => {}}
      footer={null}
    />,
  )
const getSlider = () => screen.getByRole('slider', { name: 'Time' })
const press = (key: string) => fireEvent.keyDown(getSlider(), { key })
const mockReducedMotion = (matches: boolean) =>
  vi.spyOn(window, 'matchMedia').mockImplementation((media) => ({
    matches: matches && media.includes('reduced-motion'),
    media,
    onchange: null,
    addListener() {},
    removeListener() {},
    addEventListener() {},
    removeEventListener() {},
    dispatchEvent: () => false,
  }))

beforeEach(() => void mockReducedMotion(false))
afterEach(() => vi.useRealTimers())

describe('the time axis', () => {
  it('names the current bucket and its total', async () => {
    await renderAxis(testPlaying())
    expect(getSlider()).toHaveAttribute('aria-valuetext', '12:00 AM to 1:00 AM: 1 trip')
    expect(screen.getByText('12:00 AM to 1:00 AM')).toBeInTheDocument()
  })

  it('shows the name and values of a selected area', async () => {
    const playing = testPlaying()
    playing.head.moveTo(3)
    const steps = playing.playback.getShapeSteps('b')
    await renderPart(
      <TimeAxis
        playing={playing}
        unitText="trips"
        unitSingular="trip"
        onBucketChange={() => {}}
        onClose={() => {}}
        footer={null}
        area={steps && { name: 'Mill', steps }}
      />,
    )
    expect(getSlider()).toHaveAttribute('aria-valuetext', 'Mill, 3:00 AM to 4:00 AM: 6 trips')
    expect(screen.getByText('Mill: 6 trips')).toBeInTheDocument()
    expect(playing.playback.getShapeSteps('unknown-shape')).toBeNull()
  })

  it('marks labels that a phone has no room for', async () => {
    const days = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`)
    const { container } = await renderAxis(testPlaying('day', days))
    expect([...container.querySelectorAll('[data-late]')].map((label) => label.textContent)).toEqual([
      'Oct 29',
    ])
  })

  it('steps by keys up to its ends, and writes the position after the last move', async () => {
    const savePosition = vi.fn<() => void>()
    const playing = testPlaying(undefined, undefined, savePosition)
    await renderAxis(playing)
    vi.useFakeTimers()
    for (const [key, index] of [
      ['ArrowLeft', 0],
      ['ArrowRight', 1],
      ['PageUp', 7],
      ['PageDown', 1],
      ['End', 23],
      ['ArrowRight', 23],
      ['Home', 0],
      ['ArrowRight', 1],
    ] as const) {
      press(key)
      expect([key, playing.head.read()]).toEqual([key, index])
    }
    expect(savePosition).not.toHaveBeenCalled()
    vi.advanceTimersByTime(400)
    expect(savePosition).toHaveBeenCalledTimes(1)
    expect(screen.getByText('1:00 AM to 2:00 AM')).toBeInTheDocument()
  })

  it('plays and pauses by space, in a loop', async () => {
    const savePosition = vi.fn<() => void>()
    const playing = testPlaying('day', ['2026-03-01', '2026-03-02'], savePosition)
    await renderAxis(playing)
    vi.useFakeTimers()
    press(' ')
    expect(screen.getByRole('button', { name: 'Pause' })).toBeInTheDocument()
    act(() => void vi.advanceTimersByTime(500))
    expect(getSlider()).toHaveAttribute('aria-valuetext', 'Mon, Mar 2, 2026: 4 trips')
    act(() => void vi.advanceTimersByTime(450))
    expect(playing.head.read()).toBe(0)
    expect(savePosition).not.toHaveBeenCalled()
    press(' ')
    expect(screen.getByRole('button', { name: 'Play' })).toBeInTheDocument()
    expect(savePosition).toHaveBeenCalledTimes(1)
    act(() => void vi.advanceTimersByTime(2000))
    expect(playing.head.read()).toBe(0)
  })

  it('the time axis has only steps if the user prefers reduced motion', async () => {
    mockReducedMotion(true)
    const playing = testPlaying()
    await renderAxis(playing)
    expect(screen.queryByRole('button', { name: 'Play' })).not.toBeInTheDocument()
    press(' ')
    expect(playing.head.read()).toBe(1)
  })

  it('moves to a clicked position', async () => {
    const playing = testPlaying()
    await renderAxis(playing)
    vi.spyOn(getSlider(), 'getBoundingClientRect').mockReturnValue({ left: 100, width: 240 } as DOMRect)
    fireEvent.pointerDown(getSlider(), { clientX: 100 + 75, buttons: 1 })
    expect(playing.head.read()).toBe(7)
    fireEvent.click(screen.getByRole('button', { name: 'Step back' }))
    expect(playing.head.read()).toBe(6)
  })

  it('changes the bucket', async () => {
    const onBucketChange = vi.fn<(by: TimeBucket) => void>()
    await renderAxis(testPlaying(), onBucketChange)
    fireEvent.click(screen.getByRole('radio', { name: 'Day' }))
    expect(onBucketChange).toHaveBeenCalledWith('day')
  })

  it('offers no choice with a single bucket', async () => {
    await renderPart(
      <TimeAxis
        playing={testPlaying('day', ['2026-03-01'])}
        unitText="issues"
        unitSingular="issue"
        offered={['day']}
        onBucketChange={() => {}}
        onClose={() => {}}
        footer={null}
      />,
    )
    expect(getSlider()).toHaveAttribute('aria-valuetext', 'Sun, Mar 1, 2026: 1 issue')
    expect(screen.queryByRole('radio')).not.toBeInTheDocument()
  })
})
