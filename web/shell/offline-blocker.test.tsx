import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#web/data/test-server.ts'
import { isServerUnreachable } from '#web/data/signals.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { OfflineBlocker } from './shell.tsx'

const dispatch = (event: 'online' | 'offline') => act(() => void window.dispatchEvent(new Event(event)))
const getTitle = () => screen.queryByText('No Internet Connection')

beforeEach(() => isServerUnreachable.write(false))
afterEach(() => {
  vi.unstubAllGlobals()
  isServerUnreachable.write(false)
})

describe('without a network', () => {
  it('blocks the app until the server responds again', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await renderPart(<OfflineBlocker />)
    dispatch('offline')
    // Without user activity: the component pings the server.
    expect(await screen.findByText('No Internet Connection')).toBeInTheDocument()
    expect(screen.getByText('Please reconnect in order to continue using the app')).toBeInTheDocument()
    fakeServer({ 'GET /v2/ping': () => ({ status: 'ok', version: '1' }) })
    await waitFor(() => expect(getTitle()).not.toBeInTheDocument(), { timeout: 6000 })
  })

  it('blocks again after a response that was in transit when the network failed', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    await renderPart(<OfflineBlocker />)
    dispatch('offline')
    expect(await screen.findByText('No Internet Connection')).toBeInTheDocument()
    act(() => isServerUnreachable.write(false))
    expect(getTitle()).not.toBeInTheDocument()
    expect(await screen.findByText('No Internet Connection', {}, { timeout: 6000 })).toBeInTheDocument()
  })

  it('a missing network does not block the app if the server still responds', async () => {
    const { requests } = fakeServer({ 'GET /v2/ping': () => ({ status: 'ok', version: '1' }) })
    await renderPart(<OfflineBlocker />)
    dispatch('offline')
    await waitFor(() => expect(requests).toHaveLength(1))
    expect(getTitle()).not.toBeInTheDocument()
  })

  it('an unreachable server alone does not block the app; the screens show it', async () => {
    await renderPart(<OfflineBlocker />)
    dispatch('online')
    act(() => isServerUnreachable.write(true))
    expect(getTitle()).not.toBeInTheDocument()
  })
})
