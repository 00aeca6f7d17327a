import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from './test-part.tsx'
import { DownloadButton } from './download-button.tsx'
import { Loaded } from './loaded.tsx'

const renderLoaded = (query: Parameters<typeof Loaded<string[]>>[0]['query']) =>
  renderPart(
    <Loaded query={query} isEmpty={(names) => names.length === 0} empty={<p>Nobody</p>}>
      {(names) => <p>{names.join(' and ')}</p>}
    </Loaded>,
  )

describe('Loaded', () => {
  it('announces loading', async () => {
    await renderLoaded({ data: undefined, error: null, isFetching: true })
    expect(screen.getByRole('status')).toHaveTextContent('Loading')
  })

  it('shows the data, or the empty state', async () => {
    await renderLoaded({ data: ['Ada', 'Bo'], error: null, isFetching: false })
    expect(screen.getByText('Ada and Bo')).toBeInTheDocument()
    await renderLoaded({ data: [], error: null, isFetching: false })
    expect(screen.getByText('Nobody')).toBeInTheDocument()
  })

  it('shows an error with the id to quote, and retries', async () => {
    const refetch = vi.fn<() => void>()
    await renderLoaded({
      data: undefined,
      error: { message: 'The store is not available', id: 'e-1' },
      isFetching: false,
      refetch,
    })
    expect(screen.getByRole('alert')).toHaveTextContent(
      /The store is not available\s*Error id, for support: e-1/,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(refetch).toHaveBeenCalledOnce()
  })

  it('disables downloads of old data during a refetch', async () => {
    const formats = [{ fileName: 'names.csv', load: () => '' }]
    const showFiles = (isFetching: boolean) =>
      renderPart(
        <Loaded query={{ data: 'Ada', error: null, isFetching }}>
          {() => <DownloadButton label={String(isFetching)} formats={formats} />}
        </Loaded>,
      )
    await showFiles(true)
    expect(screen.getByRole('button', { name: 'true' })).toBeDisabled()
    await showFiles(false)
    expect(screen.getByRole('button', { name: 'false' })).toBeEnabled()
  })

  it('shows the old data during a refetch and after it failed', async () => {
    await renderLoaded({ data: ['Ada'], error: null, isFetching: true })
    expect(screen.getByText('Ada').parentElement).toHaveAttribute('data-dim')
    await renderLoaded({ data: ['Bo'], error: { message: 'Away' }, isFetching: false })
    expect(screen.getByText('Bo')).toBeInTheDocument()
    expect(screen.getByRole('alert')).toHaveTextContent('Away')
  })
})
