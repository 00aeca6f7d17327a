import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer, ErrorResponse } from '#web/data/test-server.ts'
import { MdsDownload } from './policies-screen.tsx'
import { renderWithRequests } from './test-requests.tsx'

afterEach(() => vi.unstubAllGlobals())

it('the download is a menu that works by keyboard', async () => {
  await renderWithRequests(<MdsDownload regionId="port-meridian" />)
  const button = screen.getByRole('button', { name: 'Download MDS data' })
  button.focus()
  await userEvent.keyboard('{Enter}')
  const menu = within(await screen.findByRole('menu', { hidden: true, name: 'Download MDS data' }))
  const items = menu.getAllByRole('menuitem', { hidden: true })
  await waitFor(() => expect(items[0]).toHaveFocus())
  await userEvent.keyboard('{ArrowDown}')
  expect(items[1]).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(button).toHaveFocus())
})

it("downloads the region's policies and geographies as files", async () => {
  const names: string[] = []
  const made = vi.fn<(part: Blob) => string>(() => 'blob:1')
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: made, revokeObjectURL: () => undefined }))
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    names.push(this.download)
  })
  const { requests } = fakeServer({
    'POST /v2/policies/get_mds_policies': () => ({ version: '2.0.0', policies: [] }),
    'POST /v2/policies/get_mds_geographies': () => ({ version: '2.0.0', geographies: [] }),
  })
  await renderWithRequests(<MdsDownload regionId="port-meridian" />)
  for (const name of ['Policies (JSON)', 'Geographies (JSON)']) {
    await userEvent.click(screen.getByText('Download MDS data'))
    await userEvent.click(await screen.findByText(name))
  }
  await waitFor(() =>
    expect(names).toEqual(['mds-policies-port-meridian.json', 'mds-geographies-port-meridian.json']),
  )
  expect(requests.map(({ body }) => body)).toEqual([
    { region_id: 'port-meridian' },
    { region_id: 'port-meridian' },
  ])
  expect(made.mock.calls[0]?.[0].type).toContain('application/json')
})

it('shows an error if they are not available', async () => {
  fakeServer({ 'POST /v2/policies/get_mds_geographies': () => new ErrorResponse(503, 'Service Unavailable') })
  await renderWithRequests(<MdsDownload regionId="port-meridian" />)
  await userEvent.click(screen.getByText('Download MDS data'))
  await userEvent.click(await screen.findByText('Geographies (JSON)'))
  expect(await screen.findByText('ERROR DOWNLOADING MDS DATA')).toBeInTheDocument()
  expect(screen.getByText('Unable to access MDS data.')).toBeInTheDocument()
})
