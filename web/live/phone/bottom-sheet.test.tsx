import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { renderPart } from '#web/kit/test-part.tsx'
import { BottomSheet } from './bottom-sheet.tsx'
import type { SheetHeight } from './sheet-heights.ts'

const onChange = vi.fn()

function Sheet({ first, previewPixels = 0 }: { first: SheetHeight; previewPixels?: number }) {
  const [height, setHeight] = useState(first)
  const handleHeight = (next: SheetHeight): void => {
    onChange(next)
    setHeight(next)
  }
  return (
    <BottomSheet
      label="Vehicles"
      height={height}
      onHeight={handleHeight}
      previewPixels={previewPixels}
      header={<p>Live</p>}
      subheader={<p>Tabs</p>}
    >
      <button>Inside</button>
    </BottomSheet>
  )
}

const getGrip = () => screen.getByRole('slider', { name: 'Height of the sheet' })
const getSheetSize = () => screen.getByRole('region', { name: 'Vehicles' }).dataset['sheet']

it('changes its height with buttons, and announces the height', async () => {
  await renderPart(<Sheet first="peek" />)
  expect(getGrip()).toHaveAttribute('aria-valuetext', 'Minimum')
  const lower = screen.getByRole('button', { name: 'Lower the sheet' })
  const raise = screen.getByRole('button', { name: 'Raise the sheet' })
  expect(lower).toBeDisabled()
  await userEvent.click(raise)
  expect(getGrip()).toHaveAttribute('aria-valuetext', 'Half height')
  await userEvent.click(raise)
  expect([getSheetSize(), raise.hasAttribute('disabled'), lower.hasAttribute('disabled')]).toEqual([
    'full',
    true,
    false,
  ])
  await userEvent.click(lower)
  expect(getSheetSize()).toBe('half')
})

it('changes its height by keyboard', async () => {
  await renderPart(<Sheet first="half" />)
  getGrip().focus()
  const heights: unknown[] = []
  for (const key of ['{ArrowUp}', '{ArrowUp}', '{ArrowDown}', '{Home}', '{ArrowDown}', '{End}', 'x']) {
    await userEvent.keyboard(key)
    heights.push(getSheetSize())
  }
  expect(heights).toEqual(['full', 'full', 'half', 'peek', 'peek', 'full', 'full'])
})

it('hides its content from the keyboard unless a part is visible; focus raises the sheet', async () => {
  const { unmount } = await renderPart(<Sheet first="peek" />)
  expect(screen.queryByRole('button', { name: 'Inside' })).toBeNull()
  unmount()
  await renderPart(<Sheet first="peek" previewPixels={60} />)
  const inside = screen.getByRole('button', { name: 'Inside' })
  // jsdom does not implement :focus-visible.
  vi.spyOn(inside, 'matches').mockReturnValue(true)
  fireEvent.focus(inside)
  expect(getSheetSize()).toBe('half')
})

/** jsdom has no layout: simulates a container of 800 pixels in which the sheet is 400 high. */
function hold() {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(400)
  fireEvent.pointerDown(getGrip(), { button: 0, pointerId: 1, clientY: 400 })
}

it('the sheet is dragged up, and snaps to the nearest height', async () => {
  await renderPart(<Sheet first="half" />)
  hold()
  fireEvent.pointerMove(getGrip(), { pointerId: 1, clientY: 120 })
  expect(screen.getByRole('region', { name: 'Vehicles' }).style.height).toBe('680px')
  // A second finger does not move it.
  fireEvent.pointerMove(getGrip(), { pointerId: 2, clientY: 700 })
  expect(screen.getByRole('region', { name: 'Vehicles' }).style.height).toBe('680px')
  await new Promise((resolve) => setTimeout(resolve, 700))
  fireEvent.pointerMove(getGrip(), { pointerId: 1, clientY: 121 })
  fireEvent.pointerUp(getGrip(), { pointerId: 1, clientY: 121 })
  expect(getSheetSize()).toBe('full')
})

it('toggles on a press of the header; a canceled drag does not change it', async () => {
  await renderPart(<Sheet first="half" />)
  hold()
  fireEvent.pointerUp(getGrip(), { pointerId: 1, clientY: 402 })
  expect(getSheetSize()).toBe('peek')
  hold()
  fireEvent.pointerUp(getGrip(), { pointerId: 1, clientY: 400 })
  expect(getSheetSize()).toBe('half')
  onChange.mockClear()
  hold()
  fireEvent.pointerMove(getGrip(), { pointerId: 1, clientY: 100 })
  fireEvent.pointerCancel(getGrip(), { pointerId: 1 })
  expect([getSheetSize(), onChange.mock.calls]).toEqual(['half', []])
})
