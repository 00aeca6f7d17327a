import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { isInPopup } from './focus.ts'

it('recognizes elements that Escape closes', () => {
  render(
    <>
      <div role="dialog">
        <button>in a dialog</button>
      </div>
      <button aria-haspopup="listbox" aria-expanded>
        open
      </button>
      <button aria-haspopup="listbox" aria-expanded={false}>
        closed
      </button>
      <button aria-expanded>a panel</button>
    </>,
  )
  expect(
    ['in a dialog', 'open', 'closed', 'a panel'].map((text) => isInPopup(screen.getByText(text))),
  ).toEqual([true, true, false, false])
  expect([isInPopup(document), isInPopup(null)]).toEqual([false, false])
})
