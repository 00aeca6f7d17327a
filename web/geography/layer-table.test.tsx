import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Layer } from '#contract/geography.ts'
import { fakeServer } from '#web/data/fake-server.ts'
import * as download from '#web/kit/download-file.ts'
import type { ScreenEntry } from '#web/shell/screen-entry.ts'
import { renderApp } from '#web/shell/test-frame.tsx'
import { signedIn } from '#web/shell/test-replies.ts'
import { LayerTable } from './layer-table.tsx'

const aLayer = (number: number, part: Partial<Layer>): Layer => ({
  shape_layer_uuid: `8f14e45f-ceea-467f-a0e6-7a1d2b3c4d0${number}`, region_id: 'port-meridian', layer_name: 'Wards', layer_slug: 'wards', level: null, editable: true, buffers: [], intersect_route: false,
  hourly_processing: [], parking_duration_filters: [], vehicle_counts: false, vehicle_counts_status: null, shape_count: 12, overlaps: false, geometry_type: 'area', bbox: null, content_hash: 'a',
  modified_time: '2026-11-20T15:00:00Z', ...part,
})
const layers = [
  aLayer(1, { layer_name: 'Ward 10', level: 'l1', shape_count: 1204 }),
  aLayer(2, { layer_name: 'Bus lanes', geometry_type: 'line', overlaps: true, shape_count: 31, modified_time: '2026-01-02T03:00:00Z' }),
  aLayer(3, { layer_name: 'Ward 2', level: 'basemap:water', shape_count: 400 }),
  aLayer(4, { layer_name: 'Meters, new', level: 'curb', geometry_type: 'point', shape_count: 0 }),
]
const onOpen = vi.fn<(uuid: string) => void>()
const screens: ScreenEntry[] = [{ path: '/$regionId/layers', title: 'shell:pages.geographies', permission: 'signed_in', Screen: () => <LayerTable layers={layers} onOpen={onOpen} /> }]

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(560)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800)
})
afterEach(() => {
  onOpen.mockReset()
  vi.unstubAllGlobals()
})

async function open() {
  fakeServer(signedIn())
  await renderApp(screens, '/port-meridian/layers')
  return within(await screen.findByRole('table', { name: 'Layers' }))
}
const cells = (table: Awaited<ReturnType<typeof open>>) => table.getAllByRole('row').slice(1).map((row) => within(row).getAllByRole('cell').map((cell) => cell.textContent))
const names = (table: Awaited<ReturnType<typeof open>>) => cells(table).map(([name]) => name)

describe('the layers of a region', () => {
  it('read in words, with moments on the clocks of the region', async () => {
    expect(cells(await open())).toEqual([
      ['Ward 10', 'Primary (l1)', '1,204', 'Areas', 'No', 'Nov 20, 2026, 10:00 AM'],
      ['Bus lanes', '–', '31', 'Lines', 'Yes', 'Jan 1, 2026, 10:00 PM'],
      ['Ward 2', 'Basemap: water', '400', 'Areas', 'No', 'Nov 20, 2026, 10:00 AM'],
      ['Meters, new', 'curb', '0', 'Points', 'No', 'Nov 20, 2026, 10:00 AM'],
    ])
  })

  it('open by click and by keyboard', async () => {
    const table = await open()
    await userEvent.click(table.getByRole('button', { name: 'Bus lanes' }))
    expect(onOpen).toHaveBeenLastCalledWith(layers[1]!.shape_layer_uuid)
    table.getByRole('button', { name: 'Ward 2' }).focus()
    await userEvent.keyboard('{Enter}')
    expect(onOpen).toHaveBeenLastCalledWith(layers[2]!.shape_layer_uuid)
  })

  it('are sorted by name as people count, and by shapes as numbers', async () => {
    const table = await open()
    await userEvent.click(table.getByRole('button', { name: 'Name' }))
    expect(names(table)).toEqual(['Bus lanes', 'Meters, new', 'Ward 2', 'Ward 10'])
    expect(table.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
    await userEvent.click(table.getByRole('button', { name: 'Shapes' }))
    await userEvent.click(table.getByRole('button', { name: 'Shapes' }))
    expect(names(table)).toEqual(['Ward 10', 'Ward 2', 'Bus lanes', 'Meters, new'])
    expect(table.getByRole('columnheader', { name: 'Name' })).not.toHaveAttribute('aria-sort')
  })

  it('are sorted by the moment of their change, not by its text', async () => {
    const table = await open()
    await userEvent.click(table.getByRole('button', { name: 'Changed' }))
    expect(names(table)[0]).toBe('Bus lanes')
  })

  it('are downloaded as they are sorted, with plain values', async () => {
    const save = vi.spyOn(download, 'downloadFile').mockImplementation(() => undefined)
    const table = await open()
    await userEvent.click(table.getByRole('button', { name: 'Shapes' }))
    await userEvent.click(screen.getByRole('button', { name: 'Download CSV' }))
    const [name, text, media] = save.mock.calls[0]!
    expect([name, media]).toEqual(['layers-port-meridian.csv', 'text/csv'])
    expect(text.split('\r\n')).toEqual([
      'Name,Level,Shapes,Type,Overlaps,Changed',
      '"Meters, new",curb,0,Points,No,2026-11-20T15:00:00Z',
      'Bus lanes,,31,Lines,Yes,2026-01-02T03:00:00Z',
      'Ward 2,basemap:water,400,Areas,No,2026-11-20T15:00:00Z',
      'Ward 10,l1,1204,Areas,No,2026-11-20T15:00:00Z',
      '',
    ])
  })
})
