import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse, type Responses } from '#web/data/test-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp, makeScreenEntry } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-responses.ts'
import {
  geographyResponses,
  layerId,
  shapeId,
  testLayer,
  testShape,
  testSquare,
} from '#web/map-page/test-geography.ts'
import { GeographiesScreen } from './geographies-screen.tsx'

const screens: ScreenEntry[] = [
  makeScreenEntry('/$regionId/mobility/geographies', 'shell:pages.geographies', GeographiesScreen),
]
const region = '/v2/regions/port-meridian'
const ofShape = `${region}/shapes/${shapeId}`
const gone = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d59'
const renderScreen = async (responses: Responses, search = '') => {
  const server = fakeServer({ ...signedIn(), ...geographyResponses(), ...responses })
  const router = await renderApp(screens, `/port-meridian/mobility/geographies${search}`)
  return { ...server, router }
}
const press = async (name: string | RegExp, within_: HTMLElement = document.body) =>
  userEvent.click(await within(within_).findByRole('button', { name }))

afterEach(() => {
  vi.unstubAllGlobals()
  sessionStorage.clear()
})

describe('the history of a layer', () => {
  const actions = [
    {
      shape_uuid: gone,
      version: 2,
      act: 'deleted',
      changes: [],
      shape_name: 'Old dock',
      changed_by: 'Ada',
      changed_time: '2026-11-20T15:00:00Z',
      is_deleted: true,
    },
    {
      shape_uuid: gone,
      version: 1,
      act: 'created',
      changes: [],
      shape_name: 'Old dock',
      changed_by: null,
      changed_time: '2026-11-19T15:00:00Z',
      is_deleted: true,
    },
    {
      shape_uuid: shapeId,
      version: 2,
      act: 'changed',
      changes: ['geometry'],
      shape_name: 'North',
      changed_by: 'Ada',
      changed_time: '2026-11-18T15:00:00Z',
      is_deleted: false,
    },
  ]
  const responses = {
    [`GET ${region}/layers/${layerId}/history`]: ({ query }: { query: URLSearchParams }) => {
      const items = actions.filter(
        ({ act, shape_name }) =>
          (query.get('act') ?? act) === act && shape_name.includes(query.get('text') ?? ''),
      )
      return { items, total: items.length, page: 1, size: 20 }
    },
    [`POST ${region}/shapes/${gone}/restore`]: () => ({
      ...testShape,
      shape_uuid: gone,
      shape_name: 'Old dock',
    }),
  }

  it('shows the changes with their authors, and restores what was deleted', async () => {
    const { requests, router } = await renderScreen(responses)
    await press('History')
    const list = within(await screen.findByRole('list', { name: 'History of Wards' }))
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Old dock · DeletedNov 20, 2026, 10:00 AM · AdaRestore',
      'Old dock · CreatedNov 19, 2026, 10:00 AM · the server',
      expect.stringMatching(/^North · .*Nov 18, 2026, 10:00 AM · AdaOpen$/) as string,
    ])
    await press('Restore Old dock')
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({ version: 2 }),
    )
    await waitFor(() => expect(router.state.location.search).toMatchObject({ shape: gone }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('the history of a layer is searched and filtered on the server', async () => {
    await renderScreen(responses)
    await press('History')
    await userEvent.click(await screen.findByRole('switch', { name: 'Deleted shapes' }))
    await waitFor(() =>
      expect(
        screen.getAllByRole('listitem').filter((item) => item.textContent?.includes('Old dock')),
      ).toHaveLength(1),
    )
    await userEvent.type(screen.getByLabelText('Search by shape name'), 'nowhere')
    expect(await screen.findByText('No deleted shapes')).toBeInTheDocument()
  })

  it('the history of a layer is read-only without the permission', async () => {
    await renderScreen({ ...responses, ...signedIn([]) })
    await press('History')
    await screen.findByRole('list', { name: 'History of Wards' })
    expect(screen.queryByRole('button', { name: 'Restore Old dock' })).not.toBeInTheDocument()
  })
})

describe('a layer', () => {
  it('a layer is created without a file, and opened', async () => {
    const { requests, router } = await renderScreen({
      [`POST ${region}/layers`]: () => ({ layer: { ...testLayer, shape_layer_uuid: layerId }, notes: [] }),
    })
    await press('New layer')
    const dialog = await screen.findByRole('dialog', { name: 'New layer' })
    await userEvent.type(within(dialog).getByLabelText(/^Name/), 'No parking')
    await press('Create layer', dialog)
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
        layer_name: 'No parking',
        level: null,
      }),
    )
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(router.state.location.search).toMatchObject({ layer: layerId })
  })

  it('shows its stored settings, and saves the changed ones', async () => {
    const { requests } = await renderScreen({ [`PATCH ${region}/layers/${layerId}`]: () => testLayer })
    await press('Layer settings')
    const dialog = await screen.findByRole('dialog', { name: /Wards/ })
    const name = within(dialog).getByLabelText(/^Name/)
    await userEvent.clear(name)
    await userEvent.type(name, 'Wards of 2026')
    await press('Save', dialog)
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
        layer_name: 'Wards of 2026',
        buffers: [10],
        if_modified_time: testLayer.modified_time,
      }),
    )
  })

  it('a layer is deleted only after the user has seen its dependents', async () => {
    const { requests } = await renderScreen({
      [`GET ${region}/layers/${layerId}/dependents`]: () => ({
        dependents: [{ kind: 'policy', id: 'p', name: 'No parking downtown', count: null }],
      }),
      [`DELETE ${region}/layers/${layerId}`]: () => ({ deleted: true }),
    })
    await press('Layer settings')
    await press('Delete layer', await screen.findByRole('dialog'))
    const dialog = await screen.findByRole('dialog', { name: 'Delete Wards' })
    expect(await within(dialog).findByText(/No parking downtown/)).toBeInTheDocument()
    await press('Delete anyway', dialog)
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'DELETE')?.query.get('confirm')).toBe('true'),
    )
  })
})

describe('a shape', () => {
  it('a shape is renamed and described; a second editor gets a conflict', async () => {
    const { requests } = await renderScreen(
      { [`PATCH ${ofShape}`]: () => new ErrorResponse(409, 'changed') },
      `?shape=${shapeId}`,
    )
    await press('Rename')
    const dialog = await screen.findByRole('dialog', { name: /North/ })
    await userEvent.type(within(dialog).getByLabelText('Description'), 'By the water')
    await press('Save', dialog)
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'PATCH')?.body).toEqual({
        shape_name: 'North',
        shape_description: 'By the water',
        if_modified_time: testShape.modified_time,
      }),
    )
    expect(await within(dialog).findByText('Somebody else changed this shape')).toBeInTheDocument()
  })

  it('shows an earlier version on the map, and restores it', async () => {
    const versions = [
      {
        version: 2,
        act: 'changed',
        changes: ['geometry'],
        shape_name: 'North',
        shape_description: null,
        geom: testSquare,
        valid_from: '2026-11-20T15:00:00Z',
        valid_until: null,
        changed_by: 'Ada',
      },
      {
        version: 1,
        act: 'created',
        changes: [],
        shape_name: 'North end',
        shape_description: null,
        geom: testSquare,
        valid_from: '2026-11-01T15:00:00Z',
        valid_until: '2026-11-20T15:00:00Z',
        changed_by: null,
      },
    ]
    const { requests } = await renderScreen(
      {
        [`GET ${ofShape}/history`]: () => ({ items: versions }),
        [`POST ${ofShape}/restore`]: () => testShape,
      },
      `?shape=${shapeId}`,
    )
    const card = await screen.findByRole('region', { name: 'Shape' })
    await userEvent.click(await within(card).findByText('History'))
    await press('Show on map', card)
    expect(within(card).getByRole('button', { name: 'Show on map', pressed: true })).toBeInTheDocument()
    await press(/^Restore the version of/, card)
    await waitFor(() =>
      expect(requests.find(({ method }) => method === 'POST')?.body).toEqual({
        version: 1,
        if_modified_time: testShape.modified_time,
      }),
    )
  })
})
