import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '#web/data/api-error.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { UploadList } from './trip-files-screen.tsx'
import type { Upload, Uploads } from './use-uploads.ts'

const makeFile = (name: string, bytes: number) =>
  Object.defineProperty(new File(['x'], name), 'size', { value: bytes })
const failure = new ApiError({
  url: '/x',
  method: 'POST',
  status: 507,
  statusText: '',
  body: { detail: 'The disk is full', id: 'e-7' },
  request: null,
})
const list: Upload[] = [
  { id: 1, file: makeFile('july.csv', 48_000_000), share: 0.25, error: null },
  { id: 2, file: makeFile('august.csv.gz', 1_200_000), share: null, error: null },
  { id: 3, file: makeFile('may.csv', 900), share: null, error: failure },
]

async function renderList(uploads: readonly Upload[] = list) {
  const callbacks = {
    add: vi.fn<Uploads['add']>(),
    retry: vi.fn<Uploads['retry']>(),
    remove: vi.fn<Uploads['remove']>(),
  }
  const { container } = await renderPart(<UploadList uploads={{ list: uploads, ...callbacks }} />)
  const getRow = (name: string) => within(screen.getByText(name).closest('li')!)
  return { ...callbacks, row: getRow, container }
}

describe('the uploads', () => {
  it('the uploads show their progress as text and as a bar', async () => {
    const { row } = await renderList()
    expect(row('july.csv').getByText('25% of 48 MB uploaded')).toBeInTheDocument()
    expect(row('july.csv').getByRole('progressbar', { name: 'Uploading july.csv' })).toHaveAttribute(
      'aria-valuenow',
      '25',
    )
  })

  it('the uploads show that they wait', async () => {
    const { row } = await renderList()
    expect(row('august.csv.gz').getByText('Waiting')).toBeInTheDocument()
    expect(row('august.csv.gz').getByRole('progressbar')).toHaveAttribute('aria-valuenow', '0')
    expect(row('august.csv.gz').queryByRole('alert')).not.toBeInTheDocument()
  })

  it('the uploads show why they failed with the error id, and can be repeated', async () => {
    const { row, retry } = await renderList()
    expect(row('may.csv').getByRole('alert')).toHaveTextContent(
      'The file was not uploadedThe disk is fullError id, for support: e-7',
    )
    expect(row('may.csv').getByText('900 bytes')).toBeInTheDocument()
    expect(row('may.csv').queryByRole('progressbar')).not.toBeInTheDocument()
    await userEvent.click(row('may.csv').getByRole('button', { name: 'Try again' }))
    expect(retry.mock.calls).toEqual([[3]])
  })

  it('the uploads are canceled one by one', async () => {
    const { row, remove } = await renderList()
    await userEvent.click(
      row('august.csv.gz').getByRole('button', { name: 'Cancel upload of august.csv.gz' }),
    )
    expect(remove.mock.calls).toEqual([[2]])
  })

  it('the uploads take no space if there are none', async () => {
    await renderList([])
    expect(screen.queryByRole('list', { name: 'Files being uploaded' })).not.toBeInTheDocument()
  })
})
