import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderPart } from './test-part.tsx'
import { clearToasts, showToast, Toasts } from './toasts.tsx'

// Other tests may have left toasts.
beforeEach(clearToasts)
afterEach(() => vi.useRealTimers())

/** The live region. It has no role, so that pages have only one element with the role status. */
const getRegion = () => document.querySelector<HTMLElement>('[aria-live="polite"]')

it('shows each text once, for some time, in a live region', async () => {
  await renderPart(<Toasts />)
  expect(getRegion()).toBeEmptyDOMElement()
  vi.useFakeTimers()
  act(() => {
    showToast('Downloaded a.csv')
    showToast('Downloaded a.csv')
    showToast('Published Wharf')
  })
  expect(getRegion()).toHaveTextContent(/^Downloaded a.csvPublished Wharf$/)
  act(() => vi.advanceTimersByTime(6000))
  expect(getRegion()).toBeEmptyDOMElement()
})

it('a toast can be closed', async () => {
  await renderPart(<Toasts />)
  act(() => showToast('Deleted Wharf'))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  expect(screen.queryByText('Deleted Wharf')).not.toBeInTheDocument()
})
