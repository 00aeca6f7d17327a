import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { isInPopup, useBusyFocus } from './focus.ts'

it('gives a button the focus back that was disabled while it waited', async () => {
  function Page() {
    useBusyFocus()
    const [isBusy, setBusy] = useState(false)
    return (
      <>
        <button disabled={isBusy} onClick={() => setBusy(true)}>
          Export
        </button>
        <div data-testid="done" onPointerDown={() => setBusy(false)} />
      </>
    )
  }
  render(<Page />)
  const button = screen.getByRole('button', { name: 'Export' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  expect(button).toBeDisabled()
  // Browsers take the focus from a disabled button, jsdom does not.
  const other = document.body.appendChild(document.createElement('input'))
  other.focus()
  other.remove()
  expect(document.body).toHaveFocus()
  screen.getByTestId('done').dispatchEvent(new Event('pointerdown', { bubbles: true }))
  await waitFor(() => expect(button).toHaveFocus())
})

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
