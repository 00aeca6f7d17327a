import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { BottomSheet } from './bottom-sheet.tsx'
import type { SheetHeight } from './sheet-heights.ts'

const onChange = vi.fn()

function Held({ first, glimpse = 0 }: { first: SheetHeight; glimpse?: number }) {
  const [height, setHeight] = useState(first)
  const take = (next: SheetHeight): void => {
    onChange(next)
    setHeight(next)
  }
  return (
    <BottomSheet
      label="Vehicles"
      height={height}
      onHeight={take}
      glimpse={glimpse}
      head={<p>Live</p>}
      top={<p>Tabs</p>}
    >
      <button>Inside</button>
    </BottomSheet>
  )
}

const grip = () => screen.getByRole('slider', { name: 'Height of the sheet' })
const sheet = () => screen.getByRole('region', { name: 'Vehicles' }).dataset['sheet']

it('is stepped by buttons, and says how high it is', async () => {
  await renderPart(<Held first="peek" />)
  expect(grip()).toHaveAttribute('aria-valuetext', 'Minimum')
  const lower = screen.getByRole('button', { name: 'Lower the sheet' })
  const raise = screen.getByRole('button', { name: 'Raise the sheet' })
  expect(lower).toBeDisabled()
  await userEvent.click(raise)
  expect(grip()).toHaveAttribute('aria-valuetext', 'Half height')
  await userEvent.click(raise)
  expect([sheet(), raise.hasAttribute('disabled'), lower.hasAttribute('disabled')]).toEqual([
    'full',
    true,
    false,
  ])
  await userEvent.click(lower)
  expect(sheet()).toBe('half')
})

it('is stepped by keys', async () => {
  await renderPart(<Held first="half" />)
  grip().focus()
  const heights: unknown[] = []
  for (const key of ['{ArrowUp}', '{ArrowUp}', '{ArrowDown}', '{Home}', '{ArrowDown}', '{End}', 'x']) {
    await userEvent.keyboard(key)
    heights.push(sheet())
  }
  expect(heights).toEqual(['full', 'full', 'half', 'peek', 'peek', 'full', 'full'])
})

it('what is below the edge cannot be reached, unless a glimpse of it is shown: then it comes up', async () => {
  const { unmount } = await renderPart(<Held first="peek" />)
  expect(screen.queryByRole('button', { name: 'Inside' })).toBeNull()
  unmount()
  await renderPart(<Held first="peek" glimpse={60} />)
  const inside = screen.getByRole('button', { name: 'Inside' })
  // The engine of the tests knows no keyboard focus.
  vi.spyOn(inside, 'matches').mockReturnValue(true)
  fireEvent.focus(inside)
  expect(sheet()).toBe('half')
})

/** The engine of the tests has no layout: a room of 800 pixels in which the sheet is 400 high. */
function hold() {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(400)
  fireEvent.pointerDown(grip(), { button: 0, pointerId: 1, clientY: 400 })
}

it('is dragged up, and rests at the nearest height', async () => {
  await renderPart(<Held first="half" />)
  hold()
  fireEvent.pointerMove(grip(), { pointerId: 1, clientY: 120 })
  expect(screen.getByRole('region', { name: 'Vehicles' }).style.height).toBe('680px')
  // Another finger does not move it.
  fireEvent.pointerMove(grip(), { pointerId: 2, clientY: 700 })
  expect(screen.getByRole('region', { name: 'Vehicles' }).style.height).toBe('680px')
  await new Promise((resolve) => setTimeout(resolve, 700))
  fireEvent.pointerMove(grip(), { pointerId: 1, clientY: 121 })
  fireEvent.pointerUp(grip(), { pointerId: 1, clientY: 121 })
  expect(sheet()).toBe('full')
})

it('a press of the head raises it or puts it down; a drag that is broken off leaves it', async () => {
  await renderPart(<Held first="half" />)
  hold()
  fireEvent.pointerUp(grip(), { pointerId: 1, clientY: 402 })
  expect(sheet()).toBe('peek')
  hold()
  fireEvent.pointerUp(grip(), { pointerId: 1, clientY: 400 })
  expect(sheet()).toBe('half')
  onChange.mockClear()
  hold()
  fireEvent.pointerMove(grip(), { pointerId: 1, clientY: 100 })
  fireEvent.pointerCancel(grip(), { pointerId: 1 })
  expect([sheet(), onChange.mock.calls]).toEqual(['half', []])
})
