import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BoundaryPreview } from '#contract/boundary-files.ts'
import { fakeServer, type Responses } from '#web/data/test-server.ts'
import * as sending from '#web/data/send-with-progress.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import { lastMap } from '#web/map/test-map-view.tsx'
import { geographyResponses, layerId, shapeId, testLayer, testSquare } from '#web/map-page/test-geography.ts'
import { GeographiesScreen, shownLayer } from './geographies-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/geographies', 'shell:pages.geographies', GeographiesScreen),
]
const address = '/port-meridian/mobility/geographies'
const region = '/v2/regions/port-meridian'
const preview: BoundaryPreview = {
  upload_uuid: layerId,
  file_name: 'New_wards.geojson',
  format: 'GeoJSON',
  feature_count: 1,
  properties: [{ name: 'NAME', filled: 1, distinct: 1, samples: ['North'], notes: [] }],
  suggested_name: 'NAME',
  notes: [{ position: 3, code: 'mended', text: 'The outline crossed itself' }],
  question: null,
  bbox: [0, 0, 1, 1],
  features: [{ type: 'Feature', geometry: testSquare, properties: {} }],
}
const renderScreen = async (responses: Responses, search = '') => {
  const server = fakeServer({ ...signedIn(), ...geographyResponses(), ...responses })
  const router = await renderApp(screens, `${address}${search}`)
  return { ...server, router }
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(400)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
})
afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

describe('the geographies screen', () => {
  it('explains what to do without layers', async () => {
    await renderScreen({ [`GET ${region}/layers`]: () => ({ items: [] }) })
    expect(await screen.findByText('No layers yet')).toBeInTheDocument()
  })

  it('lists layers with author and time of the last change, and the progress of their sums', async () => {
    await renderScreen({
      [`GET ${region}/cubes`]: () => ({
        items: [
          {
            shape_layer_uuid: layerId,
            status: 'running',
            problem: null,
            done_hours: 25,
            total_hours: 100,
            changed_time: null,
          },
        ],
      }),
    })
    const list = within(await screen.findByRole('list', { name: 'Layers' }))
    expect(list.getByRole('button', { name: /Wards/ })).toHaveTextContent(
      '2 shapes · AreasNov 20, 2026, 10:00 AM by AdaPrimary (l1)',
    )
    expect(await list.findByText('Preparing counts: 25%')).toBeInTheDocument()
    await userEvent.type(screen.getByLabelText('Search layers'), 'parks')
    expect(await screen.findByText('No layer with that name')).toBeInTheDocument()
  })

  it('the geographies screen is read-only without the permission', async () => {
    await renderScreen(signedIn([]), `?shape=${shapeId}`)
    const card = within(await screen.findByRole('region', { name: 'Shape' }))
    expect(await card.findByRole('heading', { name: 'North' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Edit shapes' })).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Import a file' })).not.toBeInTheDocument()
    expect(card.queryByRole('button', { name: 'Rename' })).not.toBeInTheDocument()
  })

  it('selects a shape in the table, in the URL and on the map', async () => {
    const { router } = await renderScreen({}, '?results=true')
    await userEvent.click(await screen.findByRole('button', { name: 'North' }))
    expect(router.state.location.search).toMatchObject({ shape: shapeId })
    await waitFor(() => expect(lastMap()?.scene.selected).toBe(shapeId))
    expect(lastMap()?.findShape(shapeId)).toEqual([0, 0, 1, 1])
  })

  it('moves the focus to the editor, and back to its button when editing ends', async () => {
    await renderScreen({})
    await userEvent.click(await screen.findByRole('button', { name: 'Edit shapes' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Select and edit corners' })).toHaveFocus())
    await userEvent.click(screen.getByRole('button', { name: 'Stop editing' }))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit shapes' })).toHaveFocus())
  })

  it('sorts and searches the table on the server', async () => {
    const { requests } = await renderScreen({}, '?results=true')
    await screen.findByRole('button', { name: 'North' })
    await userEvent.click(screen.getByRole('button', { name: 'Changed' }))
    await waitFor(() => expect(requests.at(-1)?.query.get('order_by')).toBe('modified_time'))
    await userEvent.type(screen.getByLabelText('Search shapes'), 'South')
    expect(await screen.findByText('No shape with that name, id or description')).toBeInTheDocument()
  })

  it('creates a layer from a file after a preview', async () => {
    vi.spyOn(sending, 'sendWithProgress').mockResolvedValue({
      status: 200,
      statusText: '',
      version: null,
      text: async () => JSON.stringify(preview),
      bytes: async () => new Uint8Array(),
    })
    const { requests } = await renderScreen({
      [`POST ${region}/layers`]: () => ({ layer: testLayer, notes: preview.notes }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Import a file' }))
    await userEvent.upload(
      await screen.findByLabelText('Choose a file', { selector: 'input' }),
      new File(['{}'], 'New_wards.geojson'),
    )
    const dialog = await screen.findByRole('dialog', { name: 'New_wards.geojson' })
    expect(within(dialog).getByText(/The outline crossed itself/)).toHaveTextContent(
      'Feature 3: The outline crossed itself',
    )
    await userEvent.click(within(dialog).getByRole('button', { name: 'Create layer' }))
    await waitFor(() =>
      expect(requests.find((request) => request.method === 'POST')?.body).toEqual({
        layer_name: 'New wards',
        upload_uuid: layerId,
        name_property: 'NAME',
        level: null,
      }),
    )
  })
})

it('shows the requested layer, else the primary one, else one that is no basemap', () => {
  const layers = [
    { shape_layer_uuid: 'w', level: 'basemap:water' },
    { shape_layer_uuid: 'd', level: null },
    { shape_layer_uuid: 'p', level: 'l1' },
  ]
  expect(shownLayer(layers, 'w')?.shape_layer_uuid).toBe('w')
  expect(shownLayer(layers, undefined)?.shape_layer_uuid).toBe('p')
  expect(shownLayer(layers, 'unknown')?.shape_layer_uuid).toBe('p')
  expect(shownLayer(layers.slice(0, 2), undefined)?.shape_layer_uuid).toBe('d')
  expect(shownLayer(layers.slice(0, 1), undefined)?.shape_layer_uuid).toBe('w')
  expect(shownLayer([], undefined)).toBeNull()
})
