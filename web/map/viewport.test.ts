import { expect, it, vi } from 'vitest'
import { ViewLink, type Viewport } from './viewport.ts'

it('moves the other maps without an endless loop', () => {
  const link = new ViewLink()
  const view: Viewport = { lon: 1, lat: 2, zoom: 3 }
  // A map that jumps to a view reports that it moved.
  const a = { look: vi.fn<(to: Viewport) => void>((to) => link.moved(a, to)) }
  const b = { look: vi.fn<(to: Viewport) => void>((to) => link.moved(b, to)) }
  link.join(a)
  const leave = link.join(b)
  link.moved(a, view)
  expect(a.look).not.toHaveBeenCalled()
  expect(b.look).toHaveBeenCalledExactlyOnceWith(view)
  leave()
  link.moved(a, view)
  expect(b.look).toHaveBeenCalledTimes(1)
})
