import { expect, it, vi } from 'vitest'
import { ViewLink, type Viewport } from './viewport.ts'

it('moves the other maps without an endless loop', () => {
  const link = new ViewLink()
  const view: Viewport = { lon: 1, lat: 2, zoom: 3 }
  // A map that jumps to a view reports the move.
  const a = { jumpTo: vi.fn<(to: Viewport) => void>((to) => link.handleMove(a, to)) }
  const b = { jumpTo: vi.fn<(to: Viewport) => void>((to) => link.handleMove(b, to)) }
  link.join(a)
  const leave = link.join(b)
  link.handleMove(a, view)
  expect(a.jumpTo).not.toHaveBeenCalled()
  expect(b.jumpTo).toHaveBeenCalledExactlyOnceWith(view)
  leave()
  link.handleMove(a, view)
  expect(b.jumpTo).toHaveBeenCalledTimes(1)
})
