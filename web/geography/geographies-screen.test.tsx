import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoundaryPreview, Layer, Shape } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { fakeServer } from '#web/data/fake-server.ts'
import * as sending from '#web/data/send-with-progress.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
import { GeographiesScreen } from './geographies-screen.tsx'

const screens: ScreenEntry[] = [{ path: '/$regionId/mobility/geographies', title: 'shell:pages.geographies', permission: 'signed_in', Screen: GeographiesScreen }]
const address = '/port-meridian/mobility/geographies'
const region = '/v2/regions/port-meridian'
const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
const geom: Geometry = { type: 'Polygon', coordinates: [[[0, 0], [1, 0], [1, 1], [0, 0]]] }

const layer: Layer = {
  shape_layer_uuid: uuid, region_id: 'port-meridian', layer_name: 'Wards', layer_slug: 'wards', level: 'l1', editable: true, buffers: [10], intersect_route: false, hourly_processing: [],
  parking_duration_filters: [], vehicle_counts: false, vehicle_counts_status: null, shape_count: 12, overlaps: true, geometry_type: 'area', bbox: [0, 0, 1, 1], content_hash: 'a', modified_time: '2026-11-20T15:00:00Z',
}
const shape: Shape = { shape_uuid: uuid, shape_id: '1', shape_name: 'North', shape_description: null, shape_layer_uuid: uuid, geom, properties: {}, created_time: 'x', modified_time: 'x', side_of_street: null }
const preview: BoundaryPreview = {
  upload_uuid: uuid, file_name: 'New_wards.geojson', format: 'GeoJSON', feature_count: 1, properties: [{ name: 'NAME', filled: 1, distinct: 1, samples: ['North'] }], suggested_name: 'NAME',
  notes: [{ position: 3, code: 'mended', text: 'The outline crossed itself' }], bbox: [0, 0, 1, 1], features: [{ type: 'Feature', geometry: geom, properties: {} }],
}
const withLayer = { ...signedIn(), [`GET ${region}/layers`]: () => ({ items: [layer] }), [`GET ${region}/shapes`]: () => ({ items: [shape], total: 1, page: 1, size: 50 }) }

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
})
afterEach(() => vi.unstubAllGlobals())

const choose = async (file: File) => userEvent.upload(await screen.findByLabelText('Choose a file', { selector: 'input' }), file)

describe('geographies', () => {
  it('say what to do when there are none', async () => {
    fakeServer({ ...signedIn(), [`GET ${region}/layers`]: () => ({ items: [] }) })
    await renderApp(screens, address)
    expect(await screen.findByText('No layers yet')).toBeInTheDocument()
  })

  it('are only looked at without the permission', async () => {
    fakeServer({ ...withLayer, ...signedIn([]) })
    await renderApp(screens, `${address}?layer=${uuid}`)
    const drawer = await screen.findByRole('dialog')
    expect(await within(drawer).findByText('North')).toBeInTheDocument()
    expect(within(drawer).queryByRole('button', { name: 'Save' })).not.toBeInTheDocument()
    expect(screen.queryByText('Drop a file of boundaries here')).not.toBeInTheDocument()
  })

  it('come from a file: seen first, then made a layer', async () => {
    vi.spyOn(sending, 'sendWithProgress').mockResolvedValue({ status: 200, statusText: '', version: null, text: async () => JSON.stringify(preview), bytes: async () => new Uint8Array() })
    const { asked } = fakeServer({ ...withLayer, [`POST ${region}/layers`]: () => ({ layer, notes: preview.notes }) })
    await renderApp(screens, address)
    await choose(new File(['{}'], 'New_wards.geojson'))
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('img', { name: '1 feature' })).toBeInTheDocument()
    expect(within(dialog).getByText(/The outline crossed itself/)).toHaveTextContent('Feature 3: The outline crossed itself')
    expect(within(dialog).getByRole('radio', { name: 'NAME' })).toBeChecked()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create layer' }))
    expect(await screen.findByRole('dialog', { name: 'Wards' })).toBeInTheDocument()
    expect(asked.find((one) => one.method === 'POST')?.body).toEqual({ layer_name: 'New wards', upload_uuid: uuid, name_property: 'NAME', level: null })
  })

  it('too large are not sent at all', async () => {
    const send = vi.spyOn(sending, 'sendWithProgress')
    fakeServer(withLayer)
    await renderApp(screens, address)
    const file = new File(['x'], 'all.zip')
    Object.defineProperty(file, 'size', { value: 60 * 1024 * 1024 })
    await choose(file)
    expect(await screen.findByText(/at most 52.4 MB can be read. Nothing was stored./)).toBeInTheDocument()
    expect(send).not.toHaveBeenCalled()
  })

  it('change their settings', async () => {
    const { asked } = fakeServer({ ...withLayer, [`PATCH ${region}/layers/${uuid}`]: () => layer })
    await renderApp(screens, `${address}?layer=${uuid}`)
    const drawer = await screen.findByRole('dialog', { name: 'Wards' })
    const name = within(drawer).getByLabelText(/^Name/)
    await userEvent.clear(name)
    await userEvent.type(name, 'City wards')
    await userEvent.type(within(drawer).getByRole('combobox', { name: 'Buffers' }), '5{Enter}')
    await userEvent.click(within(drawer).getByRole('button', { name: 'Save' }))
    expect(await within(drawer).findByText('Saved')).toBeInTheDocument()
    expect(asked.find((one) => one.method === 'PATCH')?.body).toEqual({ layer_name: 'City wards', level: 'l1', buffers: [5, 10] })
  })

  it('rename and delete shapes, and show their history', async () => {
    const { asked } = fakeServer({
      ...withLayer, [`PATCH ${region}/shapes/${uuid}`]: () => shape, [`DELETE ${region}/shapes/${uuid}`]: () => ({ deleted: 1 }),
      [`GET ${region}/shapes/${uuid}/history`]: () => ({ items: [{ geom, valid_from: '2026-05-01T12:00:00Z', valid_until: null, changed_by: 'Ada' }] }),
    })
    await renderApp(screens, `${address}?layer=${uuid}`)
    await userEvent.click(await screen.findByRole('button', { name: 'History of North' }))
    expect(await screen.findByText('Since May 1, 2026, 8:00 AM')).toBeInTheDocument()

    await userEvent.click(screen.getByRole('button', { name: 'Rename North' }))
    const dialog = await screen.findByRole('dialog', { name: 'Rename North' })
    await userEvent.type(within(dialog).getByLabelText(/^Name/), ' End')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(asked.find((one) => one.method === 'PATCH')?.body).toEqual({ shape_name: 'North End' }))

    await userEvent.click(await screen.findByRole('button', { name: 'Delete North' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(asked.some((one) => one.method === 'DELETE')).toBe(true))
  })
})
