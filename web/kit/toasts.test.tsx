import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPart } from './test-part.tsx'
import { clearToasts, showToast, Toasts } from './toasts.tsx'

// Other tests may have left some.
beforeEach(clearToasts)
afterEach(() => vi.useRealTimers())

/** The live region: one without a role, so that it is no second status of a page. */
const region = () => document.querySelector<HTMLElement>('[aria-live="polite"]')

it('shows what was done for a while, each text once, in a live region', async () => {
  await renderPart(<Toasts />)
  expect(region()).toBeEmptyDOMElement()
  vi.useFakeTimers()
  act(() => {
    showToast('Downloaded a.csv')
    showToast('Downloaded a.csv')
    showToast('Published Wharf')
  })
  expect(region()).toHaveTextContent(/^Downloaded a.csvPublished Wharf$/)
  act(() => vi.advanceTimersByTime(6000))
  expect(region()).toBeEmptyDOMElement()
})

it('can be closed', async () => {
  await renderPart(<Toasts />)
  act(() => showToast('Deleted Wharf'))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText('Deleted Wharf')).not.toBeInTheDocument()
})
