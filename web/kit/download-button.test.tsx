import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { DownloadButton, StaleRows } from './download-button.tsx'
import { renderPart } from './test-part.tsx'

const watchDownloads = (): string[] => {
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download)
  })
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }),
  )
  return names
}

it('downloads a single format at once, and shows the progress', async () => {
  const names = watchDownloads()
  let finish: (content: string) => void = () => undefined
  const load = (onProgress: (share: number) => void) => {
    onProgress(0.5)
    return new Promise<string>((resolve) => {
      finish = resolve
    })
  }
  await renderPart(<DownloadButton label="CSV" formats={[{ fileName: 'wards.csv', load }]} />)
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }))
  expect(await screen.findByRole('button', { name: 'CSV (50 %)' })).toBeInTheDocument()
  finish('a')
  await waitFor(() => expect(names).toEqual(['wards.csv']))
  expect(await screen.findByRole('button', { name: 'CSV' })).toBeEnabled()
})

it('offers several formats in a menu', async () => {
  const names = watchDownloads()
  const format = (label: string) => ({ label, fileName: `wards.${label}`, load: () => label })
  await renderPart(<DownloadButton label="Download" formats={[format('csv'), format('json')]} />)
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'json' }))
  await waitFor(() => expect(names).toEqual(['wards.json']))
})

it('shows a failure with its id, and can be tried again', async () => {
  const load = () => Promise.reject(Object.assign(new Error('Away'), { id: 'e1' }))
  await renderPart(<DownloadButton label="CSV" formats={[{ fileName: 'wards.csv', load }]} />)
  await userEvent.click(screen.getByRole('button', { name: 'CSV' }))
  expect(await screen.findByRole('alert')).toHaveTextContent('Away')
  expect(screen.getByRole('button', { name: 'CSV' })).toBeEnabled()
})

it('the button is disabled while the rows are of the previous filters', async () => {
  const button = <DownloadButton label="CSV" formats={[{ fileName: 'wards.csv', load: () => 'a' }]} />
  await renderPart(<StaleRows value>{button}</StaleRows>)
  expect(screen.getByRole('button', { name: 'CSV' })).toBeDisabled()
})
