import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Layer, Shape } from '#contract/geography.ts'
import { fakeServer, Refusal } from '#web/data/fake-server.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
import { LayerDrawer } from './layer-drawer.tsx'

const uuid = '8f14e45f-ceea-467f-a0e6-7a1d2b3c4d5e'
const region = '/v2/regions/port-meridian'
const layer: Layer = {
  shape_layer_uuid: uuid, region_id: 'port-meridian', layer_name: 'Wards', layer_slug: 'wards', level: null, editable: true, buffers: [], intersect_route: false, hourly_processing: [],
  parking_duration_filters: [], vehicle_counts: false, vehicle_counts_status: null, shape_count: 120, overlaps: true, geometry_type: 'area', bbox: null, content_hash: 'a', modified_time: '2026-11-20T15:00:00Z',
}
const aShape = (at: number): Shape => ({
  shape_uuid: uuid.replace(/.{4}$/, String(1000 + at)), shape_id: String(at), shape_name: `Ward ${at}`, shape_description: null, shape_layer_uuid: uuid, geom: { type: 'Point', coordinates: [0, 0] },
  properties: {}, created_time: 'x', modified_time: 'x', side_of_street: null,
})
const shapes = Array.from({ length: 120 }, (_, at) => aShape(at + 1))
const pages = ({ query }: { query: URLSearchParams }) => {
  const found = shapes.filter((shape) => shape.shape_name.includes(query.get('text') ?? ''))
  const page = Number(query.get('page') ?? 1)
  return { items: found.slice((page - 1) * 50, page * 50), total: found.length, page, size: 50 }
}

afterEach(() => vi.unstubAllGlobals())

async function open(replies: Parameters<typeof fakeServer>[0] = {}, mayEdit = true) {
  const onClose = vi.fn<() => void>()
  const screens: ScreenEntry[] = [{ path: '/$regionId/layer', title: 'shell:pages.geographies', permission: 'signed_in', Screen: () => <LayerDrawer layer={layer} mayEdit={mayEdit} onClose={onClose} /> }]
  const server = fakeServer({ ...signedIn(), [`GET ${region}/shapes`]: pages, ...replies })
  await renderApp(screens, '/port-meridian/layer')
  return { drawer: within(await screen.findByRole('dialog', { name: 'Wards' })), onClose, ...server }
}

describe('a layer', () => {
  it('says what it holds', async () => {
    const { drawer } = await open()
    expect(drawer.getByText('120 shapes · Areas · its shapes overlap')).toBeInTheDocument()
  })

  it('shows fifty shapes, then fifty more, then the rest', async () => {
    const { drawer } = await open()
    const rows = () => drawer.getAllByRole('listitem')
    await drawer.findByText('Ward 50')
    expect(rows()).toHaveLength(50)
    await userEvent.click(drawer.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(rows()).toHaveLength(100))
    await userEvent.click(drawer.getByRole('button', { name: 'Show more' }))
    await waitFor(() => expect(rows()).toHaveLength(120))
    expect(drawer.queryByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
  })

  it('finds shapes by name', async () => {
    const { drawer } = await open()
    await drawer.findByText('Ward 1')
    await userEvent.type(drawer.getByLabelText('Search shapes'), '117')
    await waitFor(() => expect(drawer.getAllByRole('listitem')).toHaveLength(1))
    expect(drawer.getByText('Ward 117')).toBeInTheDocument()
    await userEvent.type(drawer.getByLabelText('Search shapes'), 'x')
    expect(await drawer.findByText('No shape of that name')).toBeInTheDocument()
  })

  it('is deleted after a question that says what is lost', async () => {
    const { drawer, onClose, asked } = await open({ [`DELETE ${region}/layers/${uuid}`]: () => ({ deleted: 120 }) })
    await userEvent.click(drawer.getByRole('button', { name: 'Delete layer' }))
    const question = within(await screen.findByRole('dialog', { name: 'Delete layer' }))
    expect(question.getByText(/Wards with its 120 shapes will be deleted/)).toBeInTheDocument()
    expect(asked.some((one) => one.method === 'DELETE')).toBe(false)
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })

  it('stays when it cannot be deleted or changed, and says why', async () => {
    const { drawer, onClose } = await open({ [`DELETE ${region}/layers/${uuid}`]: () => new Refusal(409, 'A policy uses it'), [`PATCH ${region}/layers/${uuid}`]: () => new Refusal(409, 'That name is taken') })
    await userEvent.click(drawer.getByRole('button', { name: 'Save' }))
    expect(await drawer.findByText('That name is taken')).toBeInTheDocument()
    await userEvent.click(drawer.getByRole('button', { name: 'Delete layer' }))
    const question = within(await screen.findByRole('dialog', { name: 'Delete layer' }))
    await userEvent.click(question.getByRole('button', { name: 'Delete' }))
    expect(await question.findByText('A policy uses it')).toBeInTheDocument()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('leaves out of its buffers what is no number of metres', async () => {
    const { drawer, asked } = await open({ [`PATCH ${region}/layers/${uuid}`]: () => layer })
    await userEvent.type(drawer.getByRole('combobox', { name: 'Buffers' }), '50{Enter}ten{Enter}25{Enter}9000{Enter}')
    await userEvent.click(drawer.getByRole('button', { name: 'Save' }))
    await drawer.findByText('Saved')
    expect(asked.find((one) => one.method === 'PATCH')?.body).toEqual({ layer_name: 'Wards', level: null, buffers: [25, 50] })
  })

  it('is only read by those who may not edit', async () => {
    const { drawer } = await open({}, false)
    await drawer.findByText('Ward 1')
    expect(drawer.queryByLabelText(/^Name/)).not.toBeInTheDocument()
    expect(drawer.queryByRole('button', { name: 'Delete Ward 1' })).not.toBeInTheDocument()
    expect(drawer.getByRole('button', { name: 'History of Ward 1' })).toBeInTheDocument()
  })
})
