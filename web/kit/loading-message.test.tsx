import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LoadingOverlay } from './loading-message.tsx'
import { renderPart } from './test-part.tsx'

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

const advanceTime = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

describe('the loading overlay', () => {
  it('shows a message after two seconds, and another after ten', async () => {
    await renderPart(<LoadingOverlay isLoading />)
    expect(screen.getByRole('status')).toHaveTextContent(/^Loading$/)
    await advanceTime(1500)
    expect(screen.getByRole('status')).toHaveTextContent(/^Loading$/)
    await advanceTime(700)
    expect(screen.getByRole('status')).toHaveTextContent(/^Data is processing$/)
    await advanceTime(7000)
    expect(screen.getByRole('status')).toHaveTextContent(/^Data is processing$/)
    await advanceTime(1200)
    expect(screen.getByRole('status')).toHaveTextContent(/^This is taking a while$/)
  })

  it('disappears when done, and starts over', async () => {
    const { rerender } = await renderPart(<LoadingOverlay isLoading />)
    await advanceTime(3000)
    rerender(<LoadingOverlay isLoading={false} />)
    expect(screen.getByRole('status')).toHaveTextContent(/^$/)
    rerender(<LoadingOverlay isLoading />)
    expect(screen.queryByText('Data is processing')).not.toBeInTheDocument()
  })
})
