import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BoundaryPreview, Note } from '#contract/boundary-files.ts'
import type { Geometry } from '#contract/place.ts'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import * as sending from '#web/data/send-with-progress.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { BoundaryUploadDialog } from './boundary-upload-dialog.tsx'

const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
const layers = '/v2/regions/port-meridian/layers'
const geom: Geometry = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
    ],
  ],
}
const makeNote = (position: number | null, text: string): Note => ({ position, code: 'x', text })
const preview = (overrides: Partial<BoundaryPreview>): BoundaryPreview => ({
  upload_uuid: uuid,
  file_name: 'Wards.zip',
  format: 'Shapefile',
  feature_count: 2500,
  suggested_name: null,
  notes: [],
  question: null,
  bbox: [0, 0, 1, 1],
  properties: [{ name: 'NAME', filled: 2500, distinct: 2499, samples: ['North', 'South'], notes: [] }],
  features: [{ type: 'Feature', geometry: geom, properties: {} }],
  ...overrides,
})

afterEach(() => vi.unstubAllGlobals())

/** Replies to consecutive uploads with these responses. */
function replyToUploads(...responses: { status: number; body: unknown }[]) {
  return vi.spyOn(sending, 'sendWithProgress').mockImplementation(async ({ onProgress }) => {
    onProgress?.(1)
    const { status, body } = responses.length > 1 ? responses.shift()! : responses[0]!
    return {
      status,
      statusText: '',
      version: null,
      text: async () => JSON.stringify(body),
      bytes: async () => new Uint8Array(),
    }
  })
}

function Upload({ onCreated }: { onCreated: (uuid: string) => void }) {
  const [isOpen, setOpen] = useState(true)
  return isOpen ? (
    <BoundaryUploadDialog file={null} onClose={() => setOpen(false)} onCreated={onCreated} />
  ) : null
}

async function renderUpload(responses: Responses = {}) {
  const onCreated = vi.fn<(uuid: string) => void>()
  const screens: ScreenEntry[] = [
    makeScreenEntry('/$regionId/upload', 'shell:pages.geographies', () => <Upload onCreated={onCreated} />),
  ]
  const server = fakeServer({ ...signedIn(), ...responses })
  await renderApp(screens, '/port-meridian/upload')
  await userEvent.upload(
    await screen.findByLabelText('Choose a file', { selector: 'input' }),
    new File(['x'], 'Wards.zip'),
  )
  return { onCreated, ...server }
}

describe('a boundary file', () => {
  it('shows why it cannot be read, and can be sent again', async () => {
    const send = replyToUploads(
      { status: 422, body: { detail: 'The archive holds no .shp', id: 'e-1' } },
      { status: 200, body: preview({}) },
    )
    await renderUpload()
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'This file could not be readThe archive holds no .shpError id, for support: e-1',
    )
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('dialog', { name: 'Wards.zip' })).toBeInTheDocument()
    expect(send).toHaveBeenCalledTimes(2)
  })

  it('shows how many features it has, and how many are drawn', async () => {
    replyToUploads({ status: 200, body: preview({}) })
    await renderUpload()
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('2,500 features · Shapefile')).toBeInTheDocument()
    expect(dialog.getByRole('application', { name: '2,500 features' })).toBeInTheDocument()
    expect(dialog.getByText('Showing 1 of them, from across the file.')).toBeInTheDocument()
    expect(dialog.getByRole('radio', { name: 'None (number them)' })).toBeChecked()
    expect(dialog.getByText('North, South')).toBeInTheDocument()
  })

  it('becomes a layer with the selected name, level and property', async () => {
    replyToUploads({ status: 200, body: preview({}) })
    const { requests, onCreated } = await renderUpload({
      [`POST ${layers}`]: () => ({ layer: { shape_layer_uuid: uuid }, notes: [] }),
    })
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.clear(dialog.getByLabelText(/^Name/))
    await userEvent.type(dialog.getByLabelText(/^Name/), 'Council wards')
    await userEvent.type(dialog.getByRole('combobox', { name: 'Level' }), 'l1')
    await userEvent.click(dialog.getByRole('radio', { name: 'NAME' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Create layer' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalledWith(uuid))
    expect(requests.find((request) => request.method === 'POST')?.body).toEqual({
      layer_name: 'Council wards',
      upload_uuid: uuid,
      name_property: 'NAME',
      level: 'l1',
    })
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('asks for confirmation if its location is doubtful', async () => {
    replyToUploads({ status: 200, body: preview({ question: '2 of 3 features are outside the region.' }) })
    const { requests } = await renderUpload({
      [`POST ${layers}`]: () => ({ layer: { shape_layer_uuid: uuid }, notes: [] }),
    })
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('2 of 3 features are outside the region.')).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Create layer' }))
    expect(dialog.getByText('Confirm, or cancel and choose another file')).toBeInTheDocument()
    expect(requests.some((request) => request.method === 'POST')).toBe(false)
    await userEvent.click(dialog.getByRole('checkbox', { name: 'Create the layer anyway' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Create layer' }))
    await waitFor(() =>
      expect(requests.find((request) => request.method === 'POST')?.body).toMatchObject({
        accept_outside: true,
      }),
    )
  })

  it('shows why it cannot become a layer, and preserves the form', async () => {
    replyToUploads({ status: 200, body: preview({}) })
    await renderUpload({ [`POST ${layers}`]: () => new ErrorResponse(409, 'There is a layer of that name') })
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(dialog.getByRole('button', { name: 'Create layer' }))
    expect(await dialog.findByText('There is a layer of that name')).toBeInTheDocument()
    expect(dialog.getByLabelText(/^Name/)).toHaveValue('Wards')
  })

  it('shows notes that appear only when the layer is created, then continues', async () => {
    replyToUploads({ status: 200, body: preview({ notes: [makeNote(1, 'Mended')] }) })
    const { onCreated } = await renderUpload({
      [`POST ${layers}`]: () => ({
        layer: { shape_layer_uuid: uuid },
        notes: [makeNote(1, 'Mended'), makeNote(null, 'Two shapes overlap')],
      }),
    })
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('1 note about repairs and omissions')).toBeInTheDocument()
    await userEvent.click(dialog.getByRole('button', { name: 'Create layer' }))
    expect(await dialog.findByText('Two shapes overlap')).toBeInTheDocument()
    expect(onCreated).not.toHaveBeenCalled()
    await userEvent.click(dialog.getByRole('button', { name: 'Close' }))
    expect(onCreated).toHaveBeenCalledWith(uuid)
  })

  it('a boundary file is discarded on cancel', async () => {
    replyToUploads({ status: 200, body: preview({}) })
    const { onCreated, requests } = await renderUpload()
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(onCreated).not.toHaveBeenCalled()
    expect(requests.some((request) => request.method === 'POST')).toBe(false)
  })
})
